import { randomBytes } from 'node:crypto';
import { cloneDatabase, type TestDatabase } from '../support/database.ts';
import { skipWhile } from '../support/stepping-time.ts';
import type { Controls } from './controls.ts';
import { decode, encode } from './protocol.ts';
import { openWireServer, type WireOptions, type WireServer } from './server.ts';

/** The longest wait of a control: until all reports are taken. */
const ANSWER_WITHIN_MS = 120_000;

/** A wire carrier that runs. */
export type Wire = Pick<WireOptions, 'key' | 'secret'> & {
  readonly url: string;
  /** Acts for the people at the other end. */
  readonly people: Controls;
  /** Ends the carrier, and drops the database that was made for it. */
  close(): Promise<void>;
};

export type WireSettings = Partial<WireOptions>;

/**
 * Starts the wire carrier, with a round trip of 150 ms unless another is given. It runs in this process and on
 * `test/support/emulator-time.ts`. The product and the tests reach it through its sockets alone.
 */
export function startWire(settings: WireSettings = {}): Promise<Wire> {
  return runWire(settings, openWireServer);
}

/** Completes the settings, makes a database unless there is one, and runs the server by `open`. */
export async function runWire(
  settings: WireSettings,
  open: (options: WireOptions) => Promise<WireServer>,
): Promise<Wire> {
  const database = settings.databaseUrl === undefined ? await cloneDatabase() : undefined;
  const databaseUrl = settings.databaseUrl ?? (database as TestDatabase).url;
  const { key = newSecret(), secret = newSecret() } = settings;
  const server = await open({ databaseUrl, key, secret, roundTripMs: 150, works: true, port: 0, ...settings });
  return {
    url: server.url,
    key,
    secret,
    people: createPeople(server.url, key),
    close: async () => {
      await server.close();
      await database?.drop();
    },
  };
}

function newSecret(): string {
  return randomBytes(24).toString('hex');
}

/** Returns the controls of a server: each is a request to it. */
function createPeople(url: string, key: string): Controls {
  const ask = (name: string) => async (asked: unknown) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = fetch(`${url}/control/${name}`, { method: 'POST', headers, body: encode(asked) });
    const reply = await skipWhile(answer, ANSWER_WITHIN_MS);
    const body = await reply.text();
    if (!reply.ok) throw new Error(`${name}: ${reply.status} ${body}`);
    return decode(body);
  };
  return new Proxy({} as Controls, { get: (_, name) => ask(String(name)) });
}
