/**
 * The fence around an account that moves: triggers that refuse every write to the account, except those of the move
 * itself. They exist only during a move, so they cost nothing at other times. A trigger is made when all transactions
 * that had written to the table have ended. So when the last trigger is made, no open transaction has changed the
 * account.
 */
import pg, { type Client } from 'pg';
import { sleep } from '../../../lib/time/time.ts';
import { isNotes, MOVED_TABLES, type MovedTable } from './tables.ts';

/** The account, the ids of its ledgers, and the ids of its own connections to carriers. */
export type Moved = {
  readonly accountId: string;
  readonly ledgerIds: readonly number[];
  readonly connectionIds: readonly string[];
};

/**
 * How long other accounts' writes may wait for the lock of a table. It is more than one second, because a vacuum stops
 * after one second.
 */
const LOCK_WITHIN_MS = 1_500;
const ATTEMPTS_MAX = 20;
const PAUSE_MS = 250;

type Fenced = { readonly table: string; readonly column: string; readonly value: string; readonly updates: string };

/** Lets the session write to an account inside the fence. */
export async function enterFence(client: Client): Promise<void> {
  await client.query(`set dialplane.moves = 'on'`);
}

/** SQL of the values that a table's column has in the rows of the account. A trigger takes no parameters. */
export function ownValues({ accountId, ledgerIds, connectionIds }: Moved): Record<MovedTable['column'], string> {
  return {
    ledger_id: `any('{${ledgerIds.join(',')}}'::integer[])`,
    account_id: pg.escapeLiteral(accountId),
    connection_id: `any(array[${connectionIds.map((id) => pg.escapeLiteral(id)).join(', ')}]::text[])`,
  };
}

function fencedTables(moved: Moved): Fenced[] {
  const values = ownValues(moved);
  const own: Fenced[] = [
    { table: 'accounts', column: 'id', value: values.account_id, updates: 'update' },
    { table: 'ledgers', column: 'id', value: values.ledger_id, updates: 'update' },
  ];
  const rest = tablesWithRows(moved)
    .filter((table) => !isNotes(table))
    .map(
      ({ table, column, refusedColumns }): Fenced => ({
        ...{ table, column, value: values[column] },
        updates: refusedColumns === undefined ? 'update' : `update of ${refusedColumns.join(', ')}`,
      }),
    );
  return [...own, ...rest];
}

/** The tables that can have rows of the account. */
export const tablesWithRows = ({ connectionIds }: Moved): readonly MovedTable[] =>
  MOVED_TABLES.filter(({ column }) => column !== 'connection_id' || connectionIds.length > 0);

export const triggerOf = ({ ledgerIds }: Moved) => `moving_${ledgerIds[0]}`;

type Triggers = {
  readonly name: string;
  readonly table: string;
  readonly when: 'before' | 'after';
  /** The column that names the owner of a row, and SQL of its values in the account's rows. */
  readonly column: string;
  readonly value: string;
  readonly updates?: string;
  /** SQL of a further condition. */
  readonly unless?: string;
  readonly call: string;
};

/** SQL of triggers for each write to a row that belongs to the account, before the write or after it. */
export function writeTriggers({ name, table, when, column, value, updates, unless, call }: Triggers): string {
  const isOwn = (row: 'new' | 'old') => `${row}.${column} = ${value}`;
  const writes = [
    ['insert', 'insert', isOwn('new')],
    ['update', updates ?? 'update', `(${isOwn('old')} or ${isOwn('new')})`],
    ['delete', 'delete', isOwn('old')],
  ] as const;
  return writes
    .map(
      ([suffix, write, condition]) => `create or replace trigger ${name}_${suffix} ${when} ${write} on ${table}
         for each row when (${condition}${unless === undefined ? '' : ` and ${unless}`}) execute function ${call};`,
    )
    .join('\n');
}

/**
 * Refuses writes to the account from now on. When it resolves, no earlier write can commit any more.
 * @param onTable called before each table; an error that it throws leaves the fence as it is
 */
export async function raiseFence(client: Client, moved: Moved, onTable?: () => Promise<void>): Promise<void> {
  const name = triggerOf(moved);
  const unless = `current_setting('dialplane.moves', true) is distinct from 'on'`;
  for (const fenced of fencedTables(moved)) {
    await onTable?.();
    const sql = writeTriggers({ ...fenced, name, when: 'before', unless, call: 'refuse_while_moving()' });
    await changeTriggers(client, fenced.table, sql);
  }
}

/** Removes the fence: every session may write to the account again. */
export async function dropFence(client: Client, moved: Moved): Promise<void> {
  await dropTriggers(client, triggerOf(moved));
}

/** Drops the triggers of `writeTriggers` with this name in all tables. */
export async function dropTriggers(client: Client, name: string): Promise<void> {
  const names = ['insert', 'update', 'delete'].map((write) => `${name}_${write}`);
  const { rows } = await client.query<{ table: string }>(
    `select distinct c.relname as table from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where t.tgname = any($1) and c.relnamespace = current_schema()::regnamespace order by 1`,
    [names],
  );
  for (const { table } of rows) {
    await changeTriggers(client, table, names.map((each) => `drop trigger if exists ${each} on ${table};`).join(' '));
  }
}

/**
 * Changes the triggers of a table, in one transaction with a short time limit for the table's lock. The commit does not
 * wait for the disk. If a crash of the server loses the change, it also ends the session of the move. A later commit
 * that waits for the disk makes the change durable too.
 */
export async function changeTriggers(client: Client, table: string, text: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.query(
        `begin; set local lock_timeout = ${LOCK_WITHIN_MS}; set local synchronous_commit = off; ${text} commit;`,
      );
      return;
    } catch (error) {
      await client.query('rollback');
      if (!(error instanceof pg.DatabaseError) || error.code !== '55P03') throw error;
      if (attempt === ATTEMPTS_MAX) throw new Error(`other work keeps the table ${table} locked`, { cause: error });
      await sleep(PAUSE_MS);
    }
  }
}
