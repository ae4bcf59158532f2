import { Closed, Id, Timestamp } from '../../http/schemas/schemas.ts';
import { Type } from '../../lib/type.ts';
import { CARRIER_CAPABILITIES, DECLARED_CAPABILITIES } from '../ports/carrier.ts';

const STATUSES = ['active', 'draining', 'disabled'] as const;
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
    description:
      'What its kind of carrier can be used for; recording_pause if it can pause a recording, agent_audio if a web client can talk to the telephone of an agent, machine_detection if it tells who answers; empty if this version does not know the kind.',
  }),
  used_for: Type.Array(
    Type.Object({
      capability: Type.Enum(CARRIER_CAPABILITIES),
      account_id: Type.Union([Type.String(), Type.Null()], {
        description: 'Null: all accounts without one of their own.',
      }),
    }),
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
    description: 'ignored: it says nothing that matters here; dropped: what it is about never became known.',
  }),
  received_at: Timestamp,
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
