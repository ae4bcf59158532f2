import {
  Closed,
  FilterFlag,
  FilterId,
  FilterParty,
  Id,
  Nullable,
  NullableTimestamp,
  PageQuery,
  TenantQuery,
  Text,
  Timestamp,
} from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { ACTIVITY_KINDS, NOBODY, STATES, TAG_CHARS_MAX, TAGS_MAX, USER_ID_CHARS_MAX } from './rules.ts';

export const Conversation = Type.Object({
  id: Type.String(),
  object: Type.Literal('conversation'),
  tenant_id: Type.String(),
  phone_number_id: Type.String(),
  external_number: Type.String(),
  last_activity_at: Timestamp,
  last_message_preview: Type.String(),
  last_activity_kind: Type.Enum(ACTIVITY_KINDS, {
    description: 'The last activity, which the preview is of. Only a preview of a `message` has words of people',
  }),
  opted_out: Type.Boolean(),
  state: Type.Enum(STATES, { description: 'An inbound text, a missed call or a voicemail opens it' }),
  assignee: Nullable(Type.String({ description: 'Your own id of the user to whom the conversation is assigned' })),
  snoozed_until: Type.Unsafe<Date | null>({
    ...NullableTimestamp,
    description: 'When it is unsnoozed, if the person does not write or call before',
  }),
  tags: Type.Array(Type.String(), { maxItems: TAGS_MAX }),
  contact_id: Nullable(Type.String({ description: 'The contact that was chosen, or that of the external number' })),
  unread_count: Type.Optional(
    Type.Integer({
      description: 'With `reader`: inbound texts, missed calls and voicemails that the reader has not read',
    }),
  ),
});
export type Conversation = Static<typeof Conversation>;

export const CONVERSATION_FIELDS = ['state', 'assignee', 'snoozed_until', 'tags', 'contact_id'] as const;
export type ConversationField = (typeof CONVERSATION_FIELDS)[number];

/**
 * The changes that `conversation.updated` names. `notes` is not a field: it means that a note was written or deleted.
 */
const CHANGES = [...CONVERSATION_FIELDS, 'notes'] as const;
export type ConversationChange = (typeof CHANGES)[number];

/** The fields in `conversation.updated`. */
export const ChangedConversation = Type.Object({
  ...Conversation.properties,
  changed: Type.Array(Type.Enum(CHANGES), {
    maxItems: CHANGES.length,
    description: 'The fields that were changed; `notes`: a note was written or deleted',
  }),
});
export type ChangedConversation = Static<typeof ChangedConversation>;

export const UpdateConversation = Closed({
  state: Type.Optional(Type.Enum(STATES)),
  assignee: Type.Optional(Nullable(Text({ maxLength: USER_ID_CHARS_MAX, description: 'Your own id of the user' }))),
  snoozed_until: Type.Optional(
    Nullable(Type.String({ maxLength: 40, description: 'RFC 3339, in the future, at most 366 days ahead' })),
  ),
  tags: Type.Optional(Type.Array(Text({ maxLength: TAG_CHARS_MAX }), { maxItems: TAGS_MAX, uniqueItems: true })),
  contact_id: Type.Optional(
    Nullable(Type.String({ ...Id, description: 'null: the contact of the external number again' })),
  ),
});
export type UpdateConversation = Static<typeof UpdateConversation>;

const Reader = Type.Optional(
  Text({ maxLength: USER_ID_CHARS_MAX, description: 'Your own id of the user whose read state this is' }),
);
export const ReaderQuery = Closed({ reader: Reader });
/** Optional, because a browser session may have a reader. */
export const ReadConversation = Closed({ reader: Reader });

export const ConversationList = Closed({
  ...PageQuery,
  ...TenantQuery,
  phone_number_id: FilterId('phone_number_not_found'),
  external_number: FilterParty,
  opted_out: FilterFlag("Whether the person has opted out of the tenant's texts"),
  state: Type.Optional(Type.Enum(STATES, { description: 'The state' })),
  assignee: Type.Optional(
    Text({ maxLength: USER_ID_CHARS_MAX, description: `Your own id of the user, or \`${NOBODY}\`: nobody has it` }),
  ),
  tag: Type.Optional(Text({ maxLength: TAG_CHARS_MAX, description: 'One of its tags' })),
  contact_id: FilterId('contact_not_found'),
  reader: Reader,
  unread: FilterFlag('With `reader`: whether the reader has something to read'),
});
export type ConversationList = Static<typeof ConversationList>;

export const TimelineQuery = Closed(PageQuery);
