import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { type CreatedAccount, createAccount } from '../../src/domain/accounts/index.ts';
import { NODE_MISSED_MS } from '../../src/domain/voice/media-streams/rules.ts';
import { type Caller, createCaller } from './caller.ts';
import { cloneDatabase } from './database.ts';
import { TEST_METRICS_TOKEN } from './harness.ts';
import { silentLog, sql, until } from './jobs.ts';
import type { ProgramMessage, ProgramOptions, Verdict } from './product-program.ts';

/** The product as a child process. */
export type ProductProcess = {
  readonly url: string;
  /** Sends requests to the process, with the account's test key. */
  readonly call: Caller;
  /** Ids of the messages that its carrier has received; only with `blocksSends`. */
  readonly sending: readonly string[];
  /** Sends the verdict on the waiting send. */
  decide(verdict: Verdict): void;
  /** Pauses and resumes the process, by SIGSTOP and SIGCONT. */
  freeze(): void;
  thaw(): void;
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>;
  /** Lets it finish its present work and pass on the rest, like a stop by an operator. Resolves when it has ended. */
  stop(): Promise<void>;
  /** Returns the value of a metric with these labels; 0 if it is not in /metrics. */
  metric(name: string, labels: Readonly<Record<string, string>>): Promise<number>;
};

/** A database with an account, for products that each run in a separate process. */
export type Site = {
  readonly databaseUrl: string;
  readonly db: Database;
  readonly account: CreatedAccount;
  start(options?: Partial<ProgramOptions>): Promise<ProductProcess>;
  /** Kills the processes and drops the database. */
  close(): Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('product-program.ts', import.meta.url));

export async function openSite(): Promise<Site> {
  const { url: databaseUrl, drop } = await cloneDatabase();
  const db = openDatabase({ url: databaseUrl, connectionsMax: 4, log: silentLog });
  const account = await db.transaction((tx) => createAccount(tx, 'First account'));
  const blobFolder = await mkdtemp(join(tmpdir(), 'dialplane-blobs-'));
  const children: ChildProcess[] = [];
  return {
    databaseUrl,
    db,
    account,
    start: async (options = {}) => {
      const defaults: ProgramOptions = {
        databaseUrl,
        port: 0,
        work: true,
        workerSettings: {},
        blocksSends: false,
        liveWebhooksLocal: false,
        blobFolder,
      };
      const child = fork(PROGRAM, [JSON.stringify({ ...defaults, ...options })], { execArgv: [], stdio: 'inherit' });
      children.push(child);
      return attend(child, account.test_key);
    },
    close: async () => {
      await Promise.all(children.map(killed));
      await rm(blobFolder, { recursive: true, force: true });
      await db.close();
      await drop();
    },
  };
}

/** Starts a process that serves the audio of calls, and does no other work. */
export async function startGateway(settings: Pick<ProgramOptions, 'databaseUrl' | 'port'>): Promise<ProductProcess> {
  const blobFolder = await mkdtemp(join(tmpdir(), 'dialplane-blobs-'));
  const fixed = { work: false, workerSettings: {}, blocksSends: false, liveWebhooksLocal: false, gateway: true };
  const options: ProgramOptions = { ...fixed, blobFolder, ...settings };
  const child = fork(PROGRAM, [JSON.stringify(options)], { execArgv: [], stdio: 'inherit' });
  return attend(child, '');
}

/**
 * Keeps killed gateways among the gateways that count as up, until `forgetHeartbeats`, even if the test takes long.
 * Returns their ids.
 */
export async function holdHeartbeats(db: Database): Promise<string[]> {
  const held = await sql<{ node_id: string }>(
    db,
    `update gateway_nodes set seen_at = clock_timestamp() + interval '1 hour' returning node_id`,
  );
  return held.map(({ node_id }) => node_id);
}

/** Ages the last heartbeats of killed gateways, by default of all gateways, so that they count as missing. */
export async function forgetHeartbeats(db: Database, nodeIds?: readonly string[]): Promise<void> {
  await sql(
    db,
    `update gateway_nodes set seen_at = least(seen_at, clock_timestamp()) - make_interval(secs => $1)
     where node_id = any(coalesce($2, array[node_id]))`,
    [NODE_MISSED_MS / 1_000, nodeIds ?? null],
  );
}

async function attend(child: ChildProcess, key: string): Promise<ProductProcess> {
  const sending: string[] = [];
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`the product ended before it was ready: ${signal ?? code}`)));
    child.on('message', (message: ProgramMessage) => {
      if ('ready' in message) resolve(message.ready);
      else sending.push(message.sending);
    });
  });
  const call = createCaller(url, key);
  return {
    url,
    call,
    sending,
    decide: (verdict) => child.send(verdict),
    freeze: () => child.kill('SIGSTOP'),
    thaw: () => child.kill('SIGCONT'),
    kill: () => killed(child),
    stop: () => ended(child, 'SIGTERM'),
    metric: async (name, labels) =>
      readMetric((await call('GET', '/metrics', { key: TEST_METRICS_TOKEN })).body, name, labels),
  };
}

/** Sends SIGKILL and resolves when the process has ended. */
export const killed = (child: ChildProcess): Promise<void> => ended(child, 'SIGKILL');

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  await gone;
}

function readMetric(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  const line = text
    .split('\n')
    .find((each) => each.startsWith(`${name}{`) && wanted.every((part) => each.includes(part)));
  return line === undefined ? 0 : Number(line.slice(line.lastIndexOf(' ')));
}

/** Creates a tenant with a number to send from. */
export async function makeSenderAt(call: Caller): Promise<{ tenantId: string; numberId: string; e164: string }> {
  const tenant = await expectStatus(call('POST', '/v1/tenants', { body: { name: 'Desert Paws Clinic' } }), 201);
  const search = await expectStatus(call('GET', '/v1/phone_numbers/available?area_code=602&limit=1'), 200);
  const body = { tenant_id: tenant.id, phone_number: search.data[0].phone_number };
  const number = await expectStatus(call('POST', '/v1/phone_numbers', { body }), 201);
  return { tenantId: tenant.id, numberId: number.id, e164: number.phone_number };
}

/** Registers a receiver for all events. */
export async function registerAt(call: Caller, url: string): Promise<string> {
  return (await expectStatus(call('POST', '/v1/webhook_endpoints', { body: { url } }), 201)).id;
}

/** Returns the body of a reply, which must have this status. */
export async function expectStatus(reply: ReturnType<Caller>, status: number): Promise<Awaited<typeof reply>['body']> {
  const { status: seen, body } = await reply;
  if (seen !== status) throw new Error(`expected ${status}, got ${seen}: ${JSON.stringify(body)}`);
  return body;
}

/**
 * Waits until no work is left: no lane, no delivery in progress, and no jobs except recurring, monthly and daily ones.
 */
export async function untilIdle(db: Database, limitMs: number): Promise<void> {
  await until(
    'all work is done',
    async () => Object.values(await countWork(db)).every((count) => count === 0),
    limitMs,
  );
}

/** Counts the remaining work. */
export async function countWork(db: Database): Promise<Record<'jobs' | 'lanes' | 'waiting' | 'undelivered', number>> {
  const text = `select (select count(*) from jobs where kind not like 'sweep.%' and kind not in ('number.month', 'webhook_endpoint.failing')) as jobs,
    (select count(*) from lanes) as lanes, (select count(*) from waiting_deliveries) as waiting,
    (select count(*) from deliveries where status <> 'delivered') as undelivered`;
  const [counts] = await db.query<Record<'jobs' | 'lanes' | 'waiting' | 'undelivered', number>>({ name: '', text }, []);
  return counts as Record<'jobs' | 'lanes' | 'waiting' | 'undelivered', number>;
}
