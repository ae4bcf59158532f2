import { Closed, PageQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
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

export const PersonExportList = Closed({ ...PageQuery, ...TenantQuery });
