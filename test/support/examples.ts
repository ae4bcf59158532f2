/** Runs the programs of examples/ by the commands of their README, against the product of a test. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after } from '../../src/lib/time/time.ts';
import { type Caller, createCaller } from './caller.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { blocksOf, ROOT } from './doc-pages.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';

const LIMIT_MS = 100_000;

/** The result of an example: its output, its exit code, and requests with the account that it used. */
export type Ran = { readonly output: string; readonly code: number | null; readonly call: Caller };

/** Returns the command of an example's README. */
function commandOf(name: string): string {
  const [block, ...others] = blocksOf(`examples/${name}/README.md`).filter(({ language }) => language === 'sh');
  assert.ok(block !== undefined && others.length === 0, `examples/${name}/README.md has one command`);
  return block.text;
}

/** Runs the command of an example's README to its end. */
export async function runExample(harness: Harness, name: string): Promise<Ran> {
  const { output, ended, call } = await startExample(harness, commandOf(name));
  return { code: await ended, output: output(), call };
}

/** Starts an example as a service: its command without `--demo`. */
export async function startService(harness: Harness, name: string, env: Readonly<Record<string, string>>) {
  return startExample(harness, commandOf(name).replace(' --demo', ''), env);
}

/** Starts a command with the key of a new account. The command ends after the tests at the latest. */
async function startExample(harness: Harness, command: string, env: Readonly<Record<string, string>> = {}) {
  const key = (await harness.secondAccount()).test_key;
  const child = spawn('sh', ['-e', '-c', command], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DIALPLANE_URL: harness.url, DIALPLANE_KEY: key, ...env },
  });
  const signal = (name: NodeJS.Signals) => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-Number(child.pid), name);
  };
  closeAfterTests(() => signal('SIGKILL'));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const limit = after(LIMIT_MS, () => signal('SIGKILL'));
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  ended.then(() => limit.cancel());
  return { output: () => output, ended, stop: () => signal('SIGTERM'), call: createCaller(harness.url, key) };
}

/** Reads a resource or list of the account that an example used. */
export async function readAs({ call }: Pick<Ran, 'call'>, path: string): Promise<Json> {
  const { status, body } = await call('GET', `/v1${path}`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Fails unless the example succeeded and has removed its webhook endpoint. */
export async function assertEndedWell(ran: Ran): Promise<void> {
  assert.equal(ran.code, 0, ran.output);
  assert.deepEqual((await readAs(ran, '/webhook_endpoints')).data, [], 'the endpoint is left');
}
