/**
 * The media gateway. Measures how many streams of two tracks one core carries at a jitter below 20 ms, and its
 * processor time, compared with plain pairs of `ws.send`. Also measures the memory of a stream, and how a client that
 * reads nothing affects the others. The clients run in a separate process. The gateway and the plain sender get equal
 * clients, one after the other. Jitter is the deviation of the interval between two ticks at a client from 20 ms (RFC
 * 3550, 6.4.1, without smoothing). Lateness is relative to an even time line of the client. So a pause makes each later
 * tick late.
 *
 *   node bench/media.ts [--streams 1000] [--seconds 8] [--pairs 3]
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import { createCallAudios } from '../src/gateway/media/call-audios.ts';
import { attachGateway } from '../src/gateway/media/gateway.ts';
import { createTicker } from '../src/gateway/media/ticker.ts';
import type { AudioSource, Frame, Track } from '../src/gateway/media/types.ts';
import type { ClientOrder, ClientReport } from './support/media-clients.ts';
import { load } from './support/processes.ts';

const { values } = parseArgs({
  options: {
    streams: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '8' },
    pairs: { type: 'string', default: '3' },
  },
});
const STREAMS = Number(values.streams);
const SECONDS = Number(values.seconds);
const PAIRS = Number(values.pairs);

const WARM_UP_MS = 2_000;
const JITTER_MS_MAX = 20;
const FRAMES: readonly Frame[] = Array.from({ length: 50 }, (_, n) =>
  Uint8Array.from({ length: 160 }, (_, i) => (n * 31 + i * 7) % 256),
);
const frameAt = (tick: number) => FRAMES[tick % FRAMES.length] as Frame;

type Side = { readonly name: string; readonly port: number; path(n: number): string };
/** `tickUs`: processor time for each tick that reached a client, in microseconds. */
type Run = ClientReport & { cores: number; tickUs: number; bytesPerStream: number };

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Starts the real gateway, with two sources in each call. */
async function startOurs(): Promise<Side> {
  const log = pino({ level: 'silent' });
  const ticker = createTicker({ onError: (error) => console.error(error) });
  const source = (track: Track): AudioSource => ({ into: [track], read: frameAt });
  const audios = createCallAudios({
    ticker,
    onError: (error) => console.error(error),
    populate: async (audio) => {
      const removals = (['inbound', 'outbound'] as const).map((track) => audio.addSource(source(track)));
      return () => removals.forEach((remove) => void remove());
    },
  });
  const server = createServer();
  attachGateway(server, {
    ...{ nodeId: 'bench', audios, log, socketsMax: 100_000 },
    agents: {
      recognize: async () => null,
      findListener: async () => undefined,
      speak: async () => new Uint8Array(),
      fetchFile: async () => ({ problem: 'No files.' }),
      sendDigits: async () => undefined,
    },
    nodes: { find: async () => undefined },
    ingests: {
      claim: async () => ({ ok: false, refused: 'no_stream' }),
      closed: async () => undefined,
      found: async () => undefined,
    },
    streams: {
      claim: async (streamId) => {
        const call = { ledgerId: 1, callId: streamId };
        const own = { dialect: 'native', accountId: 'acc_1', parameters: {} } as const;
        return { ok: true, stream: { streamId, call, direction: 'bidirectional', track: 'both', ...own } };
      },
      claimDial: async () => undefined,
      connected: async () => null,
      closed: async () => undefined,
    },
  });
  return { name: 'ours', port: await listen(server), path: (n) => `/v1/streams/bench/stm_${n}?token=x` };
}

/** Starts the naive alternative: one timer, which sends two messages to every client at each tick. */
async function startPlain(): Promise<Side> {
  const server = createServer();
  const webSockets = new WebSocketServer({ server, perMessageDeflate: false });
  const clients = new Map<WebSocket, number>();
  webSockets.on('connection', (socket) => {
    clients.set(socket, 0);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => clients.delete(socket));
  });
  setInterval(() => {
    for (const [socket, tick] of clients) {
      clients.set(socket, tick + 1);
      const payload = Buffer.from(frameAt(tick)).toString('base64');
      for (const track of ['inbound', 'outbound']) {
        socket.send(JSON.stringify({ event: 'media', track, seq: tick + 1, timestamp_ms: tick * 20, payload }));
      }
    }
  }, 20);
  return { name: 'plain', port: await listen(server), path: () => '/' };
}

async function measure(side: Side, clients: ChildProcess, slow = 0): Promise<Run> {
  const paths = Array.from({ length: STREAMS + slow }, (_, n) => side.path(n));
  const order: ClientOrder = {
    ...{ port: side.port, seconds: SECONDS, warmUpMs: WARM_UP_MS },
    paths: paths.slice(slow),
    slowPaths: paths.slice(0, slow),
  };
  const before = residentBytes();
  clients.send(order);
  await once(clients, 'message');
  const bytesPerStream = (residentBytes() - before) / STREAMS;
  const startedMs = performance.now();
  const cpu = process.cpuUsage();
  const [report] = (await once(clients, 'message')) as [ClientReport];
  const { user, system } = process.cpuUsage(cpu);
  const cores = (user + system) / 1_000 / (performance.now() - startedMs);
  await new Promise((resolve) => setTimeout(resolve, 500));
  const tickUs = (cores * SECONDS * 1e6) / report.ticks;
  const run = { ...report, cores, tickUs, bytesPerStream };
  console.log(
    `${side.name}${slow > 0 ? ' beside a slow client' : ''}: ${cores.toFixed(2)} cores, ${tickUs.toFixed(1)} us a tick, late p50 ${run.lateP50Ms.toFixed(1)} ` +
      `p99 ${run.lateP99Ms.toFixed(1)} ms, jitter p99 ${run.gapP99Ms.toFixed(1)} ms, ` +
      `${run.missing} of ${run.ticks + run.missing} ticks missing, ${Math.round(bytesPerStream / 1_024)} KiB a stream`,
  );
  return run;
}

function residentBytes(): number {
  globalThis.gc?.();
  return process.memoryUsage().rss;
}

const median = (numbers: readonly number[]) =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] as number;

async function main(): Promise<void> {
  const clients = fork(new URL('support/media-clients.ts', import.meta.url));
  const [ours, plain] = [await startOurs(), await startPlain()];
  const runs: { ours: Run; plain: Run; beside: Run }[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    runs.push({
      ours: await measure(ours, clients),
      plain: await measure(plain, clients),
      beside: await measure(ours, clients, 1),
    });
  }
  const of = (pick: (run: (typeof runs)[number]) => number) => median(runs.map(pick));
  console.log(`\n${STREAMS} streams of two tracks, medians of ${PAIRS}; ${load()}`);
  const jitterMs = of((run) => run.ours.gapP99Ms);
  console.log(
    `jitter p99 ${jitterMs.toFixed(1)} ms (to reach: ${JITTER_MS_MAX}), ` +
      `plain ${of((run) => run.plain.gapP99Ms).toFixed(1)} ms`,
  );
  console.log(
    `lateness p99 ${of((run) => run.ours.lateP99Ms).toFixed(1)} ms, plain ${of((run) => run.plain.lateP99Ms).toFixed(1)} ms`,
  );
  console.log(
    `processor: ${of((run) => run.ours.cores).toFixed(2)} cores, so ${Math.round(STREAMS / of((run) => run.ours.cores))} streams a core`,
  );
  console.log(
    `processor time of a tick, plain over ours: ${of((run) => run.plain.tickUs / run.ours.tickUs).toFixed(2)}`,
  );
  console.log(`lateness p99, plain over ours: ${of((run) => run.plain.lateP99Ms / run.ours.lateP99Ms).toFixed(2)}`);
  console.log(
    `lateness p99 beside a client that reads nothing, over without: ${of((run) => run.beside.lateP99Ms / run.ours.lateP99Ms).toFixed(2)}`,
  );
  console.log(`memory of a stream: ${Math.round((runs[0]?.ours.bytesPerStream ?? 0) / 1_024)} KiB (first run)`);
  clients.disconnect();
  process.exit(jitterMs < JITTER_MS_MAX ? 0 : 1);
}

await main();
