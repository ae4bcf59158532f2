import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { killed } from '../support/product-process.ts';
import type { Controls } from './controls.ts';
import { decode, encode } from './protocol.ts';
import type { WireOptions, WireReady } from './server-program.ts';

/** The wire carrier as a child process. */
export type Wire = Pick<WireOptions, 'key' | 'secret'> & {
  readonly url: string;
  /** Acts for the people at the other end. */
  readonly people: Controls;
  /** Kills the process, and drops the database that was made for it. */
  close(): Promise<void>;
};

const PROGRAM = fileURLToPath(new URL('server-program.ts', import.meta.url));

/** Starts the wire carrier, with a round trip of 150 ms unless another is given. */
export async function startWire(options: Partial<WireOptions> = {}): Promise<Wire> {
  const database = options.databaseUrl === undefined ? await cloneDatabase() : undefined;
  const databaseUrl = options.databaseUrl ?? (database as TestDatabase).url;
  const { key = newSecret(), secret = newSecret() } = options;
  const settings: WireOptions = { databaseUrl, key, secret, roundTripMs: 150, works: true, port: 0, ...options };
  const child = fork(PROGRAM, [JSON.stringify(settings)], { execArgv: [], stdio: 'inherit' });
  const url = await addressOf(child);
  return {
    url,
    key,
    secret,
    people: createPeople(url, key),
    close: async () => {
      await killed(child);
      await database?.drop();
    },
  };
}

function newSecret(): string {
  return randomBytes(24).toString('hex');
}

function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.once('exit', (code, signal) => reject(new Error(`the wire carrier ended at its start: ${signal ?? code}`)));
    child.once('message', ({ ready }: WireReady) => resolve(ready));
  });
}

/** Returns the controls of a server: each is a request to it. */
function createPeople(url: string, key: string): Controls {
  const ask = (name: string) => async (asked: unknown) => {
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(`${url}/control/${name}`, { method: 'POST', headers, body: encode(asked) });
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${body}`);
    return decode(body);
  };
  return new Proxy({} as Controls, { get: (_, name) => ask(String(name)) });
}
