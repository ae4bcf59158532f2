/** An installation of three databases: the first database, a cell in a schema of it, and a cell in another database. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdapterKind } from '../../src/carriers/adapter.ts';
import type { CreatedAccount } from '../../src/domain/accounts/index.ts';
import type { Product } from '../../src/server/compose.ts';
import { type Caller, createCaller } from './caller.ts';
import { type CellProcess, startCellProcess } from './cells.ts';
import { type CliOutcome, runHere } from './cli-process.ts';
import { cloneDatabase, type TestDatabase } from './database.ts';
import { type DatabaseProxy, startDatabaseProxy } from './database-proxy.ts';
import { TEST_METRICS_TOKEN, TEST_SECRET, TEST_SETTINGS } from './harness.ts';
import { silentLog, until } from './jobs.ts';
import { REPORTING_KIND } from './reporting-carrier.ts';
import { skipWhile } from './stepping-time.ts';

export type Place = 'first' | 'east' | 'west';
export const PLACES = ['first', 'east', 'west'] as const;

export type CellInstallation = {
  /** The first database, and the database of the cell west. */
  readonly database: TestDatabase;
  readonly far: TestDatabase;
  /** A proxy to the database of west. */
  readonly proxy: DatabaseProxy;
  /** The folder for blobs and files. */
  readonly folder: string;
  /** A process that serves the installation. */
  readonly process: CellProcess;
  /** Sends requests to that process. */
  readonly call: Caller;
  /** An account in each database, after `divide`. */
  readonly accounts: Readonly<Record<Place, CreatedAccount>>;
  /** Adds the cells east and west, waits until they are open, and creates the accounts. */
  divide(): Promise<void>;
  /** Runs commands, with the secret of the installation or with another secret. */
  dialplane(...words: string[]): Promise<CliOutcome>;
  dialplaneWith(secret: string, ...words: string[]): Promise<CliOutcome>;
  /** Makes a database a cell, by the command. */
  addCell(name: string, url: string, ...more: string[]): Promise<CliOutcome>;
  makeAccount(place: Place): Promise<void>;
  /** Starts one more process. */
  startProcess(): Promise<CellProcess>;
  productOf(place: Place): Product;
  isOpen(name: string): boolean;
  close(): Promise<void>;
};

/** The longest time that a command skips. A move waits for calls to end and for cached keys to expire. */
export const COMMAND_WITHIN_MS = 600_000;

/** Starts an installation that has no cells yet. `kinds` are kinds of carriers in addition to the reporting one. */
export async function startCellInstallation(kinds: readonly AdapterKind[] = []): Promise<CellInstallation> {
  const adapterKinds = [REPORTING_KIND, ...kinds];
  const folder = await mkdtemp(join(tmpdir(), 'dialplane-cells-'));
  const [database, far] = await Promise.all([cloneDatabase(), cloneDatabase()]);
  const proxy = await startDatabaseProxy(far.url);
  const accounts = {} as Record<Place, CreatedAccount>;
  const startProcess = () => startProcessOn(database.url, folder, adapterKinds);
  const process = await startProcess();

  const dialplaneWith = (secret: string, ...words: string[]) =>
    skipWhile(
      runHere(words, { DATABASE_URL: database.url, DIALPLANE_SECRET: secret }, adapterKinds),
      COMMAND_WITHIN_MS,
    );
  const dialplane = (...words: string[]) => dialplaneWith(TEST_SECRET, ...words);
  const addCell = async (name: string, url: string, ...more: string[]) => {
    const file = join(folder, 'address');
    await writeFile(file, url);
    return await dialplane('cells', 'add', name, '--url-from', file, ...more);
  };
  const makeAccount = async (place: Place) => {
    const inCell = place === 'first' ? [] : ['--cell', place];
    const made = await dialplane('accounts', 'create', place, ...inCell, '--json');
    assert.equal(made.code, 0, made.err);
    accounts[place] = JSON.parse(made.out);
  };
  const cellOf = (name: string) => process.cells.list().find((cell) => cell.name === name)?.product;
  const isOpen = (name: string) => cellOf(name) !== undefined;

  return {
    ...{ database, far, proxy, folder, process, accounts, call: createCaller(process.url, '') },
    ...{ dialplane, dialplaneWith, addCell, makeAccount, startProcess, isOpen },
    divide: async () => {
      const east = await addCell('east', database.url, '--schema', 'east');
      const west = await addCell('west', proxy.url);
      assert.deepEqual([east.code, west.code], [0, 0], `${east.err}${west.err}`);
      await until('the cells are open', () => isOpen('east') && isOpen('west'));
      for (const place of PLACES) await makeAccount(place);
    },
    productOf: (place) => (place === 'first' ? process.first : cellOf(place)) ?? assert.fail(`${place} is not open`),
    close: async () => {
      await process.close();
      await proxy.cut();
      await Promise.all([database.drop(), far.drop(), rm(folder, { recursive: true })]);
    },
  };
}

function startProcessOn(
  databaseUrl: string,
  folder: string,
  adapterKinds: readonly AdapterKind[],
): Promise<CellProcess> {
  const blobs = { kind: 'folder', folder } as const;
  const parts = { secret: TEST_SECRET, metricsToken: TEST_METRICS_TOKEN, log: silentLog, connectionsMax: 5 };
  return startCellProcess({
    options: { ...parts, blobs, databaseUrl, adapterKinds, settings: TEST_SETTINGS },
    startCell: ({ app, start }, url) => start({ server: app.server, work: true, gateway: { server: app.server, url } }),
  });
}

/** Makes a tenant with a number. */
export async function makeLine(call: Caller, key: string) {
  const tenant = await call('POST', '/v1/tenants', { key, body: { name: 'Tenant' } });
  assert.equal(tenant.status, 201, JSON.stringify(tenant.body));
  const [found] = (await call('GET', '/v1/phone_numbers/available?area_code=602&limit=1', { key })).body.data;
  const body = { tenant_id: tenant.body.id, phone_number: found.phone_number };
  const number = await call('POST', '/v1/phone_numbers', { key, body });
  assert.equal(number.status, 201, JSON.stringify(number.body));
  return { tenantId: tenant.body.id as string, number: number.body as { id: string; phone_number: string } };
}
