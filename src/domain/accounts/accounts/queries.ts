import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { LedgerPlace } from '../../../http/edge/moved.ts';
import type { Mode } from '../../../lib/scope.ts';
import type { AccountStatus } from './rules.ts';

export type Account = { id: string; name: string; status: AccountStatus; created_at: Date };
export type LedgerRow = { id: number; account_id: string; mode: Mode };

const COLUMNS = 'id, name, status, created_at';

const INSERT = statement('accounts_insert', `insert into accounts (id, name) values ($1, $2) returning ${COLUMNS}`);
const INSERT_LEDGERS = statement(
  'ledgers_insert',
  `insert into ledgers (account_id, mode) values ($1, 'test'), ($1, 'live') returning id, account_id, mode`,
);

export async function insertAccount(tx: Tx, id: string, name: string): Promise<Account> {
  const [row] = await tx.query<Account>(INSERT, [id, name]);
  return row as Account;
}

export function insertLedgers(tx: Tx, accountId: string): Promise<LedgerRow[]> {
  return tx.query(INSERT_LEDGERS, [accountId]);
}

/**
 * SQL condition: the account is in this database. An account that has moved to another database leaves its row here.
 */
const IS_HERE = `not exists (select from ledgers l where l.account_id = accounts.id and l.state in ('moved', 'arriving'))`;

const LIST = statement('accounts_list', `select ${COLUMNS} from accounts where ${IS_HERE} order by id`);

export function listAccounts(db: Db): Promise<Account[]> {
  return db.query(LIST, []);
}

// Every id is below 'b', so without a position the range is the whole table.
const LIST_PAGE = statement(
  'accounts_list_page',
  `select ${COLUMNS} from accounts where id < coalesce($1::text, 'b') and ${IS_HERE} order by id desc limit $2`,
);

type Page = { readonly before: string | null; readonly rows: number };

/** Lists accounts, newest first: all of them, or the one whose id is given. */
export async function listAccountPage(db: Db, onlyId: string | null, { before, rows }: Page): Promise<Account[]> {
  if (onlyId === null) return await db.query(LIST_PAGE, [before, rows]);
  const account = await findAccount(db, onlyId);
  return account === undefined || (before !== null && account.id >= before) ? [] : [account];
}

const FIRST = statement('accounts_first', `select id from accounts where ${IS_HERE} order by id limit 1`);

/** Returns the id of the oldest account; undefined if there is none. */
export async function findFirstAccount(db: Db): Promise<string | undefined> {
  const [account] = await db.query<{ id: string }>(FIRST, []);
  return account?.id;
}

const FIND = statement('accounts_find', `select ${COLUMNS} from accounts where id = $1`);

export async function findAccount(db: Db, id: string): Promise<Account | undefined> {
  const [row] = await db.query<Account>(FIND, [id]);
  return row;
}

const HERE = statement('accounts_here', `select id from accounts where id = $1 and ${IS_HERE}`);

/** Returns true if this database has the account, and the account has not moved to another. */
export async function isAccountHere(db: Db, id: string): Promise<boolean> {
  return (await db.query(HERE, [id])).length > 0;
}

const SET_STATUS = statement(
  'accounts_set_status',
  `update accounts set status = $2 where id = $1 returning ${COLUMNS}`,
);

export async function updateAccountStatus(db: Db, id: string, status: AccountStatus): Promise<Account | undefined> {
  const [row] = await db.query<Account>(SET_STATUS, [id, status]);
  return row;
}

const LIMIT = statement('accounts_limit', `update accounts set rate_limit = $2 where id = $1 returning ${COLUMNS}`);

export async function updateAccountRate(db: Db, id: string, rate: number): Promise<Account | undefined> {
  const [row] = await db.query<Account>(LIMIT, [id, rate]);
  return row;
}

const LEDGERS_OF = statement('ledgers_of_account', 'select id, account_id, mode from ledgers where account_id = $1');

export function listLedgers(db: Db, accountId: string): Promise<LedgerRow[]> {
  return db.query(LEDGERS_OF, [accountId]);
}

const LIVE_LEDGERS = statement(
  'ledgers_live',
  `select id from ledgers where mode = 'live' and state in ('active', 'moving') order by id`,
);

/** Returns the ids of the live ledgers of all accounts: operators make accounts, so they are few. */
export async function listLiveLedgers(db: Db): Promise<number[]> {
  const rows = await db.query<{ id: number }>(LIVE_LEDGERS, []);
  return rows.map(({ id }) => id);
}

const FIND_STATE = statement(
  'ledgers_find_state',
  `select a.status = 'suspended' as suspended, l.state, l.moved_to
   from ledgers l join accounts a on a.id = l.account_id where l.id = $1`,
);

/** Returns whether the account of a ledger is suspended, and whether the ledger is in this database. */
export async function findLedgerState(
  db: Db,
  ledgerId: number,
): Promise<(LedgerPlace & { suspended: boolean }) | undefined> {
  const [row] = await db.query<LedgerPlace & { suspended: boolean }>(FIND_STATE, [ledgerId]);
  return row;
}

const LIST_AWAY = statement<readonly unknown[], { id: number }>(
  'ledgers_list_away',
  `select id from ledgers where id = any($1::integer[]) and state in ('moved', 'arriving')`,
);

/** Returns which of the ledgers are not in use in this database: they have moved, or have not arrived yet. */
export async function findAway(db: Db, ledgerIds: readonly number[]): Promise<ReadonlySet<number>> {
  return new Set((await db.query(LIST_AWAY, [ledgerIds])).map(({ id }) => id));
}
