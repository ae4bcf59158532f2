import { E164, EMAIL_CHARS_MAX } from '../../../http/schemas/forms.ts';
import {
  Closed,
  FilterParty,
  Id,
  Metadata,
  Nullable,
  PageQuery,
  TenantQuery,
  Text,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { COMPANY_CHARS_MAX, EXTERNAL_REF_CHARS_MAX, NAME_CHARS_MAX, NUMBERS_MAX } from './rules.ts';

export const Contact = Type.Object({
  id: Type.String(),
  object: Type.Literal('contact'),
  tenant_id: Type.String(),
  name: Type.String(),
  company: Nullable(Type.String()),
  phone_numbers: Type.Array(Type.String(), { maxItems: NUMBERS_MAX, description: 'In E.164.' }),
  email: Nullable(Type.String()),
  external_ref: Nullable(Type.String({ description: 'Your own id of the person, unique in the tenant.' })),
  metadata: Metadata,
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Contact = Static<typeof Contact>;

const Name = Text({ maxLength: NAME_CHARS_MAX });
const fields = {
  company: Type.Optional(Nullable(Text({ maxLength: COMPANY_CHARS_MAX }))),
  phone_numbers: Type.Optional(
    Type.Array(Type.String({ ...E164 }), {
      maxItems: NUMBERS_MAX,
      uniqueItems: true,
      description: 'Each is one contact’s in the tenant.',
    }),
  ),
  email: Type.Optional(Nullable(Type.String({ format: 'email', maxLength: EMAIL_CHARS_MAX }))),
  external_ref: Type.Optional(Nullable(Text({ maxLength: EXTERNAL_REF_CHARS_MAX }))),
  metadata: Type.Optional(Metadata),
};

export const CreateContact = Closed({ tenant_id: Id, name: Name, ...fields });
export type CreateContact = Static<typeof CreateContact>;

export const UpdateContact = Closed({ name: Type.Optional(Name), ...fields });
export type UpdateContact = Static<typeof UpdateContact>;

export const ContactList = Closed({
  ...PageQuery,
  ...TenantQuery,
  q: Type.Optional(
    Text({ maxLength: NAME_CHARS_MAX, description: 'The start of each word of the name or of the company.' }),
  ),
  phone_number: FilterParty,
  external_ref: Type.Optional(Text({ maxLength: EXTERNAL_REF_CHARS_MAX })),
});
