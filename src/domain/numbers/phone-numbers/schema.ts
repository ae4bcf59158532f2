import { CAPABILITIES } from '../../../carriers/ports/numbers.ts';
import { E164, FORM_CHARS_MAX, VISIBLE } from '../../../http/schemas/forms.ts';
import { Closed, Id, Limit, Nullable, PageQuery, TenantQuery, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { CONTAINS_DIGITS_MAX, LOCALITY_CHARS_MAX, NUMBER_STATUSES } from './rules.ts';

const Reference = Type.Union([Type.String(), Type.Null()]);
const Capabilities = Type.Array(Type.Enum([...CAPABILITIES]), { maxItems: CAPABILITIES.length });

export const PhoneNumber = Type.Object({
  id: Type.String(),
  object: Type.Literal('phone_number'),
  tenant_id: Type.String(),
  phone_number: Type.String({ description: 'E.164' }),
  status: Type.Enum([...NUMBER_STATUSES]),
  capabilities: Capabilities,
  routing_config_id: Reference,
  campaign_id: Reference,
  e911_address_id: Reference,
  messaging_ready: Type.Boolean({
    description: 'True while the attached campaign is approved and the carrier has confirmed the number for it',
  }),
  created_at: Timestamp,
});
export type PhoneNumber = Static<typeof PhoneNumber>;

export const AvailableNumber = Type.Object({
  object: Type.Literal('available_number'),
  phone_number: Type.String({ description: 'E.164' }),
  locality: Type.String(),
  region: Type.String(),
  capabilities: Capabilities,
  monthly_price_usd: Type.String({ description: 'Decimal, such as 1.00' }),
  texts_unavailable: Type.Optional(
    Type.String({ description: 'Why the number is not offered for texts: present for toll-free numbers' }),
  ),
});
export type AvailableNumber = Static<typeof AvailableNumber>;

export const SearchNumbers = Closed({
  area_code: Type.Optional(Type.String({ maxLength: FORM_CHARS_MAX, pattern: '^[0-9]{3}$', form: 'three digits' })),
  locality: Type.Optional(
    Type.String({ minLength: 1, maxLength: LOCALITY_CHARS_MAX, ...VISIBLE, description: 'City name' }),
  ),
  contains: Type.Optional(
    Type.String({
      maxLength: FORM_CHARS_MAX,
      pattern: `^[0-9]{1,${CONTAINS_DIGITS_MAX}}$`,
      form: `1 to ${CONTAINS_DIGITS_MAX} digits`,
      description: 'Digits found anywhere in the ten national digits',
    }),
  ),
  limit: Type.Optional(Limit),
});
export type SearchNumbers = Static<typeof SearchNumbers>;

export const PurchaseNumber = Closed({
  tenant_id: Id,
  phone_number: Type.String({ ...E164, errorCode: 'invalid_phone', description: 'E.164, from a search' }),
  routing_config_id: Type.Optional(Nullable(Id)),
  campaign_id: Type.Optional(Nullable(Id)),
});
export type PurchaseNumber = Static<typeof PurchaseNumber>;

export const UpdateNumber = Closed({
  routing_config_id: Type.Optional(Nullable(Id)),
  campaign_id: Type.Optional(Nullable(Id)),
  e911_address_id: Type.Optional(Nullable(Id)),
});
export type UpdateNumber = Static<typeof UpdateNumber>;

export const NumberList = Closed({ ...PageQuery, ...TenantQuery });
export type NumberList = Static<typeof NumberList>;
