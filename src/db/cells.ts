/** The cells of an installation: rows in its first database, and the mark that each cell's database has. */
import { firstLedgerId } from '../lib/cells.ts';
import type { Cipher } from '../lib/crypto/cipher.ts';
import type { Database, Db, Tx } from './database.ts';
import { statement } from './statement.ts';

export type CellRow = {
  readonly number: number;
  readonly name: string;
  /** The address of its database, encrypted. */
  readonly url: Buffer;
  readonly state: 'added' | 'open';
  readonly created_at: Date;
};

/** Returns the encryption context of a cell's address. */
export const cellContext = (number: number | string) => `cell:${number}`;

/** Returns the address of a cell's database, with its password. */
export function openCellUrl(cipher: Cipher, { number, url }: Pick<CellRow, 'number' | 'url'>): string {
  return cipher.decrypt(url, cellContext(number)).toString();
}

const COLUMNS = 'number, name, url, state, created_at';

const LIST = statement<readonly unknown[], CellRow>('cells_list', `select ${COLUMNS} from cells order by number`);

/** Returns all cells, oldest first. An operator adds them, so they are few. */
export function listCells(db: Db): Promise<CellRow[]> {
  return db.query(LIST, []);
}

const LOCK = statement('cells_lock', 'lock table cells in share row exclusive mode');

/** Makes other additions of cells wait for the end of the transaction. */
export async function lockCells(tx: Tx): Promise<void> {
  await tx.query(LOCK, []);
}

const STORE = statement<Pick<CellRow, 'number' | 'name' | 'url'>>(
  'cells_store',
  `insert into cells (number, name, url) values (:number, :name, :url)
   on conflict (number) do update set url = excluded.url where cells.state = 'added'`,
);

/** Stores a cell that is being prepared. If the cell is stored but not open yet, replaces its address. */
export async function storeCell(tx: Tx, cell: Pick<CellRow, 'number' | 'name' | 'url'>): Promise<void> {
  await tx.query(STORE, cell);
}

const OPEN = statement('cells_open', `update cells set state = 'open' where number = $1`);

/** Lets processes serve a cell. */
export async function openCellRow(db: Db, number: number): Promise<void> {
  await db.query(OPEN, [number]);
}

/** The cell that a database belongs to. */
export type CellMark = { readonly number: number; readonly name: string };

const HAS_TABLES = statement<readonly unknown[], { ledgers: boolean; mark: boolean; cells: boolean }>(
  'cells_has_tables',
  `select to_regclass('ledgers') is not null as ledgers, to_regclass('cells') is not null as cells,
     exists (select from pg_attribute
       where attrelid = to_regclass('installation') and attname = 'cell_number' and not attisdropped) as mark`,
);
const READ_MARK = statement<readonly unknown[], CellMark>(
  'cells_read_mark',
  'select cell_number as number, cell_name as name from installation where single and cell_number is not null',
);

/**
 * Returns the cell that this database belongs to. Undefined if the database belongs to no cell, or has no tables yet.
 */
export async function readCellMark(db: Db): Promise<CellMark | undefined> {
  const [has] = await db.query(HAS_TABLES, []);
  if (has?.mark !== true) return undefined;
  const [mark] = await db.query(READ_MARK, []);
  return mark;
}

const LOCK_MARK = statement('cells_lock_mark', 'select from installation where single for update');
const HAS_LEDGERS = statement<readonly unknown[], { used: boolean }>(
  'cells_has_ledgers',
  'select exists (select from ledgers) as used',
);
const HAS_CELLS = statement<readonly unknown[], { used: boolean }>(
  'cells_has_cells',
  'select exists (select from cells) as used',
);

/**
 * Returns the reason why a database cannot become the cell. Undefined if it can, or already is. The database need not
 * have the tables of this version, or any table.
 */
export async function findUnfitness(db: Db, { number, name }: CellMark): Promise<string | undefined> {
  const mark = await readCellMark(db);
  if (mark !== undefined) return mark.number === number && mark.name === name ? undefined : `it is cell ${mark.name}`;
  const [has] = await db.query(HAS_TABLES, []);
  const isUsed = async (look: typeof HAS_CELLS) => (await db.query(look, []))[0]?.used === true;
  if (has?.cells === true && (await isUsed(HAS_CELLS)))
    return 'it has cells of its own: a cell needs an empty database';
  if (has?.ledgers === true && (await isUsed(HAS_LEDGERS))) return 'it has accounts: a cell needs an empty database';
  return undefined;
}

const WRITE_MARK = statement<{ number: number; name: string; first: number }, { next: number }>(
  'cells_write_mark',
  `with marked as (update installation set cell_number = :number, cell_name = :name where single)
   select setval(pg_get_serial_sequence('ledgers', 'id'), :first::bigint, false)::int as next`,
);

/**
 * Makes a database the database of a cell: marks it, and begins its ledger ids. The database must have the encrypted
 * text of an installation, and no accounts. Does nothing if the database already belongs to that cell.
 * @returns why the database cannot belong to the cell; undefined if it can
 */
export function markCell(db: Database, { number, name }: CellMark): Promise<string | undefined> {
  return db.transaction(async (tx) => {
    await tx.query(LOCK_MARK, []);
    const unfit = await findUnfitness(tx, { number, name });
    if (unfit !== undefined || (await readCellMark(tx)) !== undefined) return unfit;
    await tx.query(WRITE_MARK, { number, name, first: firstLedgerId(number) });
    return undefined;
  });
}

const LAST_LEDGER = statement<readonly unknown[], { id: number | null }>(
  'cells_last_ledger',
  `select last_value as id from pg_sequences where schemaname = current_schema() and sequencename = 'ledgers_id_seq'`,
);

/** Returns the last ledger id that this database has assigned; undefined if it has assigned none. */
export async function findLastLedgerId(db: Db): Promise<number | undefined> {
  const [row] = await db.query(LAST_LEDGER, []);
  return row?.id ?? undefined;
}

/** A ledger that has left a database, and the name of its present cell; empty for the first database. */
export type MovedLedger = { readonly id: number; readonly moved_to: string };

const LIST_MOVED = statement<readonly unknown[], MovedLedger>(
  'cells_list_moved_ledgers',
  `select id, moved_to from ledgers where state = 'moved'`,
);

/** Returns all ledgers that have left this database. Operators move accounts, so they are few. */
export function listMovedLedgers(db: Db): Promise<MovedLedger[]> {
  return db.query(LIST_MOVED, []);
}

/** An unfinished move of an account out of this database. */
export type UnfinishedMove = {
  readonly account_id: string;
  /** The name of the cell; empty for the first database. */
  readonly moves_to: string;
  readonly began_at: Date;
  readonly switched_at: Date | null;
};

const LIST_MOVES = statement<readonly unknown[], UnfinishedMove>(
  'account_moves_list',
  'select account_id, moves_to, began_at, switched_at from account_moves order by account_id',
);

/** Returns the unfinished moves out of this database. */
export function listUnfinishedMoves(db: Db): Promise<UnfinishedMove[]> {
  return db.query(LIST_MOVES, []);
}

const FIND_ACCOUNT = statement<readonly unknown[], { state: string; moved_to: string | null }>(
  'cells_find_account',
  'select state, moved_to from ledgers where account_id = $1 order by id limit 1',
);

/** Returns the state of an account in a database; undefined if the database never had the account. */
export async function findAccountState(
  db: Db,
  accountId: string,
): Promise<{ state: string; moved_to: string | null } | undefined> {
  const [row] = await db.query(FIND_ACCOUNT, [accountId]);
  return row;
}

const LIST_ACCOUNTS = statement<readonly unknown[], { account_id: string }>(
  'cells_list_accounts',
  `select distinct account_id from ledgers where state in ('active', 'moving') order by account_id`,
);

/** Returns the ids of the accounts that are in this database. */
export async function listAccountsIn(db: Db): Promise<string[]> {
  return (await db.query(LIST_ACCOUNTS, [])).map(({ account_id }) => account_id);
}

/** Leaves out rows of copies and rows of accounts that have left. */
const IN_USE = `ledger_id in (select id from ledgers where state in ('active', 'moving'))`;

const PAGE_NUMBERS = statement<{ after: string }, { phone_number: string }>(
  'cells_page_live_numbers',
  `select phone_number from live_numbers where phone_number > :after and ${IN_USE} order by phone_number limit 5000`,
);
const COMMON_NUMBERS = statement<{ numbers: readonly string[] }, { phone_number: string }>(
  'cells_common_live_numbers',
  `select phone_number from live_numbers where phone_number = any(:numbers::text[]) and ${IN_USE} order by phone_number`,
);

/** Returns the first `max` live numbers that both databases have. Reads them page by page. */
export async function listCommonNumbers(db: Db, other: Db, max: number): Promise<string[]> {
  const common: string[] = [];
  for (let after = ''; common.length < max; ) {
    const page = await db.query(PAGE_NUMBERS, { after });
    const numbers = page.map(({ phone_number }) => phone_number);
    if (numbers.length === 0) break;
    common.push(...(await other.query(COMMON_NUMBERS, { numbers })).map(({ phone_number }) => phone_number));
    after = numbers.at(-1) as string;
  }
  return common.slice(0, max);
}

const LIST_CONNECTIONS = statement<readonly unknown[], { id: string; name: string }>(
  'cells_list_connections',
  'select id, name from carrier_connections where account_id is not null and status_after_move is null order by name',
);

/** Returns the names of the accounts' own connections that both databases have in use. */
export async function listCommonConnections(db: Db, other: Db): Promise<string[]> {
  const there = new Set((await other.query(LIST_CONNECTIONS, [])).map(({ id }) => id));
  return (await db.query(LIST_CONNECTIONS, [])).filter(({ id }) => there.has(id)).map(({ name }) => name);
}
