/**
 * Measures the start of an embedded install, up to the first delivered test message: once without data and once with
 * the existing data. Also measures the memory of its idle Node process.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createCaller } from '../test/support/caller.ts';
import { median } from './support/postgres.ts';

const { values } = parseArgs({ options: { runs: { type: 'string', default: '5' } } });
const PROGRAM = fileURLToPath(new URL('../bin/dialplane.mjs', import.meta.url));
const REST_MS = 5_000;

type Started = { child: ChildProcess; url: string; readyMs: number };

async function start(folder: string): Promise<Started> {
  const startedMs = performance.now();
  const env = {
    PATH: process.env['PATH'] ?? '',
    DIALPLANE_METRICS_PORT: 'off',
    DIALPLANE_DATA: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    // A new folder, so that the first start finds no compiled code, as after an install.
    NODE_COMPILE_CACHE: `${folder}-code`,
  };
  const child = spawn(process.execPath, [PROGRAM, 'start', '--json'], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stderr.on('data', (text) => noteSystemFolder(String(text)));
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('"event":"ready"')) {
      return { child, url: JSON.parse(line).url, readyMs: performance.now() - startedMs };
    }
  }
  throw new Error('the program ended before it was ready');
}

/** Folders of PostgreSQL's files if this runs as root; they are deleted at the end. */
const systemFolders = new Set<string>();
function noteSystemFolder(text: string): void {
  for (const [folder] of text.matchAll(/\/\S+\/cluster-[0-9a-f]{16}\b/g)) systemFolders.add(folder);
}

async function stop(child: ChildProcess): Promise<number> {
  const askedMs = performance.now();
  child.kill('SIGTERM');
  await once(child, 'exit');
  return performance.now() - askedMs;
}

/** Buys a number, sends a text and waits for its delivery receipt, which arrives after one second. */
async function deliverFirst(url: string, key: string): Promise<void> {
  const call = createCaller(url, key);
  const tenant = await call('POST', '/v1/tenants', { body: { name: 'Desert Paws Clinic' } });
  const search = await call('GET', '/v1/phone_numbers/available?area_code=602&limit=1');
  const wanted = { tenant_id: tenant.body.id, phone_number: search.body.data[0].phone_number };
  const number = await call('POST', '/v1/phone_numbers', { body: wanted });
  const text = { from: number.body.id, to: '+16025550143', body: 'Your appointment is tomorrow at 9.' };
  const sent = await call('POST', '/v1/messages', { body: text });
  while ((await call('GET', `/v1/messages/${sent.body.id}`)).body.status !== 'delivered') await pause(10);
}

/** Returns the resident memory of a process in MB, from /proc; NaN without /proc. */
function residentMb(pid: number): number {
  return process.platform === 'linux'
    ? Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
    : Number.NaN;
}

async function measure() {
  const root = mkdtempSync(join(tmpdir(), 'dialplane-start-'));
  const folder = join(root, 'install');
  try {
    const cold = await start(folder);
    const beforeMs = performance.now();
    await deliverFirst(cold.url, JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')).test_key);
    const deliveredMs = cold.readyMs + performance.now() - beforeMs;
    await stop(cold.child);
    const warm = await start(folder);
    await pause(REST_MS);
    const idleMb = residentMb(warm.child.pid as number);
    const stopMs = await stop(warm.child);
    return { coldReadyMs: cold.readyMs, deliveredMs, warmReadyMs: warm.readyMs, idleMb, stopMs };
  } finally {
    for (const made of [root, ...systemFolders]) rmSync(made, { recursive: true, force: true });
    systemFolders.clear();
  }
}

const runs: Awaited<ReturnType<typeof measure>>[] = [];
for (let run = 0; run < Number(values.runs); run++) runs.push(await measure());
const middle = (name: keyof (typeof runs)[number]) => median(runs.map((run) => run[name]));
const line = (what: string, figure: string, target = '') =>
  console.log(`${what.padEnd(44)}${figure.padStart(8)}  ${target}`);
line('first start, to ready', `${Math.round(middle('coldReadyMs'))} ms`);
line('first start, to the first delivered text', `${Math.round(middle('deliveredMs'))} ms`, 'target < 5000 ms');
line('later start, to ready', `${Math.round(middle('warmReadyMs'))} ms`, 'target < 1000 ms');
line('stop', `${Math.round(middle('stopMs'))} ms`);
line('memory at rest (Node process)', `${Math.round(middle('idleMb'))} MB`, 'target < 150 MB');
