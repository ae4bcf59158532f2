import type { Tx } from '../../../db/database.ts';
import { type Action, type ChangeMaker, recordBy } from '../../audit/index.ts';
import { listLedgers } from './queries.ts';

/** Records a change that concerns an account as a whole, in the audit logs of both its modes. */
export async function recordOfAccount(
  tx: Tx,
  by: ChangeMaker,
  accountId: string,
  action: Omit<Action, 'tenantId'>,
): Promise<void> {
  const ledgers = await listLedgers(tx, accountId);
  const ledgerIds = ledgers.map(({ id }) => id);
  await recordBy(tx, by, ledgerIds, { ...action, tenantId: null });
}
