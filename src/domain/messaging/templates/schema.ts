import { STORABLE } from '../../../http/schemas/forms.ts';
import { Closed, Id, Nullable, PageQuery, TenantQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { BODY_CHARS_MAX } from '../messages/rules.ts';
import { TEMPLATE_NAME_CHARS_MAX, VALUE_CHARS_MAX, VARIABLE_NAME_CHARS_MAX, VARIABLES_MAX } from './rules.ts';

export const MessageTemplate = Type.Object({
  id: Type.String(),
  object: Type.Literal('message_template'),
  tenant_id: Type.Union([Type.String(), Type.Null()], { description: 'null: for all tenants' }),
  name: Type.String(),
  body: Type.String(),
  variables: Type.Array(Type.String(), { maxItems: VARIABLES_MAX, description: 'The names that the body uses' }),
  created_at: Timestamp,
});
export type MessageTemplate = Static<typeof MessageTemplate>;

const Name = Text({ maxLength: TEMPLATE_NAME_CHARS_MAX });

const Body = Text({
  maxLength: BODY_CHARS_MAX,
  lengthCode: 'body_too_long',
  description: 'Text with variables in double braces, such as {{first_name}}',
});

export const CreateMessageTemplate = Closed({
  tenant_id: Type.Optional(Nullable(Id)),
  name: Name,
  body: Body,
});
export type CreateMessageTemplate = Static<typeof CreateMessageTemplate>;

export const UpdateMessageTemplate = Closed({ name: Type.Optional(Name), body: Type.Optional(Body) });
export type UpdateMessageTemplate = Static<typeof UpdateMessageTemplate>;

export const MessageTemplateList = Closed({ ...PageQuery, ...TenantQuery });

/** The values of a send's variables by their names. */
export const Variables = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: Type.String({ maxLength: VALUE_CHARS_MAX, ...STORABLE }),
  maxProperties: VARIABLES_MAX,
  propertyNames: { minLength: 1, maxLength: VARIABLE_NAME_CHARS_MAX, ...STORABLE },
});
