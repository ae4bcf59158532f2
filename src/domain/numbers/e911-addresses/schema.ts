import { US_POSTAL_CODE, US_STATE } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { ADDRESS_STATUSES } from './rules.ts';

export const E911Address = Type.Object({
  id: Type.String(),
  object: Type.Literal('e911_address'),
  tenant_id: Type.String(),
  street: Type.String(),
  unit: Type.Union([Type.String(), Type.Null()]),
  city: Type.String(),
  state: Type.String(),
  postal_code: Type.String(),
  status: Type.Enum([...ADDRESS_STATUSES]),
  created_at: Timestamp,
});
export type E911Address = Static<typeof E911Address>;

export const CreateE911Address = Closed({
  tenant_id: Id,
  street: Text({ maxLength: 200, description: 'House number and street' }),
  unit: Type.Optional(Nullable(Text({ maxLength: 50, description: 'Suite, floor or apartment' }))),
  city: Text({ maxLength: 100 }),
  state: Type.String(US_STATE),
  postal_code: Type.String(US_POSTAL_CODE),
});
export type CreateE911Address = Static<typeof CreateE911Address>;

export const E911AddressList = Closed({ ...PageQuery, ...TenantQuery });
