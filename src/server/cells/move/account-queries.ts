/** The place of an account: the rows of its move, the states of its ledgers, and its connections to carriers. */
import type { Client } from 'pg';
import { addNoticeLanes } from '../../../carriers/inbox/move-queries.ts';
import { RUNNING_STATES, STATE_KEY } from '../../../domain/voice/index.ts';
import { putBackWork } from '../../../queue/worker/work-of-moves.ts';
import { listConnectionIds, reopenConnections } from './connection-queries.ts';
import type { Moved } from './fence-queries.ts';
import { inTransaction } from './in-transaction.ts';
import { keepDefaults } from './shared-connection-queries.ts';

/**
 * Locks the account for this session. Returns false if another command moves the account. The lock ends with the
 * session.
 */
export async function lockMove(client: Client, accountId: string): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>(
    'select pg_try_advisory_lock(7244003, hashtext($1)) as locked',
    [accountId],
  );
  return rows[0]?.locked === true;
}

/** Returns the account with the ids of its ledgers and connections. */
export async function readMoved(source: Client, accountId: string): Promise<Moved> {
  const { rows } = await source.query<{ id: number }>('select id from ledgers where account_id = $1 order by id', [
    accountId,
  ]);
  const connectionIds = await listConnectionIds(source, accountId);
  return { accountId, ledgerIds: rows.map(({ id }) => id), connectionIds };
}

/** True if the account has moved from this database. */
export async function hasSwitched(source: Client, { accountId }: Moved): Promise<boolean> {
  const { rows } = await source.query(`select from ledgers where account_id = $1 and state = 'moved'`, [accountId]);
  return rows.length > 0;
}

/** True if a move has begun and the account is not in the other database yet. */
export async function isBegun(source: Client, { accountId }: Moved): Promise<boolean> {
  const { rows } = await source.query('select from account_moves where account_id = $1 and switched_at is null', [
    accountId,
  ]);
  return rows.length > 0;
}

/** Records that a move to the cell of this name has begun. */
export async function beginMove(source: Client, { accountId }: Moved, to: string): Promise<void> {
  await source.query('insert into account_moves (account_id, moves_to) values ($1, $2)', [accountId, to]);
}

/** Refuses writes of the account from now on. Reads are still allowed. */
export async function pauseAccount(source: Client, { accountId }: Moved): Promise<void> {
  await source.query(`update ledgers set state = 'moving' where account_id = $1 and state = 'active'`, [accountId]);
}

/** Records that the account is in the other database from now on. */
export async function switchAccount(source: Client, { accountId }: Moved, to: string): Promise<void> {
  await inTransaction(source, async () => {
    await source.query(`update ledgers set state = 'moved', moved_to = $2 where account_id = $1 and state = 'moving'`, [
      accountId,
      to,
    ]);
    await source.query('update account_moves set switched_at = now() where account_id = $1', [accountId]);
  });
}

/** Lets the new database use the account, and makes its work due. Does nothing if the account is open there already. */
export async function openAccount(source: Client, target: Client, moved: Moved): Promise<void> {
  const { accountId, ledgerIds } = moved;
  await inTransaction(target, async () => {
    const { rowCount } = await target.query(
      `update ledgers set state = 'active' where id = any($1::integer[]) and state = 'arriving'`,
      [ledgerIds],
    );
    if (rowCount === 0) return;
    await putBackWork(target, ledgerIds);
    await addNoticeLanes(target, accountId);
    await reopenConnections(target, accountId);
    await keepDefaults(source, target, moved);
  });
}

/** Ends the pause of an account that stays. Its move is not ended yet. */
export async function resumeAccount(source: Client, moved: Moved): Promise<void> {
  const { accountId, ledgerIds } = moved;
  await inTransaction(source, async () => {
    await putBackWork(source, ledgerIds);
    await reopenConnections(source, accountId);
    await source.query(`update ledgers set state = 'active' where account_id = $1 and state = 'moving'`, [accountId]);
  });
}

/** Ends the move of an account that stays. */
export async function forgetMove(source: Client, { accountId }: Moved): Promise<void> {
  await source.query('delete from account_moves where account_id = $1', [accountId]);
}

/** Ends the move of an account that has left, and its console sessions. */
export async function endMove(source: Client, { accountId }: Moved): Promise<void> {
  for (const table of ['console_links', 'console_sessions', 'account_moves']) {
    await source.query(`delete from ${table} where account_id = $1`, [accountId]);
  }
}

/** Returns the number of calls that have not ended. */
export async function countCalls(source: Client, { ledgerIds }: Moved): Promise<number> {
  const { rows } = await source.query<{ calls: number }>(
    `select count(*)::integer as calls from calls where ledger_id = any($1::integer[]) and ${STATE_KEY} = any($2)`,
    [ledgerIds, RUNNING_STATES],
  );
  return rows[0]?.calls ?? 0;
}
