/**
 * Measures the start of an embedded install, up to the first delivered test message: once without data and once with
 * the existing data. Also measures the memory and the processor time of its Node process.
 *
 *   --runs N      number of runs; the medians are printed (5)
 *   --rest S      seconds of rest before the memory is read (5)
 *   --clone       also a fresh clone in an empty folder: `npm start` to ready, with npm's cache as it is
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
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

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '5' },
    rest: { type: 'string', default: '5' },
    clone: { type: 'boolean', default: false },
  },
});
const PROGRAM = fileURLToPath(new URL('../bin/dialplane.mjs', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const REST_MS = Number(values.rest) * 1000;
/** Linux alone counts processor time in /proc. */
const TICK_MS = 10;

type Started = { child: ChildProcess; url: string; readyMs: number };

async function start(folder: string): Promise<Started> {
  const startedMs = performance.now();
  const env = {
    PATH: process.env['PATH'] ?? '',
    DIALPLANE_METRICS_PORT: 'off',
    DIALPLANE_DATA: folder,
    PORT: '0',
    LOG_LEVEL: 'silent',
    // A new folder makes the first start find no compiled code, as after an install.
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

/** The folders of PostgreSQL's files if this runs as root. They are deleted at the end. */
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

/** Returns a file of a process below /proc; an empty text without /proc. */
function readProc(pid: number, name: string): string {
  return process.platform === 'linux' ? readFileSync(`/proc/${pid}/${name}`, 'utf8') : '';
}

/**
 * Returns the memory of a process in MB; NaN without /proc. `residentMb` is all memory, and `anonymousMb` is the memory
 * without mapped files.
 */
function memoryOf(pid: number): { residentMb: number; anonymousMb: number } {
  const text = readProc(pid, 'smaps_rollup');
  const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text)?.[1]) / 1024;
  return { residentMb: read('Rss'), anonymousMb: read('Anonymous') };
}

/** Returns the processor time of a process so far; NaN without /proc. */
function processorMs(pid: number): number {
  const fields = readProc(pid, 'stat').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
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
    const pid = warm.child.pid as number;
    const warmProcessorMs = processorMs(pid);
    await pause(REST_MS);
    const memory = memoryOf(pid);
    const stopMs = await stop(warm.child);
    return { coldReadyMs: cold.readyMs, deliveredMs, warmReadyMs: warm.readyMs, warmProcessorMs, ...memory, stopMs };
  } finally {
    for (const made of [root, ...systemFolders]) rmSync(made, { recursive: true, force: true });
    systemFolders.clear();
  }
}

/**
 * The clones are deleted after all runs. Some file systems search for recently deleted files whenever a file is made.
 */
const clones: string[] = [];

/**
 * Returns how long `npm start` takes in a fresh clone until the server is ready, and the size of what it has installed.
 */
async function measureClone(): Promise<{ readyMs: number; installedMb: number }> {
  const root = mkdtempSync(join(tmpdir(), 'dialplane-clone-'));
  clones.push(root);
  const folder = join(root, 'clone');
  try {
    execFileSync('git', ['clone', '--quiet', ROOT, folder]);
    const path = (process.env['PATH'] ?? '').split(':').filter((each) => !each.includes('node_modules'));
    const env = { PATH: path.join(':'), HOME: process.env['HOME'] ?? '', PORT: '0', DIALPLANE_METRICS_PORT: 'off' };
    const startedMs = performance.now();
    const child = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    child.stderr.on('data', (text) => noteSystemFolder(String(text)));
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('"msg":"ready"')) break;
    const readyMs = performance.now() - startedMs;
    process.kill(-(child.pid as number), 'SIGTERM');
    await once(child, 'exit');
    const [size] = execFileSync('du', ['-sm', join(folder, 'node_modules')], { encoding: 'utf8' }).split('\t');
    return { readyMs, installedMb: Number(size) };
  } finally {
    for (const made of systemFolders) rmSync(made, { recursive: true, force: true, maxRetries: 10 });
    systemFolders.clear();
  }
}

// Loads Node's HTTP client here, so that its load time is not measured.
await fetch('data:,');
const runs: Awaited<ReturnType<typeof measure>>[] = [];
for (let run = 0; run < Number(values.runs); run++) runs.push(await measure());
const middle = (name: keyof (typeof runs)[number]) => median(runs.map((run) => run[name]));
const line = (what: string, figure: string, target = '') =>
  console.log(`${what.padEnd(44)}${figure.padStart(8)}  ${target}`);
line('first start, to ready', `${Math.round(middle('coldReadyMs'))} ms`);
line('first start, to the first delivered text', `${Math.round(middle('deliveredMs'))} ms`, 'target < 2000 ms');
line('later start, to ready', `${Math.round(middle('warmReadyMs'))} ms`, 'target < 500 ms');
line('  processor time of Node until then', `${Math.round(middle('warmProcessorMs'))} ms`);
line('stop', `${Math.round(middle('stopMs'))} ms`);
line('memory at rest (Node process)', `${Math.round(middle('residentMb'))} MB`, 'target < 120 MB');
line('  of it not mapped from files', `${Math.round(middle('anonymousMb'))} MB`);
if (values.clone) {
  try {
    const found: Awaited<ReturnType<typeof measureClone>>[] = [];
    for (let run = 0; run < Number(values.runs); run++) found.push(await measureClone());
    const seconds = median(found.map(({ readyMs }) => readyMs)) / 1000;
    line('fresh clone, npm start to ready', `${seconds.toFixed(1)} s`, 'target < 15 s');
    line('  installed', `${median(found.map(({ installedMb }) => installedMb))} MB`);
  } finally {
    for (const root of clones) rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  }
}
