/**
 * Sends events to many realtime sockets, and compares that with writing the same bytes to the same number of bare
 * sockets. `ratio` is the time of the bare sockets divided by ours, in pairs of consecutive runs. The clients run in a
 * separate process and only count bytes.
 *
 *   node bench/realtime.ts [--sockets 500] [--events 2000] [--pairs 7]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import type { Context } from '../src/context.ts';
import type { Bus } from '../src/db/bus.ts';
import type { Database, Signal } from '../src/db/database.ts';
import { type CommittedEvent, EVENT_VERSION, EVENTS_TOPIC, mintRealtimeToken } from '../src/domain/events/index.ts';
import { textFrame } from '../src/http/sockets/text-frame.ts';
import { createCipher } from '../src/lib/crypto/cipher.ts';
import { newId } from '../src/lib/ids.ts';
import { createMetrics } from '../src/lib/metrics.ts';
import { systemClock } from '../src/lib/time/clock.ts';
import { attachRealtime } from '../src/realtime/attach-realtime.ts';

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '500' },
    events: { type: 'string', default: '2000' },
    pairs: { type: 'string', default: '7' },
  },
});
const SOCKETS = Number(values.sockets);
const EVENTS = Number(values.events);
const PAIRS = Number(values.pairs);
const LEDGER_ID = 1;

/**
 * Both sides wait if a client has more unwritten bytes than this. So no client is dropped, and only writing is
 * measured.
 */
const UNWRITTEN_BYTES_MAX = 256 * 1024;

/** Resolves after a turn of the event loop. Every client is then ready for the next event. */
async function untilReady(connections: readonly Duplex[]): Promise<void> {
  do await new Promise((resolve) => setImmediate(resolve));
  while (connections.some((connection) => connection.writableLength > UNWRITTEN_BYTES_MAX));
}

/** One side of the comparison. */
type Side = { connections: readonly Duplex[]; send(n: number): void };

type Order = { port: number; path: string | null; bytesEach: number };

/** Runs the clients: connects, makes the handshake if there is a path, and reports when all bytes have arrived. */
async function runClients({ port, path, bytesEach }: Order): Promise<void> {
  const done: Promise<void>[] = [];
  for (let n = 0; n < SOCKETS; n++) {
    const socket = connect({ port, host: '127.0.0.1' });
    await once(socket, 'connect');
    if (path !== null) {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      );
      await once(socket, 'data');
    }
    let missing = bytesEach;
    done.push(
      new Promise((resolve) => {
        socket.on('data', (chunk) => {
          missing -= chunk.length;
          if (missing > 0) return;
          socket.destroy();
          resolve();
        });
      }),
    );
  }
  process.send?.('connected');
  await Promise.all(done);
  process.send?.('done');
}

/** Returns the time from the first event to the last byte at the last client, in ms. */
async function measure(side: Side, clients: ChildProcess, order: Order): Promise<number> {
  clients.send(order);
  await once(clients, 'message');
  // The server may still have to accept the last connections.
  while (side.connections.length < SOCKETS) await new Promise((resolve) => setImmediate(resolve));
  const done = once(clients, 'message');
  const started = performance.now();
  for (let n = 0; n < EVENTS; n++) {
    side.send(n);
    await untilReady(side.connections);
  }
  await done;
  return performance.now() - started;
}

function makeEvents(): CommittedEvent[] {
  return Array.from({ length: EVENTS }, (_, n) => ({
    ledgerId: LEDGER_ID,
    envelope: {
      id: newId('event'),
      object: 'event',
      type: 'message.received',
      event_version: EVENT_VERSION,
      created_at: new Date(),
      tenant_id: newId('tenant'),
      resource_id: newId('message'),
      sequence: 1,
      data: {
        object: 'message',
        id: newId('message'),
        from: '+16025550143',
        to: '+16025550144',
        body: `Text number ${n}: your appointment is tomorrow at nine. Reply C to confirm.`,
        status: 'received',
        created_at: new Date(),
      },
    },
  }));
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Returns the open connections of a server. The list changes as connections open and close. */
function trackConnections<Args extends unknown[]>(
  server: Server,
  event: string,
  pick: (...args: Args) => Duplex,
): Duplex[] {
  const connections: Duplex[] = [];
  server.on(event, (...args: Args) => {
    const connection = pick(...args);
    connections.push(connection);
    connection.on('error', () => connection.destroy());
    connection.on('close', () => connections.splice(connections.indexOf(connection), 1));
  });
  return connections;
}

function startOurs() {
  const listeners: ((signal: Signal) => void)[] = [];
  const context = {
    // Events enter as signals of a commit. The database and other processes are not measured.
    db: { onSignal: (listener: (signal: Signal) => void) => listeners.push(listener) } as unknown as Database,
    bus: { publish: () => undefined, subscribe: () => undefined } as unknown as Bus,
    cipher: createCipher('a secret for this benchmark'),
    clock: systemClock,
    log: pino({ level: 'silent' }),
    metrics: createMetrics(),
    settings: { publicUrl: 'http://localhost' } as Context['settings'],
  };
  const server = createHttpServer();
  attachRealtime(server, context, { ledgerSocketsMax: SOCKETS });
  const scope = { ledgerId: LEDGER_ID, accountId: 'acct_1', mode: 'test', tenantId: null, keyId: 'key_1' } as const;
  const { token } = mintRealtimeToken(context, scope);
  const emit = (payload: CommittedEvent[]) => {
    for (const listener of listeners) listener({ topic: EVENTS_TOPIC, payload });
  };
  const connections = trackConnections(server, 'upgrade', (_request: unknown, connection: Duplex) => connection);
  return { server, connections, path: `/v1/realtime?token=${token}`, emit };
}

async function main(): Promise<void> {
  const clients = fork(import.meta.filename, process.argv.slice(2), { env: { ...process.env, BENCH_CLIENTS: '1' } });
  const bareServer = createServer({ noDelay: true });
  const bare = trackConnections(bareServer, 'connection', (connection: Duplex) => connection.resume());
  const ours = startOurs();
  const [barePort, oursPort] = [await listen(bareServer), await listen(ours.server)];
  const ratios: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const events = makeEvents();
    const frames = events.map(({ envelope }) => textFrame(JSON.stringify(envelope)));
    const bytesEach = frames.reduce((sum, frame) => sum + frame.length, 0);
    const sendBare = (n: number) => {
      for (const connection of bare) connection.write(frames[n] as Buffer);
    };
    const sendOurs = (n: number) => ours.emit([events[n] as CommittedEvent]);
    const bareSide = { connections: bare, send: sendBare };
    const ourSide = { connections: ours.connections, send: sendOurs };
    const bareMs = await measure(bareSide, clients, { port: barePort, path: null, bytesEach });
    const oursMs = await measure(ourSide, clients, { port: oursPort, path: ours.path, bytesEach });
    ratios.push(bareMs / oursMs);
    const rate = Math.round((EVENTS * SOCKETS) / (oursMs / 1000));
    console.log(
      `bare ${Math.round(bareMs)} ms, ours ${Math.round(oursMs)} ms (${rate} messages/s), ratio ${(bareMs / oursMs).toFixed(2)}`,
    );
  }
  const median = ratios.toSorted((a, b) => a - b)[Math.floor(PAIRS / 2)] as number;
  console.log(`realtime fan-out, ${SOCKETS} sockets, ${EVENTS} events: ratio ${median.toFixed(2)} (to reach: 0.75)`);
  clients.disconnect();
  process.exit(median >= 0.75 ? 0 : 1);
}

if (process.env['BENCH_CLIENTS'] === '1') process.on('message', (order: Order) => runClients(order));
else await main();
