import type { Db, Tx } from '../../../db/database.ts';
import { byMoment, listReader, type Positioned } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Position } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { pastRetentionSql, type RetentionRound } from '../../tenants/index.ts';
import { NOTES_MAX } from './rules.ts';
import type { Note } from './schema.ts';

type InLedger = Pick<Ledger, 'ledgerId'>;

const COLUMNS = `n.id, 'note' as object, n.tenant_id, n.conversation_id, n.body, n.author, n.created_at`;

const INSERT = statement(
  'conversation_notes_insert',
  `insert into conversation_notes as n (ledger_id, id, tenant_id, conversation_id, body, author, created_at)
   select $1, $2, $3, $4, $5, $6, ledger_now($1)
   where (select count(*) from conversation_notes where ledger_id = $1 and conversation_id = $4) < ${NOTES_MAX}
   returning ${COLUMNS}`,
);

export type NewNote = Pick<Note, 'id' | 'tenant_id' | 'conversation_id' | 'body' | 'author'>;

/**
 * Adds a note to a conversation. The caller has locked the conversation. Returns undefined if the conversation has the
 * maximum of notes.
 */
export async function insertNote(tx: Tx, { ledgerId }: InLedger, note: NewNote): Promise<Note | undefined> {
  const { id, tenant_id, conversation_id, body, author } = note;
  const [row] = await tx.query<Note>(INSERT, [ledgerId, id, tenant_id, conversation_id, body, author]);
  return row;
}

const FIND_OWNER = statement(
  'conversation_notes_find_owner',
  'select tenant_id, conversation_id from conversation_notes where ledger_id = $1 and id = $2',
);

/** The owner of a note. */
export type NoteOwner = Pick<Note, 'tenant_id' | 'conversation_id'>;

export async function findNoteOwner(db: Db, { ledgerId }: InLedger, id: string): Promise<NoteOwner | undefined> {
  const [row] = await db.query<NoteOwner>(FIND_OWNER, [ledgerId, id]);
  return row;
}

const DELETE = statement(
  'conversation_notes_delete',
  'delete from conversation_notes where ledger_id = $1 and id = $2 returning 1 as gone',
);

/** Deletes a note. Returns false if it is deleted already. */
export async function deleteNoteRow(tx: Tx, { ledgerId }: InLedger, id: string): Promise<boolean> {
  return (await tx.query(DELETE, [ledgerId, id])).length > 0;
}

/** A note with its position in a list. */
export type ListedNote = Positioned<Note>;

const readConversation = listReader<ListedNote>(
  { name: 'notes_list', from: ['conversation_notes', 'n'], columns: COLUMNS, order: byMoment('n.created_at') },
  { name: 'conversation', keys: [{ sql: 'n.conversation_id' }] },
);

/** Returns notes of a conversation, newest first. */
export function listNotesOfConversation(
  db: Db,
  { ledgerId }: InLedger,
  { conversationId, ...page }: { readonly conversationId: string; readonly before: Position; readonly rows: number },
): Promise<ListedNote[]> {
  return readConversation(db, ledgerId, { ...page, arms: [[conversationId]] });
}

const SWEEP = statement(
  'conversation_notes_sweep',
  `with ${pastRetentionSql('message_days')}, old as materialized (
     select past.ledger_id, n.id from past cross join lateral (
       select id from conversation_notes
       where ledger_id = past.ledger_id and tenant_id = past.tenant_id and created_at < past.before
       order by created_at limit $1::int) n
     limit $1::int)
   delete from conversation_notes n using old where n.ledger_id = old.ledger_id and n.id = old.id
   returning 1 as gone`,
);

/** Deletes notes past the retention of their tenants. Returns how many. */
export async function sweepNotes(db: Db, { rowsMax, ledgerId }: RetentionRound): Promise<number> {
  return (await db.query(SWEEP, [rowsMax, ledgerId ?? null])).length;
}

const DELETE_OF_PERSON = statement(
  'conversation_notes_delete_of_person',
  `with own as materialized (
     select n.id from conversations c cross join lateral (
       select id from conversation_notes
       where ledger_id = c.ledger_id and conversation_id = c.id and created_at <= $4::timestamptz
       order by created_at limit $5::int) n
     where c.ledger_id = $1 and c.external_number = $2 and c.tenant_id = $3
     limit $5::int)
   delete from conversation_notes n using own where n.ledger_id = $1 and n.id = own.id
   returning 1 as gone`,
);

type OfPerson = InLedger & { readonly tenantId: string; readonly number: string; readonly until: string };

/** Deletes notes at the conversations of a person that were written until a moment. Returns how many. */
export async function deleteNotesOf(tx: Tx, { ledgerId, number, tenantId, until }: OfPerson, rows: number) {
  return (await tx.query(DELETE_OF_PERSON, [ledgerId, number, tenantId, until, rows])).length;
}
