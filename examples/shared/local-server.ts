/**
 * The common parts of the examples in TypeScript: settings, a number to work with, a receiver of webhooks, and the
 * start and the end of a program. Settings are environment variables; their defaults suit `npm start` in the same
 * checkout.
 */
import { randomInt } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  type CreateRoutingConfig,
  Dialplane,
  DialplaneError,
  type Event,
  type EventType,
  type PhoneNumber,
  webhooks,
} from '@dialplane/sdk';

/** True if the program must also play the people, show what happens, and end. */
export const isDemo = process.argv.includes('--demo');

const BODY_BYTES_MAX = 1024 * 1024;
const WAIT_MS = 30_000;

export function say(line: string): void {
  console.log(line);
}

/** Runs a program. A failure is printed in one line, and the exit code is 1. */
export async function run(main: (client: Dialplane) => Promise<void>): Promise<void> {
  try {
    const client = connect();
    await main(client);
  } catch (error) {
    process.exitCode = 1;
    console.error(DialplaneError.is(error) ? error.message : error);
    if (DialplaneError.is(error, 'connection_failed')) console.error('Is the server running? Start it with: npm start');
  }
}

/** Returns a client of the server that the settings name. A demonstration needs a test key. */
function connect(): Dialplane {
  const { DIALPLANE_URL = 'http://localhost:8080', DIALPLANE_KEY = keyOfInstallation() } = process.env;
  if (isDemo && !DIALPLANE_KEY.startsWith('svc_test_')) {
    throw new DialplaneError('invalid_argument', 'DIALPLANE_KEY is no test key (svc_test_…), which --demo needs.');
  }
  return new Dialplane({ apiKey: DIALPLANE_KEY, baseUrl: DIALPLANE_URL });
}

/** Returns the test key that `npm start` has written. */
function keyOfInstallation(): string {
  const file = join(process.env['DIALPLANE_DATA'] ?? '.dialplane', 'keys.json');
  try {
    return (JSON.parse(readFileSync(file, 'utf8')) as { test_key: string }).test_key;
  } catch {
    throw new DialplaneError('invalid_argument', `There is no key in ${file}: run npm start, or set DIALPLANE_KEY.`);
  }
}

/**
 * Returns the number DIALPLANE_NUMBER, or one of the example's tenant. The first run creates the tenant and the number;
 * later runs find them by `external_ref`.
 * @param name of the example
 */
export async function ensureNumber(client: Dialplane, name: string): Promise<PhoneNumber> {
  const { DIALPLANE_NUMBER, DIALPLANE_KEY = '' } = process.env;
  if (DIALPLANE_NUMBER !== undefined) return client.phoneNumbers.get(DIALPLANE_NUMBER);
  if (DIALPLANE_KEY.startsWith('svc_live_')) {
    throw new DialplaneError('invalid_argument', 'With a live key set DIALPLANE_NUMBER: examples buy no live numbers.');
  }
  const external_ref = `example-${name}`;
  const found = (await client.tenants.list({ external_ref })).data[0];
  const tenant =
    found ?? (await client.tenants.create({ name: 'Desert Paws Clinic', external_ref, timezone: 'America/Phoenix' }));
  const owned = (await client.phoneNumbers.list({ tenant_id: tenant.id })).data.find(
    ({ status }) => status === 'active',
  );
  if (owned !== undefined) return owned;
  const [onSale] = (await client.phoneNumbers.searchAvailable({ area_code: '602', limit: 1 })).data;
  if (onSale === undefined) throw new DialplaneError('invalid_argument', 'Area code 602 has no numbers on sale.');
  return client.phoneNumbers.purchase({ tenant_id: tenant.id, phone_number: onSale.phone_number });
}

/** Attaches a routing config to a number that has none. */
export async function ensureRouting(
  client: Dialplane,
  number: PhoneNumber,
  config: Omit<CreateRoutingConfig, 'tenant_id'>,
): Promise<void> {
  if (number.routing_config_id !== null) return;
  const routing = await client.routingConfigs.create({ tenant_id: number.tenant_id, ...config });
  await client.phoneNumbers.update(number.id, { routing_config_id: routing.id });
}

/** Returns the number of a person. No earlier run has texted or called it. */
export function newPerson(): string {
  return `+1602555${randomInt(1000, 10_000)}`;
}

export type Receiver = {
  /** Resolves with the next event of a type, when it has been handled. A demonstration waits for 30 seconds at most. */
  next<T extends EventType>(type: T): Promise<Extract<Event, { type: T }>>;
  /** Reads a resource until `isWanted` returns true: first immediately, then after each event that was handled. */
  until<T>(read: () => Promise<T>, isWanted: (one: T) => boolean): Promise<T>;
  /** Removes the endpoint and closes the port. */
  close(): Promise<void>;
};

/**
 * Registers a webhook endpoint and hands each verified event of the tenant to `handle`. An event is answered with 204
 * when `handle` has returned. If `handle` throws, the answer is 500, and the server sends the event again: so requests
 * in `handle` must have idempotency keys. PORT is the port (any free one by default). WEBHOOK_URL is the address that
 * the server sends to if it is on another machine.
 * @param about the name of the example and its tenant
 */
export async function receiveEvents(
  client: Dialplane,
  about: { name: string; tenantId: string; types: EventType[] },
  handle: (event: Event) => Promise<void> | void,
): Promise<Receiver> {
  const handled = new EventEmitter();
  let secret = '';
  const receive = async (request: IncomingMessage): Promise<number> => {
    const body = await readBody(request, BODY_BYTES_MAX);
    if (body === undefined) return 413;
    const event = await webhooks.unwrap(body, request.headers, secret).catch(() => undefined);
    if (event === undefined) return 400;
    // An endpoint gets the events of all tenants of the account.
    if (event.tenant_id !== about.tenantId) return 204;
    try {
      await handle(event);
    } catch (error) {
      console.error(`${event.type} failed and will be sent again: ${error instanceof Error ? error.message : error}`);
      return 500;
    }
    handled.emit(event.type, event);
    handled.emit('any');
    return 204;
  };
  const server = createServer((request: IncomingMessage, reply: ServerResponse) => {
    receive(request).then(
      (status) => reply.writeHead(status).end(),
      () => reply.destroy(),
    );
  });
  server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1');
  await once(server, 'listening');
  const url = process.env['WEBHOOK_URL'] ?? `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const description = `Example ${about.name}`;
  await removeEndpoints(client, description);
  const endpoint = await client.webhookEndpoints.create({ url, description, enabled_events: about.types });
  secret = endpoint.secret;
  const wait = async (name: string) =>
    (await once(handled, name, isDemo ? { signal: AbortSignal.timeout(WAIT_MS) } : {}))[0];
  return {
    next: wait,
    until: async (read, isWanted) => {
      for (;;) {
        // Listens before it reads, so that no change is missed in between.
        const change = wait('any');
        change.catch(() => undefined);
        const one = await read();
        if (isWanted(one)) return one;
        await change;
      }
    },
    close: async () => {
      await client.webhookEndpoints.delete(endpoint.id);
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Reads the body of a request. Undefined if it has more than `bytesMax`. */
export async function readBody(request: IncomingMessage, bytesMax: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > bytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** Removes the endpoints of runs that were killed. */
async function removeEndpoints(client: Dialplane, description: string): Promise<void> {
  for await (const endpoint of client.webhookEndpoints.list()) {
    if (endpoint.description === description) await client.webhookEndpoints.delete(endpoint.id);
  }
}

/** Resolves when the program is asked to end: Ctrl-C, or SIGTERM. */
export async function untilStopped(): Promise<void> {
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}
