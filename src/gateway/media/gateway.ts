/**
 * The media sockets of a gateway node: of streams' clients (`/v1/streams/{node_id}/{stream_id}`) and of carriers
 * (`/v1/ingest/…`). Every handshake is accepted, and a refused socket is closed with a code, because browsers do not
 * show pages the status of a refused handshake. A socket whose audio is on another node is relayed to it.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { createSocketServer, takeUpgrades } from '../../http/sockets/socket-server.ts';
import { CLOSE, refuse } from './close-codes.ts';
import { createDrain, createEndReports } from './endings.ts';
import { pathOf, tokenOf } from './handshake.ts';
import { MESSAGE_BYTES_MAX } from './protocol.ts';
import { createRelays, isForwarded } from './relay.ts';
import { createIngestSessions, createStreamSessions, type IncomingSocket } from './sessions.ts';
import { monotonicClock } from './ticker.ts';
import type { CallAudios, IngestDirectory, NodeDirectory, StopReason, StreamDirectory } from './types.ts';

export type GatewayOptions = {
  /** This node's name in the addresses of streams. */
  readonly nodeId: string;
  readonly streams: StreamDirectory;
  readonly ingests: IngestDirectory;
  readonly nodes: NodeDirectory;
  readonly audios: CallAudios;
  readonly log: Logger;
  /** Time between pings; a client that has not answered by the next is cut off. */
  readonly heartbeatMs?: number;
  /** Limit of open sockets, including carriers' and relayed ones. */
  readonly socketsMax?: number;
  /** Pause before a failed report of an end is retried; it doubles each time. */
  readonly retryMs?: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
};

export type Gateway = {
  /** Ends a stream if this node has it; false if not. */
  stop(streamId: string, reason: StopReason): boolean;
  /**
   * Refuses new sockets, and resolves when the open ones have ended or were closed (1012) after `drainMs`, and all ends
   * are reported. A second call with a shorter time shortens the first.
   */
  drain(drainMs: number): Promise<void>;
  /** Open sockets: of streams, of carriers, and relayed to other nodes. */
  readonly sockets: { readonly streams: number; readonly ingests: number; readonly relays: number };
};

const HEARTBEAT_MS = 15_000;
const SOCKETS_MAX = 5_000;
const RETRY_MS = 1_000;
const STREAM_PATH = /^\/v1\/streams\/([\w-]{1,64})\/([\w-]{1,64})$/;
const INGEST_PATH = /^\/v1\/ingest\/(?:([\w-]{1,64})\/)?([\w-]{1,64})$/;

/** Serves media sockets on the server. */
export function attachGateway(server: Server, options: GatewayOptions): Gateway {
  const { nodeId, audios, log, heartbeatMs = HEARTBEAT_MS, nowMs = monotonicClock.nowMs } = options;
  const webSockets = createSocketServer(MESSAGE_BYTES_MAX);
  const reports = createEndReports({ log, retryMs: options.retryMs ?? RETRY_MS, nowMs });
  const streams = createStreamSessions({ nodeId, directory: options.streams, audios, reports, log });
  const ingests = createIngestSessions({ nodeId, directory: options.ingests, audios, reports, log });
  const relays = createRelays(options);
  const drain = createDrain(() => streams.size + ingests.size + relays.size > 0, nowMs);

  const acceptHere = (incoming: IncomingSocket, path: string) =>
    (STREAM_PATH.test(path) ? streams : ingests).accept(incoming);

  const acceptOrRelay = async (incoming: IncomingSocket, request: IncomingMessage) => {
    const path = pathOf(request);
    const [, streamNode] = STREAM_PATH.exec(path) ?? [];
    const [, ingestNode] = INGEST_PATH.exec(path) ?? [];
    const holder = streamNode ?? ingestNode ?? nodeId;
    if (holder === nodeId) return acceptHere(incoming, path);
    if (isForwarded(request)) return refuse(incoming.webSocket, CLOSE.noStream);
    const { webSocket: client, connection, token } = incoming;
    const isRelayed = await relays.forward({ client, connection, token }, { nodeId: holder, path });
    // A claim for a node that is gone fails, with the code that says why: a used token, or a stream that is over.
    if (!isRelayed) return acceptHere(incoming, path);
  };

  const accept = (webSocket: WebSocket, connection: Duplex, request: IncomingMessage) => {
    // A broken connection or protocol; the library closes the socket itself.
    webSocket.on('error', (error) => log.debug({ err: error }, 'media socket failed'));
    if (drain.hasBegun) return webSocket.close(...CLOSE.restart);
    if (webSockets.clients.size > (options.socketsMax ?? SOCKETS_MAX)) return webSocket.close(...CLOSE.full);
    // The client's messages wait until its token is checked.
    webSocket.pause();
    const streamId = pathOf(request).split('/').at(-1) as string;
    const incoming = { webSocket, connection, streamId, token: tokenOf(request) };
    acceptOrRelay(incoming, request).catch((error: unknown) => {
      log.error({ err: error, stream_id: streamId }, 'a media socket could not be served; closed it with 1011');
      refuse(webSocket, CLOSE.fault);
    });
  };

  takeUpgrades(
    server,
    (path) => STREAM_PATH.test(path) || INGEST_PATH.test(path),
    (request, connection, head) =>
      webSockets.handleUpgrade(request, connection, head, (webSocket) => accept(webSocket, connection, request)),
  );

  const heartbeat = setInterval(() => {
    for (const socket of [...streams.open(), ...ingests.open(), ...relays.open()]) socket.checkAlive();
  }, heartbeatMs).unref();

  const closeAll = () => {
    streams.closeAll();
    ingests.closeAll();
    relays.closeAll();
  };

  return {
    stop: streams.stop,
    drain: async (drainMs) => {
      await drain.wait(drainMs);
      closeAll();
      clearInterval(heartbeat);
      await reports.settled();
    },
    get sockets() {
      return { streams: streams.size, ingests: ingests.size, relays: relays.size };
    },
  };
}
