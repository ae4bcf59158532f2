/**
 * Passes a stream's messages between a client who came to this node and the node that has the audio, as they are. Who
 * reads slowly on one side is not read from on the other: what waits here is bounded. Pings of the node with the audio
 * go through to the client and its pongs back, so that it sees how far the client has read, and leaves frames out as it
 * would for a client of its own.
 */
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { CLOSE, type CloseReason } from './close-codes.ts';
import { MESSAGE_BYTES_MAX } from './wire.ts';

/** Says that a handshake was forwarded, and by which node, so that none is forwarded twice. */
export const FORWARDED_HEADER = 'dialplane-forwarded-by';

export type RelayOptions = {
  /** The client's side; open and paused. */
  readonly client: WebSocket;
  /** The socket under it. */
  readonly connection: Duplex;
  /** The other node's address for this stream. */
  readonly url: string;
  readonly token: string;
  readonly nodeId: string;
  readonly onEnd: () => void;
};

export type Relay = { close(why: CloseReason): void; checkAlive(): void };

const HANDSHAKE_MS = 5_000;
/** Bytes on their way to one side beyond which the other is not read, and below which it is read again. */
const UNSENT_BYTES_MAX = 64 * 1024;
const UNSENT_BYTES_TO_RESUME = 16 * 1024;
/** A closing that was not said: the connection broke (RFC 6455, 7.4.1), or there was no code. */
const NO_CODE = 1005;
const UNSENDABLE: ReadonlySet<number> = new Set([1004, NO_CODE, 1006, 1015]);

/** Connects to the other node and passes messages on until either side is gone. */
export function openRelay({ client, connection, url, token, nodeId, onEnd }: RelayOptions): Relay {
  const far = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}`, [FORWARDED_HEADER]: nodeId },
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: HANDSHAKE_MS,
    followRedirects: false,
    autoPong: false,
  });
  const silent = new Set<WebSocket>();
  let lastPing: Buffer = Buffer.alloc(0);
  let wasOpen = false;
  let ended = false;

  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  const close = (why: CloseReason) => {
    client.resume();
    shut(client, why);
    shut(far, why);
    end();
  };

  far.on('open', () => {
    wasOpen = true;
    pass(client, far, () => undefined);
    pass(far, client, () => corkTurn(connection));
    client.resume();
  });
  // An error is always followed by a close.
  far.on('error', () => undefined);
  far.on('close', (code, reason) => {
    client.resume();
    if (!wasOpen) shut(client, CLOSE.unreachable);
    // The node was not lost: it has cut off a client who answers nothing.
    else if (code === 1006 && silent.has(client)) client.terminate();
    else shut(client, code === 1006 ? CLOSE.restart : closeOf(code, reason));
    end();
  });
  client.on('close', (code, reason) => {
    far.resume();
    shut(far, closeOf(code, reason));
    end();
  });
  // What was read before a ping, only the client knows: the answer must be its own, in its place among the messages.
  far.on('ping', (ping) => {
    lastPing = ping;
    if (client.readyState !== client.OPEN) return;
    corkTurn(connection);
    client.ping(ping);
  });
  client.on('pong', (pong) => {
    if (far.readyState === far.OPEN) far.pong(pong);
  });
  for (const side of [client, far]) {
    for (const sign of ['message', 'pong'] as const) side.on(sign, () => silent.delete(side));
  }

  const checkSide = (side: WebSocket, ping?: Buffer) => {
    if (side.readyState !== side.OPEN) return;
    // What it answers cannot be seen while it is not read; then the other side is the one to judge.
    if (silent.has(side) && !side.isPaused) return side.terminate();
    silent.add(side);
    side.ping(ping);
  };

  return {
    close,
    checkAlive: () => {
      // The same again: who answers the last of several pings only (RFC 6455, 5.5.3) still answers the other node's.
      checkSide(client, lastPing);
      checkSide(far);
    },
  };
}

function pass(from: WebSocket, to: WebSocket, beforeSend: () => void): void {
  const resume = () => {
    if (from.isPaused && to.bufferedAmount <= UNSENT_BYTES_TO_RESUME) from.resume();
  };
  from.on('message', (message, isBinary) => {
    if (to.readyState !== to.OPEN) return;
    beforeSend();
    to.send(message, { binary: isBinary }, resume);
    if (to.bufferedAmount > UNSENT_BYTES_MAX) from.pause();
  });
}

/** What came together, both tracks of a tick above all, goes on together. */
function corkTurn(connection: Duplex): void {
  if (connection.writableCorked > 0) return;
  connection.cork();
  process.nextTick(() => connection.uncork());
}

function closeOf(code: number, reason: Buffer): CloseReason {
  return UNSENDABLE.has(code) ? [1000, ''] : [code, reason.toString()];
}

function shut(side: WebSocket, [code, text]: CloseReason): void {
  if (side.readyState === side.CONNECTING) side.terminate();
  else side.close(code, text);
}
