import type { RoutePlugin } from '../../../http/edge/types.ts';
import { momentPage, readMomentCursor } from '../../../http/schemas/pagination.ts';
import { PageOf } from '../../../http/schemas/schemas.ts';
import { write } from '../../../http/writes/write.ts';
import { Type } from '../../../lib/type.ts';
import { getConversation } from '../conversations/get-conversation.ts';
import type { TimelineSource } from '../conversations/timeline.ts';
import { createNote, deleteNote } from './change-notes.ts';
import { listNotesOfConversation } from './queries.ts';
import { CreateNote, Note, NoteList, noteListParams, noteParams } from './schema.ts';

const tags = ['Conversations'];

const list = {
  tags,
  summary: 'List the notes of a conversation, newest first',
  params: noteListParams,
  querystring: NoteList,
  response: { 200: PageOf(Note) },
};
const create = {
  tags,
  summary: 'Write a note at a conversation',
  params: noteListParams,
  body: CreateNote,
  response: { 201: Note },
};
const remove = { tags, summary: 'Delete a note', params: noteParams, response: { 204: Type.Null() } };

export const noteRoutes: RoutePlugin = (api, context) => {
  api.get('/conversations/:conversation_id/notes', { schema: list }, async ({ scope, params, query }) => {
    const { limit = 25, after } = query;
    const { id: conversationId } = await getConversation(context.db, scope, params.conversation_id);
    const name = `notes:${conversationId}`;
    const before = readMomentCursor(name, 2, after);
    const rows = await listNotesOfConversation(context.db, scope, { conversationId, before, rows: limit + 1 });
    return momentPage(name, rows, limit);
  });

  api.post('/conversations/:conversation_id/notes', { schema: create }, (request, reply) => {
    const note = { conversationId: request.params.conversation_id, wanted: request.body };
    return write(context, { request, reply, status: 201 }, (tx) => createNote(tx, request.scope, note));
  });

  api.delete('/conversations/:conversation_id/notes/:note_id', { schema: remove }, (request, reply) => {
    const note = { conversationId: request.params.conversation_id, id: request.params.note_id };
    return write(context, { request, reply, status: 204 }, (tx) => deleteNote(tx, request.scope, note));
  });
};

/** The notes of a conversation. */
export const noteTimeline: TimelineSource = {
  kind: 'note',
  schema: Note,
  list: ({ db }, ledger, page) => listNotesOfConversation(db, ledger, page),
};
