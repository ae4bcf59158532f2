import { NullableTimestamp, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { RELAY_SETTINGS } from '../../numbers/index.ts';
import { RELAY_END_REASONS } from '../calls/state/call-relay.ts';

const RELAY_STATUSES = ['connecting', 'active', 'ended'] as const;

export const Relay = Type.Object({
  id: Type.String(),
  object: Type.Literal('call_relay'),
  call_id: Type.String(),
  tenant_id: Type.String(),
  status: Type.Enum([...RELAY_STATUSES]),
  ...RELAY_SETTINGS,
  reason: Type.Union([Type.Enum([...RELAY_END_REASONS]), Type.Null()], {
    description: 'Why it has ended; null before',
  }),
  connect_error: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the gateway could not connect to url, in a sentence',
  }),
  handoff_data: Type.Union([Type.String(), Type.Null()], {
    description: 'What the agent has handed over with `end`',
  }),
  created_at: Timestamp,
  started_at: NullableTimestamp,
  ended_at: NullableTimestamp,
});
export type Relay = Static<typeof Relay>;
