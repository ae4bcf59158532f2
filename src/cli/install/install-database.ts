import { pino } from 'pino';
import { type CellRow, listCells, openCellUrl, readCellMark } from '../../db/cells.ts';
import { type Database, type Db, openDatabase } from '../../db/database.ts';
import { migrate } from '../../db/migrate.ts';
import { pendingMigrations } from '../../db/readiness.ts';
import { listLedgers } from '../../domain/accounts/index.ts';
import { PROGRAM } from '../../lib/program.ts';
import type { Ledger, Mode } from '../../lib/scope.ts';
import { isCell } from '../../server/cells/is-cell.ts';
import { hasCluster, runningAddress } from '../../server/embedded-postgres/running-address.ts';
import { startEmbeddedPostgres } from '../../server/embedded-postgres/start.ts';
import { DataFolderInUseError, openDataFolder } from '../../server/install/data-folder.ts';
import { explainStartError } from '../../server/lifecycle/start-error.ts';
import { type Config, readConfig } from '../../server/settings/config.ts';
import { CommandError, noAccount, type Terminal } from '../command.ts';
import { cipherOfInstall } from './cipher-of-install.ts';

type Reached = { url: string; leave: () => Promise<void> };

const quiet = pino({ level: 'silent' });

/**
 * Runs `work` on the install's database. That is the database of DATABASE_URL, or the embedded one. If no server runs,
 * the embedded one is started for this command and stopped after it. With `--cell` the work runs on the cell's
 * database. Pending migrations are applied first; `work` gets their names.
 * @throws StartError, ConfigError or CommandError with the reason
 */
export async function withDatabase<T>(terminal: Terminal, work: Work<T>): Promise<T> {
  const config = readConfig();
  const { url, leave } = await reach(config, terminal);
  const { cell } = terminal;
  try {
    const inFirst = (use: Work<T>) => useDatabase({ url, check: refuseCell }, terminal, use);
    if (cell === undefined) return await inFirst(work);
    return await inFirst(async (db) => await useCell(await findCell(db, cell), terminal, work));
  } catch (error) {
    throw explainStartError(error, config);
  } finally {
    await leave();
  }
}

type Work<T> = (db: Database, applied: readonly string[]) => Promise<T>;

type Opening = {
  readonly url: string;
  /** Throws if the database is not the expected one. Runs before any change. */
  readonly check: (db: Database) => Promise<void>;
};

/** Opens a database, checks it, applies pending migrations, and runs `work` on it. */
export async function useDatabase<T>(
  { url, check }: Opening,
  terminal: Pick<Terminal, 'err'>,
  work: Work<T>,
): Promise<T> {
  const db = openDatabase({ url, connectionsMax: 2, log: quiet });
  try {
    await check(db);
    const applied = (await pendingMigrations(db)).length > 0 ? await migrate(url) : [];
    if (applied.length > 0) terminal.err(`Applied ${applied.length} migrations`);
    return await work(db, applied);
  } finally {
    await db.close();
  }
}

/**
 * Does the same as `useDatabase`, on the database of a cell. Throws CommandError if the cell's address leads to another
 * database.
 */
export async function useCell<T>(cell: CellRow, terminal: Pick<Terminal, 'err'>, work: Work<T>): Promise<T> {
  const url = openCellUrl(cipherOfInstall(), cell);
  return await useDatabase({ url, check: (db) => requireMark(db, cell) }, terminal, work);
}

/** Throws CommandError if the database belongs to a cell. The first database must not. */
async function refuseCell(db: Database): Promise<void> {
  const mark = await readCellMark(db);
  if (mark !== undefined) throw isCell(mark.name);
}

/** Returns an open cell. Throws CommandError if there is none with this name. */
export async function findCell(db: Database, name: string): Promise<CellRow> {
  const cell = (await listCells(db)).find((each) => each.name === name);
  if (cell?.state === 'open') return cell;
  throw new CommandError(`There is no open cell ${name}; "${PROGRAM} cells list" lists them.`);
}

/** Throws CommandError if the database does not belong to the cell. */
async function requireMark(db: Database, { number, name }: CellRow): Promise<void> {
  const mark = await readCellMark(db);
  if (mark?.number === number && mark.name === name) return;
  throw new CommandError(
    `The address of cell ${name} leads to a database that is not the cell's; "${PROGRAM} cells check" says more.`,
  );
}

/** Returns the account's ledger for the mode. Throws CommandError if the account does not exist. */
export async function ledgerOf(db: Db, accountId: string, mode: Mode): Promise<Ledger> {
  const ledger = (await listLedgers(db, accountId)).find((candidate) => candidate.mode === mode);
  if (ledger === undefined) throw noAccount(accountId);
  return { ledgerId: ledger.id, accountId, mode };
}

async function reach(config: Config, terminal: Terminal): Promise<Reached> {
  if (config.databaseUrl !== null) return { url: config.databaseUrl, leave: async () => undefined };
  if (!hasCluster(config.dataFolder)) {
    throw new CommandError(
      `There is no installation in ${config.dataFolder}. Run "${PROGRAM} start" once, or set DIALPLANE_DATA or DATABASE_URL to an existing one.`,
    );
  }
  try {
    const folder = await openDataFolder(config.dataFolder, { waitMs: 0 });
    try {
      const postgres = await startEmbeddedPostgres({
        folder: folder.path,
        log: quiet,
        onProgress: (text) => terminal.err(text),
      });
      const leave = async () => {
        await postgres.stop();
        folder.release();
      };
      return { url: postgres.connectionString, leave };
    } catch (error) {
      folder.release();
      throw error;
    }
  } catch (error) {
    if (!(error instanceof DataFolderInUseError)) throw error;
    const url = runningAddress(config.dataFolder);
    if (url === undefined)
      throw new CommandError(`${error.message}. Its database is not ready; try again in a moment.`);
    return { url, leave: async () => undefined };
  }
}
