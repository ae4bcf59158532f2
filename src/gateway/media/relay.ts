/**
 * Relays a socket between its client, which connected to this node, and the node that has the audio. Messages pass
 * unchanged. While one side reads slowly, this node does not read the other side, so the bytes that wait here are
 * bounded. Pings of the node with the audio pass to the client, and the client's pongs pass back. So that node measures
 * how far the client has read, and drops frames as for a direct client.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket } from 'ws';
import { CLOSE, type CloseReason } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';
import { MESSAGE_BYTES_MAX } from './protocol.ts';
import type { NodeDirectory } from './types.ts';

/** Names the node that forwarded a handshake. A forwarded handshake is not forwarded again. */
const FORWARDED_HEADER = 'dialplane-forwarded-by';

/** True for a handshake that another node has forwarded. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return headers[FORWARDED_HEADER] !== undefined;
}

export type RelayOptions = {
  /** The client's side; open and paused. */
  readonly client: WebSocket;
  /** The connection under `client`. */
  readonly connection: Duplex;
  /** The address on the other node. */
  readonly url: string;
  readonly token: string;
  readonly nodeId: string;
  readonly heartbeat: Heartbeat;
  readonly onEnd: () => void;
};

export type Relay = {
  /** Closes both sides. */
  close(reason: CloseReason): void;
};

const HANDSHAKE_MS = 5_000;
/** If one side has more unsent bytes than this, the other side is not read. */
const UNSENT_BYTES_MAX = 64 * 1024;
const UNSENT_BYTES_TO_RESUME = 16 * 1024;
/**
 * Codes that must not be in a close frame (RFC 6455, 7.4.1): 1005 is a close without a code, 1006 a broken connection.
 */
const NO_CODE = 1005;
const UNSENDABLE: ReadonlySet<number> = new Set([1004, NO_CODE, 1006, 1015]);

/** Connects to the other node and relays until either side ends. */
export function openRelay(options: RelayOptions): Relay {
  const { client, connection, url, token, nodeId, heartbeat, onEnd } = options;
  const far = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}`, [FORWARDED_HEADER]: nodeId },
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: HANDSHAKE_MS,
    followRedirects: false,
    autoPong: false,
  });
  let lastPing: Buffer = Buffer.alloc(0);
  let wasOpen = false;
  let ended = false;

  const end = () => {
    if (ended) return;
    ended = true;
    onEnd();
  };
  const close = (reason: CloseReason) => {
    client.resume();
    closeSide(client, reason);
    closeSide(far, reason);
    end();
  };

  far.on('open', () => {
    wasOpen = true;
    relayMessages(client, far, () => undefined);
    relayMessages(far, client, () => corkUntilNextTick(connection));
    client.resume();
  });
  // The library closes the socket after an error.
  far.on('error', () => undefined);
  far.on('close', (code, reason) => {
    client.resume();
    if (!wasOpen) closeSide(client, CLOSE.unreachable);
    // The node is not lost. It has cut off a client that does not answer.
    else if (code === 1006 && heartbeat.isSilent(client)) client.terminate();
    else closeSide(client, code === 1006 ? CLOSE.restart : closeOf(code, reason));
    end();
  });
  client.on('close', (code, reason) => {
    far.resume();
    closeSide(far, closeOf(code, reason));
    end();
  });
  // Only the client knows which messages it read before a ping. So the client itself must answer with the pong, in
  // order with its messages.
  far.on('ping', (ping) => {
    lastPing = ping;
    if (client.readyState !== client.OPEN) return;
    corkUntilNextTick(connection);
    client.ping(ping);
  });
  client.on('pong', (pong) => {
    if (far.readyState === far.OPEN) far.pong(pong);
  });
  // Repeats the other node's ping: a client may answer only the last of several (RFC 6455, 5.5.3). While this node does
  // not read the client, it sends no ping, because it could not see the pong. The check of the other side then applies.
  heartbeat.watch(client, { answer: 'any', ping: () => client.ping(lastPing) });
  heartbeat.watch(far, { answer: 'any' });

  return { close };
}

function relayMessages(from: WebSocket, to: WebSocket, beforeSend: () => void): void {
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

/** Sends messages that arrive together in one write, such as both tracks of a tick. */
function corkUntilNextTick(connection: Duplex): void {
  if (connection.writableCorked > 0) return;
  connection.cork();
  process.nextTick(() => connection.uncork());
}

function closeOf(code: number, reason: Buffer): CloseReason {
  return UNSENDABLE.has(code) ? [1000, ''] : [code, reason.toString()];
}

function closeSide(side: WebSocket, [code, text]: CloseReason): void {
  if (side.readyState === side.CONNECTING) side.terminate();
  else side.close(code, text);
}

/** The sockets that this node relays to other nodes. */
export type Relays = {
  /** Relays an open and paused socket. Returns false, and does nothing, if the other node is not up. */
  forward(
    caller: Pick<RelayOptions, 'client' | 'connection' | 'token'>,
    address: { readonly nodeId: string; readonly path: string },
  ): Promise<boolean>;
  /** Closes all relays, and every relay that is opened later. */
  closeAll(): void;
  readonly size: number;
};

export type RelaysOptions = {
  /** The name of this node. The other nodes receive it. */
  readonly nodeId: string;
  readonly nodes: NodeDirectory;
  readonly heartbeat: Heartbeat;
};

export function createRelays({ nodeId, nodes, heartbeat }: RelaysOptions): Relays {
  const relays = new Set<Relay>();
  let isClosed = false;
  return {
    forward: async (caller, address) => {
      const base = await nodes.find(address.nodeId);
      if (base === undefined) return false;
      const onEnd = () => relays.delete(relay);
      const relay: Relay = openRelay({ ...caller, url: base + address.path, nodeId, heartbeat, onEnd });
      relays.add(relay);
      if (isClosed) relay.close(CLOSE.restart);
      return true;
    },
    closeAll: () => {
      isClosed = true;
      for (const relay of [...relays]) relay.close(CLOSE.restart);
    },
    get size() {
      return relays.size;
    },
  };
}
