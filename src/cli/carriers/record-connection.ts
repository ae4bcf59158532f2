import type { ConnectionRow } from '../../carriers/connections/queries.ts';
import type { Tx } from '../../db/database.ts';
import { listLedgers, listLiveLedgers } from '../../domain/accounts/index.ts';
import { type AuditAction, recordBy } from '../../domain/audit/index.ts';

/**
 * An operator's change of a connection. `accountId` is the only account that the change concerns; null for all
 * accounts.
 */
export type ConnectionChange = {
  readonly command: string;
  readonly action: Extract<AuditAction, `carrier_connection.${string}`>;
  readonly accountId: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
};

/**
 * Records a change of a connection in the live log of each account that may use the connection. Runs in the transaction
 * of the change.
 */
export async function recordConnection(
  tx: Tx,
  { id, kind, name }: ConnectionRow,
  { command, action, accountId, details }: ConnectionChange,
): Promise<void> {
  const ledgerIds = accountId === null ? await listLiveLedgers(tx) : await liveLedgersOf(tx, accountId);
  await recordBy(tx, { command }, ledgerIds, {
    action,
    resourceId: id,
    tenantId: null,
    details: { kind, name, ...details },
  });
}

async function liveLedgersOf(tx: Tx, accountId: string): Promise<number[]> {
  const ledgers = await listLedgers(tx, accountId);
  return ledgers.filter(({ mode }) => mode === 'live').map(({ id }) => id);
}
