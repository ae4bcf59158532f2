import { Closed, Id, Nullable, PageQuery, Text, Timestamp } from '../../../http/schemas/schemas.ts';
import { type Static, Type } from '../../../lib/type.ts';
import { USER_ID_CHARS_MAX } from '../conversations/rules.ts';
import { BODY_CHARS_MAX } from './rules.ts';

export const Note = Type.Object({
  id: Type.String(),
  object: Type.Literal('note'),
  tenant_id: Type.String(),
  conversation_id: Type.String(),
  body: Type.String(),
  author: Nullable(Type.String({ description: 'Who wrote it, as the request said; null if it did not' })),
  created_at: Timestamp,
});
export type Note = Static<typeof Note>;

export const CreateNote = Closed({
  body: Text({ maxLength: BODY_CHARS_MAX, description: 'It is never sent' }),
  author: Type.Optional(
    Text({ maxLength: USER_ID_CHARS_MAX, description: 'Your own name or id of the user; in the console the user' }),
  ),
});
export type CreateNote = Static<typeof CreateNote>;

export const NoteList = Closed(PageQuery);
export const noteListParams = Type.Object({ conversation_id: Id });
export const noteParams = Type.Object({ conversation_id: Id, note_id: Id });
