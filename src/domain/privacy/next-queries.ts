import type { Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** Returns the ids of a tenant's oldest requests that are pending. The tenant is locked until the transaction ends. */
export type NextPending = (
  tx: Tx,
  ledger: { readonly ledgerId: number },
  next: { readonly tenantId: string; readonly rows: number },
) => Promise<string[]>;

const LOCK_TENANT = statement(
  'person_requests_lock_tenant',
  'select 1 from tenants where ledger_id = $1 and id = $2 for no key update',
);

/** Returns the function that finds the next requests of a table about persons: exports or erasures. */
export function nextPendingOf(table: 'person_exports' | 'person_erasures'): NextPending {
  const next = statement(
    `${table}_next`,
    `select id from ${table} where ledger_id = $1 and (tenant_id || '/' || status) = $2::text || '/pending'
     order by id limit $3::int`,
  );
  return async (tx, { ledgerId }, { tenantId, rows }) => {
    await tx.query(LOCK_TENANT, [ledgerId, tenantId]);
    return (await tx.query<{ id: string }>(next, [ledgerId, tenantId, rows])).map(({ id }) => id);
  };
}
