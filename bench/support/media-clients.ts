/**
 * Clients of media streams, in a separate process. They read frames. For each tick they record how late it is, relative
 * to an even time line of the client, and by how much its interval deviates from 20 ms.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { percentile } from './postgres.ts';

/** The paths to connect to. The clients of `slow` paths read nothing after the handshake. */
export type ClientOrder = { port: number; paths: string[]; slowPaths: string[]; warmUpMs: number; seconds: number };
export type ClientReport = { lateP50Ms: number; lateP99Ms: number; gapP99Ms: number; ticks: number; missing: number };

const TICK_MS = 20;
const MESSAGES_PER_TICK = 2;
/** How many connections are opened concurrently. */
const CONNECT_AT_ONCE = 50;
/** A media message has at least this many bytes; other messages are shorter. */
const MEDIA_BYTES_MIN = 256;
const LENGTH_OF_16_BITS = 126;
const PING = 0x89;
/** FIN and the opcode. The mask consists of zeros, so the payload does not change. */
const PONG = 0x8a;
const MASKED = 0x80;

type Track = { messages: number; arrivals: number[] };

async function open(port: number, path: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
  );
  return socket;
}

/** Counts media messages after the handshake, and answers pings. */
function readTrack(socket: Socket): Track {
  const track: Track = { messages: 0, arrivals: [] };
  let rest: Buffer = Buffer.alloc(0);
  let isPastHandshake = false;
  socket.on('data', (chunk: Buffer) => {
    const nowMs = performance.timeOrigin + performance.now();
    let bytes = rest.length > 0 ? Buffer.concat([rest, chunk]) : chunk;
    if (!isPastHandshake) {
      const end = bytes.indexOf('\r\n\r\n');
      if (end < 0) {
        rest = bytes;
        return;
      }
      isPastHandshake = true;
      bytes = bytes.subarray(end + 4);
    }
    let at = 0;
    while (at + 4 <= bytes.length) {
      const short = (bytes[at + 1] as number) < LENGTH_OF_16_BITS;
      const length = short ? (bytes[at + 1] as number) - 2 : bytes.readUInt16BE(at + 2);
      if (at + 4 + length > bytes.length) break;
      if (bytes[at] === PING) socket.write(pong(bytes.subarray(at + 2, at + 4 + length)));
      if (length >= MEDIA_BYTES_MIN && ++track.messages % MESSAGES_PER_TICK === 0) track.arrivals.push(nowMs);
      at += 4 + length;
    }
    rest = Buffer.from(bytes.subarray(at));
  });
  return track;
}

function pong(payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([PONG, MASKED | payload.length, 0, 0, 0, 0]), payload]);
}

function report(tracks: readonly Track[], seconds: number): ClientReport {
  const late: number[] = [];
  const gaps: number[] = [];
  let missing = 0;
  for (const { arrivals } of tracks) {
    const offsets = arrivals.map((arrivedMs, tick) => arrivedMs - tick * TICK_MS);
    const earliest = Math.min(...offsets);
    for (const offset of offsets) late.push(offset - earliest);
    for (let i = 1; i < arrivals.length; i++) {
      gaps.push(Math.abs((arrivals[i] as number) - (arrivals[i - 1] as number) - TICK_MS));
    }
    missing += Math.max(0, Math.round((seconds * 1_000) / TICK_MS) - arrivals.length - 1);
  }
  const sort = (numbers: number[]) => Float64Array.from(numbers).sort();
  const sorted = sort(late) as unknown as number[];
  return {
    lateP50Ms: percentile(sorted, 0.5),
    lateP99Ms: percentile(sorted, 0.99),
    gapP99Ms: percentile(sort(gaps) as unknown as number[], 0.99),
    ticks: late.length,
    missing,
  };
}

async function runOrder({ port, paths, slowPaths, warmUpMs, seconds }: ClientOrder): Promise<void> {
  const sockets: Socket[] = [];
  const tracks: Track[] = [];
  for (const path of slowPaths) {
    const socket = await open(port, path);
    await once(socket, 'data');
    sockets.push(socket.pause());
  }
  for (let from = 0; from < paths.length; from += CONNECT_AT_ONCE) {
    const opened = await Promise.all(paths.slice(from, from + CONNECT_AT_ONCE).map((path) => open(port, path)));
    for (const socket of opened) {
      sockets.push(socket);
      tracks.push(readTrack(socket));
      if (socket.readableLength === 0) await once(socket, 'data');
    }
  }
  await new Promise((resolve) => setTimeout(resolve, warmUpMs));
  process.send?.('measuring');
  for (const track of tracks) {
    track.arrivals = [];
  }
  await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  const result = report(tracks, seconds);
  for (const socket of sockets) socket.destroy();
  process.send?.(result);
}

process.on('message', (order: ClientOrder) => void runOrder(order));
