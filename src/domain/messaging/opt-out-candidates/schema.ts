import { Closed, PageQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const OptOutCandidate = Type.Object({
  object: Type.Literal('opt_out_candidate'),
  message_id: Type.String(),
  tenant_id: Type.String(),
  external_number: Type.String(),
  body: Type.String({ description: 'What the person wrote' }),
  at: Timestamp,
});
export type OptOutCandidate = Static<typeof OptOutCandidate>;

export const OptOutCandidateList = Closed({ ...PageQuery, ...TenantQuery });
