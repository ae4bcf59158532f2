import { E164 } from '../../../http/schemas/forms.ts';
import { Closed, Id, PageQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';

export const PersonExport = Type.Object({
  id: Type.String(),
  object: Type.Literal('person_export'),
  tenant_id: Type.String(),
  status: Type.Enum(['pending', 'completed', 'failed'] as const),
  download_url: Type.Union([Type.String(), Type.Null()], {
    description: 'A ZIP file. The address is good for one hour; a read gives a new one. Null without a file',
  }),
  created_at: Timestamp,
});
export type PersonExport = Static<typeof PersonExport>;

/** Names a person: a number outside, as a tenant knows it. */
export const CreatePersonExport = Closed({
  tenant_id: Id,
  external_number: Type.String({ ...E164, errorCode: 'invalid_phone' }),
});
export type CreatePersonExport = Static<typeof CreatePersonExport>;

export const PersonExportList = Closed({ ...PageQuery, ...TenantQuery });
