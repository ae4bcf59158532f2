import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { recordActions } from '../../audit/index.ts';
import { announceUpdated } from '../conversations/announce.ts';
import { lockConversation } from '../conversations/change-queries.ts';
import { getConversation } from '../conversations/get-conversation.ts';
import { deleteNoteRow, findNoteOwner, insertNote } from './queries.ts';
import type { CreateNote, Note } from './schema.ts';

/**
 * Adds a note to a conversation. Without an author a user of the console is the author. The conversation's activity and
 * state stay. Emits conversation.updated, so that open pages read the note. Errors: conversation_not_found,
 * tenant_restricted_key, too_many_notes.
 */
export async function createNote(
  tx: Tx,
  scope: Scope,
  { conversationId, wanted }: { readonly conversationId: string; readonly wanted: CreateNote },
): Promise<Note> {
  const locked = await lockConversation(tx, scope, conversationId);
  const conversation = visible(scope, locked?.conversation, 'conversation_not_found');
  const { id: conversation_id, tenant_id } = conversation;
  const { body, author = scope.user?.email ?? null } = wanted;
  const note = await insertNote(tx, scope, { id: newId('note'), tenant_id, conversation_id, body, author });
  if (note === undefined) throw new ApiError('too_many_notes');
  await announceUpdated(tx, scope, conversation, ['notes']);
  return note;
}

/**
 * Deletes a note, and emits conversation.updated. Errors in order: conversation_not_found, tenant_restricted_key,
 * note_not_found.
 */
export async function deleteNote(
  tx: Tx,
  scope: Scope,
  { conversationId, id }: { readonly conversationId: string; readonly id: string },
): Promise<void> {
  const conversation = await getConversation(tx, scope, conversationId);
  const { tenant_id, conversation_id } = visible(scope, await findNoteOwner(tx, scope, id), 'note_not_found');
  if (conversation_id !== conversationId) throw new ApiError('note_not_found');
  if (!(await deleteNoteRow(tx, scope, id))) throw new ApiError('note_not_found');
  const details = { tenant_id, conversation_id };
  await announceUpdated(tx, scope, conversation, ['notes']);
  await recordActions(tx, scope, [{ action: 'note.deleted', resourceId: id, tenantId: tenant_id, details }]);
}
