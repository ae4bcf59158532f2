import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { CallBehavior, WantedBehavior } from '../../numbers/index.ts';
import {
  AGENT,
  AGENT_STATES,
  AGENTS_MAX,
  ANNOUNCE_SECONDS,
  AVAILABILITIES,
  CALLBACK_DIGIT,
  MAX_WAIT_SECONDS,
  MAX_WAITING,
  NAME_CHARS_MAX,
  QUEUE_STRATEGIES,
  RING_SECONDS,
  WRAP_UP_SECONDS,
} from './rules.ts';

export const QueueAgent = Type.Object({
  agent: Type.String(),
  state: Type.Enum([...AGENT_STATES], {
    description:
      'ringing and busy: on a call of any kind. wrap_up: after one. away: by its own decision, not logged in, or ' +
      'for ten seconds after it declined or could not be reached',
  }),
});
export type QueueAgent = Static<typeof QueueAgent>;

export const Queue = Type.Object({
  id: Type.String(),
  object: Type.Literal('queue'),
  tenant_id: Type.String(),
  name: Type.String(),
  strategy: Type.Enum([...QUEUE_STRATEGIES], { description: 'Which free agent rings for the next caller' }),
  agents: Type.Array(QueueAgent, { maxItems: AGENTS_MAX }),
  ring_seconds: Type.Integer({ description: 'Seconds that an agent rings' }),
  wrap_up_seconds: Type.Integer({ description: 'Seconds without a caller after any call' }),
  max_waiting: Type.Integer(),
  max_wait_seconds: Type.Integer({ description: 'After these seconds `overflow` follows' }),
  announce_position_seconds: Nullable(Type.Integer({ description: 'Seconds between announcements of the position' })),
  callback_digit: Nullable(Type.String()),
  overflow: CallBehavior,
  waiting: Type.Integer({ description: 'Callers who wait, those for whom an agent rings included' }),
  longest_wait_seconds: Type.Integer({ description: 'How long the first of them has waited; 0 without one' }),
  created_at: Timestamp,
});
export type Queue = Static<typeof Queue>;

const Name = Text({ maxLength: NAME_CHARS_MAX });
type Range = { readonly min: number; readonly max: number; readonly default?: number };

/** @param hasDefaults true for a new queue: a change keeps what it does not name */
function fieldsOf({ hasDefaults }: { readonly hasDefaults: boolean }) {
  const byDefault = <Value>(value: Value | undefined) => (hasDefaults && value !== undefined ? { default: value } : {});
  const integer = ({ min, max, default: value }: Range, description: string) =>
    Type.Integer({ minimum: min, maximum: max, ...byDefault(value), description });
  return {
    strategy: Type.Optional(
      Type.Enum([...QUEUE_STRATEGIES], {
        ...byDefault(QUEUE_STRATEGIES[0]),
        description:
          'Which free agent rings for the next caller: the one without a call for the longest time, the one whose ' +
          'last turn is the longest ago, or all of them',
      }),
    ),
    agents: Type.Optional(
      Type.Array(Type.String({ ...AGENT }), {
        maxItems: AGENTS_MAX,
        uniqueItems: true,
        description:
          'Ids of web clients of the tenant, E.164 numbers, and telephones of your SIP engine: `sip_phone:` and a name',
      }),
    ),
    ring_seconds: Type.Optional(integer(RING_SECONDS, 'How long an agent rings before the next one does')),
    wrap_up_seconds: Type.Optional(integer(WRAP_UP_SECONDS, 'How long an agent gets no caller after any call')),
    max_waiting: Type.Optional(integer(MAX_WAITING, 'Callers who may wait; `overflow` follows for the next one')),
    max_wait_seconds: Type.Optional(integer(MAX_WAIT_SECONDS, 'How long a caller waits before `overflow` follows')),
    announce_position_seconds: Type.Optional(
      Nullable(integer(ANNOUNCE_SECONDS, 'How often a caller hears its position; null: never')),
    ),
    callback_digit: Type.Optional(
      Nullable(Type.String({ ...CALLBACK_DIGIT, description: 'The key that a caller presses to be called back' })),
    ),
    overflow: Type.Optional(WantedBehavior),
  };
}

export const CreateQueue = Closed({ tenant_id: Id, name: Name, ...fieldsOf({ hasDefaults: true }) });
export type CreateQueue = Static<typeof CreateQueue>;

export const UpdateQueue = Closed({ name: Type.Optional(Name), ...fieldsOf({ hasDefaults: false }) });
export type UpdateQueue = Static<typeof UpdateQueue>;

export const QueueList = Closed({ ...PageQuery, ...TenantQuery });

export const SetAvailability = Closed({ availability: Type.Enum([...AVAILABILITIES]) });
export type SetAvailability = Static<typeof SetAvailability>;
