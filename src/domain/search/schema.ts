import { Closed, Limit, Nullable, TenantQuery, Text } from '../../http/schemas/schemas.ts';
import { type Static, Type } from '../../lib/type.ts';

const Q_CHARS_MAX = 200;

/** A found resource. The caller opens it by its id. */
export const SearchResult = Type.Object({
  object: Type.Enum(['tenant', 'contact', 'phone_number', 'conversation'] as const),
  id: Type.String(),
  title: Type.String({ description: 'A name or a number.' }),
  detail: Type.String({ description: 'A second line that tells apart results with the same title, for people.' }),
  tenant_id: Type.String(),
  last_activity_kind: Nullable(
    Type.Enum(['message', 'call', 'missed_call', 'voicemail'] as const, {
      description: 'If the detail is the preview of a conversation: its last activity.',
    }),
  ),
});
export type SearchResult = Static<typeof SearchResult>;

export const SearchQuery = Closed({
  ...TenantQuery,
  q: Text({
    maxLength: Q_CHARS_MAX,
    description: 'An id, a reference, the start of each word of a name, or a number in any usual writing.',
  }),
  limit: Type.Optional(Limit),
});
