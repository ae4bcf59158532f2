import { E164 } from '../../http/schemas/forms.ts';
import { Closed, Id } from '../../http/schemas/schemas.ts';
import { type Static, Type } from '../../lib/type.ts';

/** Names a person: an external number, and the tenant that knows it. */
export const PersonOfTenant = Closed({
  tenant_id: Id,
  external_number: Type.String({ ...E164, errorCode: 'invalid_phone' }),
});
export type PersonOfTenant = Static<typeof PersonOfTenant>;
