import { Closed, Id, NullableTimestamp, Timestamp } from '../../http/schemas/schemas.ts';
import { EXTENSIONS_MAX } from '../../lib/phone/agent-address.ts';
import { Type } from '../../lib/type.ts';
import { CARRIER_CAPABILITIES, DECLARED_CAPABILITIES } from '../ports/carrier.ts';

const STATUSES = ['active', 'draining', 'disabled'] as const;
/** The most engines of a connection. */
const ENGINES_MAX = 16;
/** The most connections of an installation. Operators add them by hand. */
export const CONNECTIONS_MAX = 1_000;
/** The most uses of a connection that are shown. */
export const USES_SHOWN = 1_000;
/** The most alarms of a connection that are shown, the oldest first. */
export const ALARMS_SHOWN = 100;
const OUTCOMES = ['accepted', 'absent'] as const;
const NullableText = Type.Union([Type.String(), Type.Null()]);

export const CarrierConnection = Type.Object({
  id: Type.String(),
  object: Type.Literal('carrier_connection'),
  kind: Type.String(),
  name: Type.String(),
  account_id: Type.Union([Type.String(), Type.Null()], {
    description: 'The only account that may use it; null for all.',
  }),
  status: Type.Enum(STATUSES),
  settings: Type.Object({}, { additionalProperties: Type.String(), description: 'Without credentials.' }),
  capabilities: Type.Array(Type.Enum(DECLARED_CAPABILITIES), {
    maxItems: DECLARED_CAPABILITIES.length,
    description:
      'What its kind of carrier can be used for; recording_pause if it can pause a recording, agent_audio if a web client can talk to the telephone of an agent, machine_detection if it tells who answers, or the gateway hears it; empty if this version does not know the kind.',
  }),
  used_for: Type.Array(
    Type.Object({
      capability: Type.Enum(CARRIER_CAPABILITIES),
      account_id: Type.Union([Type.String(), Type.Null()], {
        description: 'Null: all accounts without one of their own.',
      }),
    }),
    { maxItems: USES_SHOWN },
  ),
  alarms: Type.Array(
    Type.Object({
      capability: Type.Enum(CARRIER_CAPABILITIES),
      carrier_code: Type.String({ description: "The carrier's code of the error." }),
      title: Type.String({ description: "The carrier's title of the error." }),
      since: Timestamp,
      last_at: Timestamp,
    }),
    {
      maxItems: ALARMS_SHOWN,
      description: 'Errors which say that the account at the carrier does not allow requests. Each needs the operator.',
    },
  ),
  created_at: Timestamp,
});

export const ConnectionFinding = Type.Object({
  check: Type.String(),
  state: Type.Enum(['good', 'note', 'bad'], { description: 'note: it works, and should be better.' }),
  found: Type.String(),
  advice: Type.Union([Type.String(), Type.Null()], { description: 'The next step.' }),
});

export const OpenCarrierRequest = Type.Object({
  id: Type.String(),
  object: Type.Literal('carrier_request'),
  operation: Type.String(),
  ref: Type.String({ description: 'The resource that it is about.' }),
  attempts: Type.Integer(),
  sent_at: Timestamp,
});

export const CarrierNotice = Type.Object({
  id: Type.String(),
  object: Type.Literal('carrier_notice'),
  type: Type.String({ description: "The carrier's name of it." }),
  about: Type.String(),
  state: Type.Enum(['waiting', 'done', 'ignored', 'dropped'], {
    description: 'ignored: it has no effect here; dropped: its object never became known.',
  }),
  received_at: Timestamp,
});

export const Telephone = Type.Object({
  object: Type.Literal('telephone'),
  name: Type.Union([Type.String(), Type.Null()], {
    description: 'Null: it has no tenant and is called by its number.',
  }),
  number: Type.String({ description: 'The number that it calls from.' }),
  tenant: Type.Union(
    [
      Type.Object({
        id: Type.String(),
        name: Type.Union([Type.String(), Type.Null()], {
          description: 'Null if there is no such tenant in live mode.',
        }),
        account_id: NullableText,
      }),
      Type.Null(),
    ],
    { description: 'Null for a telephone without a tenant.' },
  ),
  extensions: Type.Array(Type.Object({ digits: Type.String(), to: Type.String() }), { maxItems: EXTENSIONS_MAX }),
  engines: Type.Array(
    Type.Object({
      engine: Type.String(),
      registration: Type.Enum(['registered', 'not_registered', 'unknown'], {
        description: 'unknown: the engine does not answer.',
      }),
      since: Type.Unsafe<Date | null>({ ...NullableTimestamp, description: 'When this state was first seen.' }),
    }),
    { maxItems: ENGINES_MAX, description: 'What each engine says. Updated every 10 seconds.' },
  ),
});

export const CheckConnection = Closed({});
export const ReconcileConnection = Closed({
  request_id: Id,
  outcome: Type.Enum(OUTCOMES, { description: 'accepted if the carrier has it, absent if not' }),
});
export const ReconciledRequest = Type.Object({
  id: Type.String(),
  object: Type.Literal('carrier_request'),
  operation: Type.String(),
  ref: NullableText,
  outcome: Type.Enum(OUTCOMES),
});
