import type { Database, Tx } from '../../db/database.ts';
import { listLedgers, listLiveLedgers } from '../../domain/accounts/index.ts';
import { type AuditAction, recordBy } from '../../domain/audit/index.ts';
import type { Session } from '../../http/edge/authenticate.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { defineDeletion, type Sweep } from '../../queue/worker/sweep.ts';
import { deleteSettled, findNotice, insertSettled, type NoticeRow, sweepSettled } from './queries.ts';
import type { NoticeKey } from './rules.ts';

/** Settles a notice for all operators. If it is settled already, its name and time do not change. */
export async function settleNotice(tx: Tx, session: Session, key: NoticeKey): Promise<NoticeRow> {
  const notice = await findNotice(tx, key);
  if (notice === undefined) throw notOpen();
  const settlement = await insertSettled(tx, key, session.user?.email ?? 'operator');
  if (settlement === undefined) return (await findNotice(tx, key)) ?? notice;
  await record(tx, session, { notice, action: 'notice.settled' });
  return { ...notice, ...settlement };
}

/** Opens a settled notice again. Changes nothing if it is not settled, or if its cause no longer exists. */
export async function reopenNotice(tx: Tx, session: Session, key: NoticeKey): Promise<void> {
  const notice = await findNotice(tx, key);
  if (notice === undefined) return;
  if (await deleteSettled(tx, key)) await record(tx, session, { notice, action: 'notice.reopened' });
}

/**
 * Returns the sweep that deletes settlements after 30 days. If the cause of a notice still exists then, the notice is
 * unsettled again.
 */
export function noticeSweep({ db }: { readonly db: Database }): Sweep {
  return defineDeletion({ db, name: 'settled_notices', remove: (rowsMax) => sweepSettled(db, rowsMax) });
}

type Change = { readonly notice: NoticeRow; readonly action: Extract<AuditAction, `notice.${string}`> };

/**
 * Records a change of a notice in the live log of its account. For a connection, records it in the log of each account
 * that may use it.
 */
async function record(tx: Tx, session: Session, { notice, action }: Change): Promise<void> {
  const { kind, subject_id: resourceId } = notice;
  await recordBy(tx, { session }, await ledgersOf(tx, notice), {
    ...{ action, resourceId, tenantId: null, details: { kind } },
  });
}

async function ledgersOf(tx: Tx, { ledger_id, account_id }: NoticeRow): Promise<number[]> {
  if (ledger_id !== null) return [ledger_id];
  if (account_id === null) return listLiveLedgers(tx);
  const ledgers = await listLedgers(tx, account_id);
  return ledgers.filter(({ mode }) => mode === 'live').map(({ id }) => id);
}

const notOpen = () =>
  new ApiError('invalid_body', {
    ...{ param: 'subject_id', message: 'No open notice of this kind has this "subject_id" and "state".' },
  });
