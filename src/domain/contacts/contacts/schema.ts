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
import { PUBLIC_CODES } from '../../../lib/errors/errors.ts';
import { type Static, Type } from '../../../lib/type.ts';
import {
  COMPANY_CHARS_MAX,
  EXTERNAL_REF_CHARS_MAX,
  NAME_CHARS_MAX,
  NUMBERS_CHARS_MAX,
  NUMBERS_MAX,
  UPSERTS_MAX,
} from './rules.ts';

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

const UpsertContact = Closed({
  name: Name,
  company: Type.Optional(Text({ maxLength: COMPANY_CHARS_MAX })),
  phone_numbers: fields.phone_numbers,
  email: Type.Optional(Type.String({ format: 'email', maxLength: EMAIL_CHARS_MAX })),
  external_ref: Type.Optional(Text({ maxLength: EXTERNAL_REF_CHARS_MAX })),
});
export type UpsertContact = Static<typeof UpsertContact>;

export const UpsertContacts = Closed({
  tenant_id: Id,
  contacts: Type.Array(UpsertContact, { minItems: 1, maxItems: UPSERTS_MAX }),
});
export type UpsertContacts = Static<typeof UpsertContacts>;

const UpsertResult = Type.Object({
  index: Type.Integer({ description: 'The position in `contacts`, from 0.' }),
  result: Type.Enum(['created', 'updated', 'unchanged', 'refused']),
  contact_id: Nullable(Type.String({ description: 'Null if it was refused.' })),
  changed: Type.Array(Type.String(), {
    maxItems: Object.keys(UpsertContact.properties).length,
    description: 'The fields that were changed.',
  }),
  error: Nullable(Type.Object({ code: Type.Enum(PUBLIC_CODES), message: Type.String(), param: Type.String() })),
});
export type UpsertResult = Static<typeof UpsertResult>;

/** A result for each contact, in their order. */
export const UpsertResults = Type.Object({ data: Type.Array(UpsertResult, { maxItems: UPSERTS_MAX }) });

export const ContactList = Closed({
  ...PageQuery,
  ...TenantQuery,
  q: Type.Optional(
    Text({ maxLength: NAME_CHARS_MAX, description: 'The start of each word of the name or of the company.' }),
  ),
  phone_number: FilterParty,
  phone_numbers: Type.Optional(
    Type.String({
      pattern: '^\\+[1-9][0-9]{6,14}(,\\+[1-9][0-9]{6,14}){0,49}$',
      form: 'up to 50 numbers in E.164 with commas between them',
      maxLength: NUMBERS_CHARS_MAX,
      description: 'Up to 50 numbers in E.164, separated by commas: the contacts that have one of them.',
    }),
  ),
  external_ref: Type.Optional(Text({ maxLength: EXTERNAL_REF_CHARS_MAX })),
});
