import { Closed, NullableTimestamp, PageQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

const Count = (description: string) => Type.Integer({ description });

/** The content that an erasure has removed until now. */
export const ErasureCounts = Type.Object({
  messages: Count('Texts'),
  conversations: Count('Conversations'),
  notes: Count('Notes at conversations'),
  contacts: Count('Contacts with the number'),
  calls: Count('Calls whose content was removed; their times and usage stay'),
  recordings: Count('Recordings, those of voicemails included'),
  voicemails: Count('Voicemails'),
  opt_in_submissions: Count('Submissions of opt-in forms that are older than their evidence must be kept'),
  events: Count('Stored events whose data was redacted'),
});
export type ErasureCounts = Static<typeof ErasureCounts>;

export const PersonErasure = Type.Object({
  id: Type.String(),
  object: Type.Literal('person_erasure'),
  tenant_id: Type.String(),
  status: Type.Enum(['pending', 'completed'] as const),
  counts: ErasureCounts,
  created_at: Timestamp,
  completed_at: NullableTimestamp,
});
export type PersonErasure = Static<typeof PersonErasure>;

export const PersonErasureList = Closed({ ...PageQuery, ...TenantQuery });
