/** An installation of three cells' databases on two servers, served by two processes with all roles. */
import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cellContext } from '../../src/db/cells.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import type { CreatedAccount } from '../../src/domain/accounts/index.ts';
import { createCipher } from '../../src/lib/crypto/cipher.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/server/embedded-postgres/start.ts';
import { createCaller } from '../support/caller.ts';
import { type CliProcess, runHere, startCli } from '../support/cli-process.ts';
import { cloneDatabase } from '../support/database.ts';
import { type DatabaseProxy, startDatabaseProxy } from '../support/database-proxy.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { freePort } from '../support/ports.ts';
import { makeScratch } from '../support/scratch.ts';

/** A database with its account. The process at `url` serves requests of the account. */
export type CellSite = {
  readonly name: string;
  readonly db: Database;
  readonly account: CreatedAccount;
  readonly url: string;
};

export type CellsSite = {
  /** The first database, a cell on its server, and a cell on a separate server. */
  readonly cells: readonly CellSite[];
  /** Leads the processes to the server of the last cell. */
  readonly proxy: DatabaseProxy;
  /** Kills a process and starts it again. Returns when it serves. */
  restart(index: number): Promise<void>;
  readonly processes: number;
  /**
   * Moves the account of a cell to the database of another one, or back, and waits for its running calls at most this
   * long. Returns false if running calls kept it where it is.
   */
  move(account: number, to: number, waitS: number): Promise<boolean>;
  close(): Promise<void>;
};

const PROCESSES = 2;
const STARTS_MAX = 5;
const NAMES = ['first', 'near', 'far'] as const;

/** Two processes have 27 connections each. No power is lost here, so nothing waits for the disk. */
const FAR_SERVER = { fsync: 'off', synchronous_commit: 'off', max_connections: '120', shared_buffers: '64MB' };

/** Opens everything. Closes what is open if a step fails. */
export async function openCellsSite(): Promise<CellsSite> {
  const undo: (() => Promise<unknown> | unknown)[] = [];
  const close = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    return { ...(await open(undo)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Undo = (() => Promise<unknown> | unknown)[];

async function open(undo: Undo): Promise<Omit<CellsSite, 'close'>> {
  const scratch = makeScratch('cells');
  undo.push(() => scratch.remove());
  const [first, near] = await Promise.all([cloneDatabase(), cloneDatabase()]);
  undo.push(() => Promise.all([first.drop(), near.drop()]));
  const server = await startServer(scratch.path);
  undo.push(() => server.stop());
  const proxy = await startDatabaseProxy(server.connectionString);
  undo.push(() => proxy.cut());
  const env = { DATABASE_URL: first.url, DIALPLANE_SECRET: TEST_SECRET, DIALPLANE_DATA: join(scratch.path, 'data') };
  await mkdir(env.DIALPLANE_DATA);
  await addCell(env, scratch.path, { name: 'near', url: near.url });
  await addCell(env, scratch.path, { name: 'far', url: server.connectionString });
  const urls = [first.url, near.url, server.connectionString];
  const databases = urls.map((url) => openDatabase({ url, connectionsMax: 4, log: silentLog }));
  undo.push(() => Promise.all(databases.map((db) => db.close())));
  await leadThrough(databases[0] as Database, proxy.url);
  const accounts: CreatedAccount[] = [];
  for (const name of NAMES) accounts.push(await makeAccount(env, name));
  const { ports, restart } = await startProcesses(env, undo);
  const cells = NAMES.map((name, index) => ({
    name,
    db: databases[index] as Database,
    account: accounts[index] as CreatedAccount,
    url: `http://127.0.0.1:${ports[index % ports.length]}`,
  }));
  for (const { url, account } of cells) {
    const call = createCaller(url, account.test_key);
    await until('the cell is served', async () => (await call('GET', '/v1/tenants')).status === 200);
  }
  const move = (account: number, to: number, waitS: number) =>
    moveAccount(env, accounts[account] as CreatedAccount, { to: NAMES[to] as string, waitS });
  return { cells, proxy, restart, processes: PROCESSES, move };
}

function startServer(folder: string): Promise<EmbeddedPostgres> {
  const options = { folder: join(folder, 'far'), systemFolder: join(folder, 'system') };
  return startEmbeddedPostgres({ ...options, log: silentLog, settings: FAR_SERVER });
}

type Environment = Readonly<Record<string, string>>;

async function addCell(env: Environment, folder: string, { name, url }: { name: string; url: string }): Promise<void> {
  const file = join(folder, `${name}.address`);
  await writeFile(file, url);
  const { code, err } = await runHere(['cells', 'add', name, '--url-from', file], env);
  assert.equal(code, 0, err);
}

/** Lets processes reach the last cell by a proxy. The command `cells add` stored the cell's own address. */
async function leadThrough(first: Database, url: string): Promise<void> {
  const sealed = createCipher(TEST_SECRET).encrypt(url, cellContext(2));
  await sql(first, `update cells set url = $1 where number = 2`, [sealed]);
}

async function makeAccount(env: Environment, name: string): Promise<CreatedAccount> {
  const inCell = name === 'first' ? [] : ['--cell', name];
  const { code, out, err } = await runHere(['accounts', 'create', name, ...inCell, '--json'], env);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

async function moveAccount(
  env: Environment,
  { id }: CreatedAccount,
  { to, waitS }: { to: string; waitS: number },
): Promise<boolean> {
  const { code, err } = await runHere(['cells', 'move', id, '--to', to, '--wait', `${waitS}`], env);
  if (code === 0) return true;
  assert.match(err, /running calls|calls began/);
  return false;
}

async function startProcesses(env: Environment, undo: Undo) {
  const ports = await Promise.all(Array.from({ length: PROCESSES }, () => freePort()));
  const settings = { DIALPLANE_RATE_LIMIT: 'off', DIALPLANE_CONSOLE: 'off', DIALPLANE_ALLOW_LOCAL_WEBHOOKS: 'on' };
  const start = (index: number) => startCli({ ...env, ...settings, PORT: String(ports[index]) });
  const running: CliProcess[] = ports.map((_, index) => start(index));
  undo.push(() => Promise.all(running.map((each) => each.ended('SIGKILL'))));
  await Promise.all(running.map((each) => each.ready()));
  const restart = async (index: number) => {
    await running[index]?.ended('SIGKILL');
    for (let attempt = 1; ; attempt++) {
      const next = start(index);
      running[index] = next;
      try {
        return void (await next.ready());
      } catch (error) {
        // On a busy machine a database may not answer a start in time; a supervisor starts the program again.
        if (attempt === STARTS_MAX) throw error;
      }
    }
  };
  return { ports, restart };
}
