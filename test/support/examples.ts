/** Runs the programs of examples/ as their README says, against the product of a test. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { type Caller, createCaller } from './caller.ts';
import { closeAfterTests } from './close-after-tests.ts';
import { blocksOf, ROOT } from './doc-pages.ts';
import type { Json } from './events.ts';
import type { Harness } from './harness.ts';

const LIMIT_MS = 100_000;

/** What an example did: its output, its exit code, and the API of the account that it used. */
export type Ran = { readonly output: string; readonly code: number | null; readonly call: Caller };

export type ExampleOptions = {
  /** Settings beside the server and the key. */
  readonly env?: Readonly<Record<string, string>>;
  /** The test key of an account; that of a new account by default. */
  readonly key?: string;
};

/** Returns the command of an example's README. */
function commandOf(name: string): string {
  const [block, ...others] = blocksOf(`examples/${name}/README.md`).filter(({ language }) => language === 'sh');
  assert.ok(block !== undefined && others.length === 0, `examples/${name}/README.md has one command`);
  return block.text;
}

/** Runs the command of an example's README to its end. */
export async function runExample(harness: Harness, name: string, options: ExampleOptions = {}): Promise<Ran> {
  const key = options.key ?? (await harness.secondAccount()).test_key;
  const child = spawn('bash', ['-e', '-c', commandOf(name)], {
    cwd: ROOT,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, DIALPLANE_URL: harness.url, DIALPLANE_KEY: key, ...options.env },
  });
  const kill = () =>
    child.exitCode === null && child.signalCode === null && process.kill(-Number(child.pid), 'SIGKILL');
  closeAfterTests(kill);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const limit = setTimeout(kill, LIMIT_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(limit);
  return { output, code, call: createCaller(harness.url, key) };
}

/** Reads a resource or list of the account that an example used. */
export async function readAs({ call, output }: Ran, path: string): Promise<Json> {
  const { status, body } = await call('GET', `/v1${path}`);
  assert.equal(status, 200, `${JSON.stringify(body)}\n${output}`);
  return body;
}

/** Fails unless the example ended well, and has removed its webhook endpoint. */
export async function assertEndedWell(ran: Ran): Promise<void> {
  assert.equal(ran.code, 0, ran.output);
  assert.deepEqual((await readAs(ran, '/webhook_endpoints')).data, [], 'the endpoint is left');
}
