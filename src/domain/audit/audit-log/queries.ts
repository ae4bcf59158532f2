import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { AUDIT_LOG_KEPT } from './rules.ts';
import type { AuditEntry } from './schema.ts';

export type NewEntry = {
  readonly ledgerId: number;
  readonly id: string;
  readonly action: string;
  readonly resourceId: string;
  readonly tenantId: string | null;
  readonly details: object;
};

/** The entry itself has the tenant. Details may name another tenant. */
function withoutTenant({ details, tenantId }: NewEntry): object {
  const { tenant_id, ...others } = details as { readonly tenant_id?: unknown };
  return tenant_id === tenantId ? others : details;
}

const ENTRIES = inputOf<NewEntry>('audit_entries', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  id: ['text', ({ id }) => id],
  action: ['text', ({ action }) => action],
  resource_id: ['text', ({ resourceId }) => resourceId],
  tenant_id: ['text', ({ tenantId }) => tenantId],
  details: ['json', withoutTenant],
});

type InsertValues = {
  readonly actor_type: string;
  readonly actor_id: string | null;
  readonly actor_email: string | null;
  readonly audit_entries: readonly NewEntry[];
};

const INSERT = statement<InsertValues>(
  'audit_log_insert',
  `insert into audit_log (ledger_id, id, actor_type, actor_id, actor_email, action, resource_id, tenant_id, details)
   select a.ledger_id, a.id, :actor_type, :actor_id, :actor_email, a.action, a.resource_id,
     a.tenant_id, a.details
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

const readList = tenantReader<AuditEntry>({
  name: 'audit_log_list',
  from: ['audit_log', 'a'],
  columns: `a.id, 'audit_log_entry' as object, a.at,
    json_strip_nulls(json_build_object('type', a.actor_type, 'id', a.actor_id, 'email', a.actor_email)) as actor,
    a.action, a.resource_id, a.tenant_id, a.details`,
});

type Page = { readonly tenantId: string | null; readonly before: string | null; readonly rows: number };

/** Returns entries of the ledger or of one tenant, newest first. */
export function listEntries(db: Db, { ledgerId }: Ledger, page: Page): Promise<AuditEntry[]> {
  return readList(db, ledgerId, page);
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
