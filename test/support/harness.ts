import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import type { Settings } from '../../src/context.ts';
import { openDatabase } from '../../src/db/database.ts';
import { type CreatedAccount, createAccount, issueKey, listLedgers } from '../../src/domain/accounts/index.ts';
import { type ComposeOptions, compose, type Product } from '../../src/server/compose.ts';
import { type Caller, createCaller, createInjector } from './caller.ts';
import { addCell, startCellProcess } from './cells.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { cloneDatabase } from './database.ts';
import { addConnection, inProcessKind, type MakeLiveCarrier } from './live-network.ts';
import { untilSettled } from './settled.ts';
import { describeWork, keepingLog, reportWhenUnmet } from './unmet.ts';

export type { Reply } from './caller.ts';

export type Harness = Product & {
  url: string;
  databaseUrl: string;
  account: CreatedAccount;
  call: Caller;
  /** Moves the test ledger's clock forward. Resolves when all due work has run. */
  advance(seconds: number, key?: string): Promise<void>;
  /** Resolves when no job or lane is due or claimed, and nothing is in flight in this process. No time is skipped. */
  settled(): Promise<void>;
  secondAccount(): Promise<CreatedAccount>;
  tenantKey(tenantId: string, mode?: 'test' | 'live'): Promise<string>;
  close(): Promise<void>;
};

export type HarnessOptions = Partial<Omit<ComposeOptions, 'settings'>> & {
  settings?: Partial<Settings>;
  /** If false, no workers start, and only `advance` runs durable work. */
  startWorkers?: boolean;
  /** If false, no media gateway starts. */
  serveMedia?: boolean;
  /** The carrier of live ledgers. Its connection has all capabilities of the carrier. None by default. */
  liveCarrier?: MakeLiveCarrier;
  /** True if `call` passes requests to the product without a connection. */
  injects?: boolean;
  /** The port to listen on, for tests that must know it before the start. By default any free port. */
  port?: number;
};

/** True in a run whose harnesses have their account in a cell. */
const IN_CELL = process.env['DIALPLANE_TEST_CELL'] === '1';

export const TEST_SECRET = 'a secret that is only good for tests';
export const TEST_METRICS_TOKEN = 'a-token-that-is-only-good-for-tests';
export const TEST_SETTINGS: Settings = {
  publicUrl: 'http://localhost',
  mediaUrl: 'ws://localhost',
  rateLimit: false,
  allowLocalWebhooks: true,
  trustedProxies: 0,
  clientConnectionsMax: 20_000,
  addressConnectionsMax: 20_000,
  requestLogDays: 7,
};

/** Starts the whole product on a new database and port. */
export async function startHarness(options: HarnessOptions = {}): Promise<Harness> {
  const { settings, startWorkers = true, serveMedia = true, port = 0, liveCarrier, injects, ...rest } = options;
  const database = rest.databaseUrl === undefined ? await cloneDatabase() : undefined;
  const databaseUrl = rest.databaseUrl ?? (database as { url: string }).url;
  const blobFolder = await mkdtemp(join(tmpdir(), 'dialplane-blobs-'));
  const { log, lines } = keepingLog();
  const composed: ComposeOptions = {
    secret: TEST_SECRET,
    metricsToken: TEST_METRICS_TOKEN,
    log,
    connectionsMax: 5,
    blobs: { kind: 'folder', folder: blobFolder },
    ...rest,
    adapterKinds: [...(liveCarrier ? [inProcessKind(liveCarrier)] : []), ...(rest.adapterKinds ?? [])],
    databaseUrl,
    settings: { ...TEST_SETTINGS, ...settings },
  };
  const connect = async (context: Product['context']) => {
    if (liveCarrier === undefined || rest.databaseUrl !== undefined) return;
    await addConnection(context, { capabilities: CARRIER_CAPABILITIES });
  };
  const startIn = (product: Product, mediaUrl: string) => {
    const { server } = product.app;
    return product.start({ server, work: startWorkers, ...(serveMedia && { gateway: { server, url: mediaUrl } }) });
  };
  const { product, url, close } = await (IN_CELL
    ? startInCell(composed, { port, connect, startIn })
    : startAlone(composed, { port, connect, startIn }));
  const { db } = product.context;
  const unreport = reportWhenUnmet(async () =>
    [await describeWork(db), ...(lines.length > 0 ? ['Log:', ...lines] : [])].join('\n'),
  );
  const account = await db.transaction((tx) => createAccount(tx, 'First account'));
  const { test_key: key } = account;
  const call = injects ? createInjector(product.app, key) : createCaller(url, key);
  return {
    ...product,
    url,
    databaseUrl,
    account,
    call,
    advance: async (seconds, key = account.test_key) => {
      const reply = await call('POST', '/v1/test/clock', { key, body: { advance_seconds: seconds } });
      if (reply.status !== 200) throw new Error(`the clock did not move: ${JSON.stringify(reply.body)}`);
    },
    secondAccount: () => db.transaction((tx) => createAccount(tx, 'Second account')),
    tenantKey: async (tenantId, mode = 'test') => {
      const ledgers = await listLedgers(db, account.id);
      const ledgerId = ledgers.find((ledger) => ledger.mode === mode)?.id as number;
      const issued = await db.transaction((tx) => issueKey(tx, { ledgerId, mode }, { name: 'tenant', tenantId }));
      return issued.key;
    },
    settled: () => untilSettled(db),
    close: async () => {
      unreport();
      await close();
      await rm(blobFolder, { recursive: true, force: true });
      await database?.drop();
    },
  };
}

type Start = {
  readonly port: number;
  /** Adds the connection of live ledgers. */
  readonly connect: (context: Product['context']) => Promise<void>;
  readonly startIn: (product: Product, mediaUrl: string) => Promise<void>;
};

type Started = { product: Product; url: string; close: () => Promise<void> };

async function startAlone(options: ComposeOptions, { port, connect, startIn }: Start): Promise<Started> {
  const product = await compose(options);
  await connect(product.context);
  await product.app.listen({ host: '127.0.0.1', port });
  const url = `http://127.0.0.1:${(product.app.server.address() as AddressInfo).port}`;
  await startIn(product, url.replace('http', 'ws'));
  return { product, url, close: product.close };
}

/** Starts a process whose first database has no accounts. The tests use the product of its cell. */
async function startInCell(options: ComposeOptions, { port, connect, startIn }: Start): Promise<Started> {
  const directory = await cloneDatabase();
  const db = openDatabase({ url: directory.url, connectionsMax: 1, log: options.log });
  await addCell(db, options.secret, { number: 2, name: 'west', url: options.databaseUrl });
  await db.close();
  const process = await startCellProcess({
    options: { ...options, databaseUrl: directory.url },
    port,
    startCell: async (product, mediaUrl) => {
      await connect(product.context);
      await startIn(product, mediaUrl);
    },
    startFirst: (first, sockets) => first.start({ server: sockets, work: false }),
  });
  const product = process.cells.list().find(({ name }) => name === 'west')?.product;
  if (product === undefined) throw new Error('the cell was not opened');
  const close = async () => {
    await process.close();
    await directory.drop();
  };
  return { product, url: process.url, close };
}

/**
 * Starts a harness for the tests of the file, and closes it after them. With the `databaseUrl` of an earlier harness it
 * is another process on the same database, and closes before that harness.
 */
export async function useHarness(options: HarnessOptions = {}): Promise<Harness> {
  const harness = await startHarness(options);
  closeAfterTests(() => harness.close());
  return harness;
}
