/** The statements that erase texts, conversations and consents. Each takes a few rows of one range of an index. */
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Person } from './step.ts';

const FIND_MESSAGES = statement(
  'person_messages_find',
  `select m.id from conversations c
   cross join unnest(array['inbound', 'outbound']) as d (direction)
   cross join lateral (
     select id from messages
     where ledger_id = c.ledger_id and conversation_id = c.id and direction = d.direction
       and created_at <= $4::timestamptz
     order by created_at limit $5::int) m
   where c.ledger_id = $1 and c.external_number = $2 and c.tenant_id = $3
   limit $5::int`,
);

// A worker that hands a text over, or releases a scheduled one, has its row locked and may change its status.
const LOCK_LEFT = statement(
  'person_messages_lock',
  `select id from messages where ledger_id = $1 and id = any($2::text[]) and status <> 'queued' order by id for update`,
);

export type FoundMessages = {
  readonly found: number;
  /** The texts that are not about to be handed to their carrier. */
  readonly ids: readonly string[];
};

/** Returns texts of the person, locked. */
export async function lockMessages(tx: Tx, person: Person, rows: number): Promise<FoundMessages> {
  const { ledgerId, number, tenantId, until } = person;
  const found = await tx.query<{ id: string }>(FIND_MESSAGES, [ledgerId, number, tenantId, until, rows]);
  if (found.length === 0) return { found: 0, ids: [] };
  const locked = await tx.query<{ id: string }>(LOCK_LEFT, [ledgerId, found.map(({ id }) => id)]);
  return { found: found.length, ids: locked.map(({ id }) => id) };
}

const UNSCHEDULE = statement(
  'person_messages_unschedule',
  `delete from scheduled_messages s using messages m
   where m.ledger_id = $1 and m.id = any($2::text[])
     and s.ledger_id = m.ledger_id and s.send_at = m.send_at and s.message_id = m.id`,
);

/** Removes texts from the schedule: none is sent after the erasure. */
export async function unschedule(tx: Tx, { ledgerId }: Person, ids: readonly string[]): Promise<void> {
  await tx.query(UNSCHEDULE, [ledgerId, ids]);
}

const FIND_GROUPS = statement(
  'person_group_texts_find',
  `select id, $2 = any(other_recipients) as has_person from messages
   where ledger_id = $1 and tenant_id = $3 and other_recipients <> '{}' and id > $4::text
   order by id limit $5::int`,
);

const LEAVE_GROUPS = statement(
  'person_group_texts_leave',
  `update messages set other_recipients = array_remove(other_recipients, $2) where ledger_id = $1 and id = any($3::text[])`,
);

/**
 * Removes the person from the recipients of group texts of others.
 * @returns the ids of the changed texts, and the last text that was looked at; undefined if there was none
 */
export async function leaveGroups(
  tx: Tx,
  { ledgerId, number, tenantId }: Person,
  { after, rows }: { readonly after: string; readonly rows: number },
): Promise<{ readonly ids: readonly string[]; readonly last: string | undefined }> {
  const found = await tx.query<{ id: string; has_person: boolean }>(FIND_GROUPS, [
    ...[ledgerId, number, tenantId, after],
    rows,
  ]);
  const ids = found.flatMap(({ id, has_person }) => (has_person ? [id] : []));
  if (ids.length > 0) await tx.query(LEAVE_GROUPS, [ledgerId, number, ids]);
  return { ids, last: found.at(-1)?.id };
}

// Conversations with activity since the request stay, with their content since the request.
const DELETE_CONVERSATIONS = statement(
  'person_conversations_delete',
  `delete from conversations c where c.ledger_id = $1 and c.external_number = $2 and c.tenant_id = $3
     and not exists (select 1 from messages m where m.ledger_id = c.ledger_id and m.conversation_id = c.id)
     and not exists (select 1 from conversation_notes n where n.ledger_id = c.ledger_id and n.conversation_id = c.id)
     and not exists (select 1 from calls k where k.ledger_id = c.ledger_id and k.conversation_id = c.id)
     and not exists (select 1 from voicemails v where v.ledger_id = c.ledger_id and v.conversation_id = c.id)
   returning 1 as gone`,
);

/** Deletes the conversations of the person. @returns how many */
export async function deleteConversations(tx: Tx, { ledgerId, number, tenantId }: Person): Promise<number> {
  return (await tx.query(DELETE_CONVERSATIONS, [ledgerId, number, tenantId])).length;
}

const FIND_CONVERSATIONS = statement(
  'person_conversations_find',
  'select id from conversations where ledger_id = $1 and external_number = $2 and tenant_id = $3',
);

/** Returns the ids of the person's conversations. */
export async function findConversations(tx: Tx, { ledgerId, number, tenantId }: Person): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(FIND_CONVERSATIONS, [ledgerId, number, tenantId]);
  return rows.map(({ id }) => id);
}

const FORGET_TAGS = statement(
  'person_conversations_forget_tags',
  `with own as materialized (
     select id from conversations where ledger_id = $1 and external_number = $2 and tenant_id = $3
     order by phone_number_id for no key update
   ), untagged as (
     update conversations c set tags = '{}' from own where c.ledger_id = $1 and c.id = own.id and c.tags <> '{}'
   )
   select id from own`,
);

/** Removes the tags of the person's conversations. @returns the ids of the conversations */
export async function forgetTags(tx: Tx, { ledgerId, number, tenantId }: Person): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(FORGET_TAGS, [ledgerId, number, tenantId]);
  return rows.map(({ id }) => id);
}

const FIND_SUBMISSIONS = statement(
  'person_submissions_find',
  `select s.id, s.last_submitted_at < ledger_now($1) - make_interval(days => $4::int) as is_old
   from opt_in_forms f cross join lateral (
     select id, last_submitted_at from opt_in_submissions
     where ledger_id = f.ledger_id and form_id = f.id and phone_number = $2) s
   where f.ledger_id = $1 and f.tenant_id = $3`,
);

export type FoundSubmission = { readonly id: string; readonly is_old: boolean };

export function findSubmissions(tx: Tx, { ledgerId, number, tenantId }: Person, evidenceDays: number) {
  return tx.query<FoundSubmission>(FIND_SUBMISSIONS, [ledgerId, number, tenantId, evidenceDays]);
}

const DELETE_SUBMISSIONS = statement(
  'opt_in_submissions_delete',
  'delete from opt_in_submissions where ledger_id = $1 and id = any($2::text[])',
);

export async function deleteSubmissions(tx: Tx, ledgerId: number, ids: readonly string[]): Promise<void> {
  await tx.query(DELETE_SUBMISSIONS, [ledgerId, ids]);
}
