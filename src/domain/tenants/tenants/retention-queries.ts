/** Statements for sweeps of old content: the limits that tenants set, and the progress of the sweeps. */
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Retention } from './schema.ts';

/** The kinds of content that a tenant may limit. */
export type RetentionKind = keyof Retention;

/** The most rows of a round of a sweep, and the ledger if the sweep is not for all ledgers. */
export type RetentionRound = { readonly rowsMax: number; readonly ledgerId?: number };

/**
 * Returns the CTE `past`. It has a row for each tenant that limits this kind of content: the time `before` by the
 * ledger's clock, and the row that the sweep has reached (`after_at`, `after_id`). Content before that time is deleted.
 * Deleted tenants are included, because their content stays readable. `$2` is a ledger, or null for all.
 */
export function pastRetentionSql(kind: RetentionKind): string {
  return `past as materialized (
     select t.ledger_id, t.id as tenant_id, coalesce(p.row_at, '-infinity') as after_at, coalesce(p.row_id, '') as after_id,
       clock_timestamp() + l.clock_offset - make_interval(days => (t.retention ->> '${kind}')::int) as before
     from tenants t join ledgers l on l.id = t.ledger_id
     left join retention_progress p on p.ledger_id = t.ledger_id and p.tenant_id = t.id and p.kind = '${kind}'
     where t.retention is not null and t.retention ->> '${kind}' is not null
       and t.ledger_id = coalesce($2::int, t.ledger_id))`;
}

const KEEP = statement(
  'retention_progress_keep',
  `insert into retention_progress (ledger_id, tenant_id, kind, row_at, row_id) values ($1, $2, $3, $4, $5)
   on conflict (ledger_id, tenant_id, kind) do update set row_at = excluded.row_at, row_id = excluded.row_id`,
);

/** Records the last row that a sweep has passed. The time is text, so that it keeps its microseconds. */
export async function keepRetentionProgress(
  tx: Tx,
  { ledgerId, tenantId, kind }: { readonly ledgerId: number; readonly tenantId: string; readonly kind: RetentionKind },
  row: { readonly at: string; readonly id: string },
): Promise<void> {
  await tx.query(KEEP, [ledgerId, tenantId, kind, row.at, row.id]);
}
