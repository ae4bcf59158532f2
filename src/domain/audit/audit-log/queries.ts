import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { AUDIT_LOG_KEPT } from './rules.ts';
import type { AuditEntry } from './schema.ts';

export type NewEntry = {
  readonly ledgerId: number;
  readonly id: string;
  readonly action: string;
  readonly resourceId: string;
  readonly details: object;
};

const ENTRIES = inputOf<NewEntry>('audit_entries', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  id: ['text', ({ id }) => id],
  action: ['text', ({ action }) => action],
  resource_id: ['text', ({ resourceId }) => resourceId],
  details: ['json', ({ details }) => details],
});

type InsertValues = {
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly audit_entries: readonly NewEntry[];
};

const INSERT = statement<InsertValues>(
  'audit_log_insert',
  `insert into audit_log (ledger_id, id, actor_type, actor_id, actor_email, action, resource_id, details)
   select a.ledger_id, a.id, :actor_type, :actor_id, :actor_email, a.action, a.resource_id, a.details
   from ${ENTRIES.rows('a')}`,
);

export type Actor = Pick<AuditEntry['actor'], 'type' | 'id'> & { readonly email?: string | null };

/** Inserts entries of one actor, in the transaction of the changes. */
export async function insertEntries(
  tx: Tx,
  { type, id, email = null }: Actor,
  entries: readonly NewEntry[],
): Promise<void> {
  await tx.query(INSERT, { actor_type: type, actor_id: id, actor_email: email, audit_entries: entries });
}

// Every id is below 'b', so without a position the range is the whole ledger.
const LIST = statement(
  'audit_log_list',
  `select id, 'audit_log_entry' as object, at, json_strip_nulls(json_build_object('type', actor_type, 'id', actor_id, 'email', actor_email)) as actor, action,
     resource_id, details
   from audit_log where ledger_id = $1 and id < coalesce($2::text, 'b') order by id desc limit $3`,
);

/** Returns entries, newest first. */
export function listEntries(
  db: Db,
  { ledgerId }: Ledger,
  { before, rows }: { before: string | null; rows: number },
): Promise<AuditEntry[]> {
  return db.query(LIST, [ledgerId, before, rows]);
}

const SWEEP = statement(
  'audit_log_sweep',
  `delete from audit_log where ctid = any(array(
     select ctid from audit_log where at < now() - interval '${AUDIT_LOG_KEPT}' order by at limit $1::integer
     for update skip locked))
   returning 1 as gone`,
);

/** Deletes entries past their retention, at most `entriesMax`, the oldest first. @returns how many */
export async function sweepEntries(db: Db, entriesMax: number): Promise<number> {
  return (await db.query(SWEEP, [entriesMax])).length;
}
