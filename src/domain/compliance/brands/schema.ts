import { EMAIL_CHARS_MAX, FORM_CHARS_MAX, US_NUMBER, US_POSTAL_CODE, US_STATE } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import {
  ADDRESS_CHARS_MAX,
  BRAND_STATES,
  CODE_FORM,
  EIN_FORM,
  ENTITY_TYPES,
  NAME_CHARS_MAX,
  WEBSITE_CHARS_MAX,
  WEBSITE_FORM,
} from './rules.ts';

const MaybeText = Type.Union([Type.String(), Type.Null()]);

export const Brand = Type.Object({
  id: Type.String(),
  object: Type.Literal('brand'),
  legal_name: Type.String(),
  dba: MaybeText,
  ein: Type.Union([Type.String(), Type.Null()], {
    description: 'Masked but for the last four digits; null for a sole proprietor without one.',
  }),
  entity_type: Type.Enum([...ENTITY_TYPES]),
  website: MaybeText,
  contact_email: Type.String(),
  phone: Type.String({ description: 'E.164' }),
  street: Type.String(),
  city: Type.String(),
  state: Type.String(),
  postal_code: Type.String(),
  tenant_id: Type.Union([Type.String(), Type.Null()], { description: "Null for the platform's own brand." }),
  status: Type.Enum([...BRAND_STATES]),
  rejection_reason: Type.Union([Type.String(), Type.Null()], {
    description: 'Why it is rejected; while `pending_vetting`, what the registry waits for the business to do',
  }),
  created_at: Timestamp,
});
export type Brand = Static<typeof Brand>;

export const CreateBrand = Closed({
  legal_name: Text({ maxLength: NAME_CHARS_MAX, missingCode: 'legal_name_required' }),
  dba: Type.Optional(Nullable(Text({ maxLength: NAME_CHARS_MAX }))),
  ein: Type.Optional(
    Nullable(
      Type.String({
        maxLength: FORM_CHARS_MAX,
        pattern: EIN_FORM,
        form: 'nine digits, as 123456789 or 12-3456789',
        errorCode: 'invalid_ein',
        description: 'US tax id. Required, except of a `sole_proprietor`.',
      }),
      { missingCode: 'missing_fields', requiredUnless: { field: 'entity_type', value: 'sole_proprietor' } },
    ),
  ),
  entity_type: Type.Enum([...ENTITY_TYPES], { errorCode: 'invalid_entity_type' }),
  website: Type.Optional(
    Nullable(
      Type.String({
        format: 'uri',
        pattern: WEBSITE_FORM,
        form: 'a web address with a host, that begins with https:// or http://',
        maxLength: WEBSITE_CHARS_MAX,
      }),
    ),
  ),
  contact_email: Type.String({ format: 'email', maxLength: EMAIL_CHARS_MAX, errorCode: 'invalid_contact_email' }),
  phone: Type.String({
    ...US_NUMBER,
    errorCode: 'invalid_billing_phone_number',
  }),
  street: Text({ maxLength: ADDRESS_CHARS_MAX }),
  city: Text({ maxLength: ADDRESS_CHARS_MAX }),
  state: Type.String(US_STATE),
  postal_code: Type.String(US_POSTAL_CODE),
  tenant_id: Type.Optional(
    Nullable(
      Type.String({
        ...Id,
        description: "Only where the tenant registers under its own EIN; without it the brand is the platform's.",
      }),
    ),
  ),
});
export type CreateBrand = Static<typeof CreateBrand>;

export const ConfirmBrandCode = Closed({
  code: Type.String({
    maxLength: FORM_CHARS_MAX,
    pattern: CODE_FORM,
    form: 'four to ten digits, as 123456',
    description: 'The code of the newest text to the phone of the brand.',
  }),
});

export const BrandList = Closed({ ...PageQuery, ...TenantQuery });
