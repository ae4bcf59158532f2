/**
 * The gateway's door: WebSockets of streams' clients (`/v1/streams/{node_id}/{stream_id}`) and of carriers
 * (`/v1/ingest/…`). Who knocks is let in first and refused afterwards, by a close code, as browsers do not show pages
 * the status of a refused handshake. A stream whose audio is on another node is passed on to there.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { createSocketServer, takeUpgrades } from '../../http/sockets/socket-server.ts';
import { CLOSE, refuse } from './close-codes.ts';
import { createDrain } from './drain.ts';
import { isForwarded, pathOf, tokenOf } from './handshake.ts';
import { createIngestSessions } from './ingest-sessions.ts';
import { createRelays } from './relays.ts';
import { createReports } from './reports.ts';
import { createStreamSessions } from './stream-sessions.ts';
import { monotonicClock } from './ticker.ts';
import type { CallAudios, IngestDirectory, NodeDirectory, StopReason, StreamDirectory } from './types.ts';
import { MESSAGE_BYTES_MAX } from './wire.ts';

export type GatewayOptions = {
  /** This node's name in streams' addresses. */
  readonly nodeId: string;
  readonly streams: StreamDirectory;
  readonly ingests: IngestDirectory;
  readonly nodes: NodeDirectory;
  readonly audios: CallAudios;
  readonly log: Logger;
  /** How often a ping goes out; who has not answered by the next is cut off. */
  readonly heartbeatMs?: number;
  /** Sockets of this node, carriers' and forwarded ones included. */
  readonly socketsMax?: number;
  /** Pause before an ending that could not be reported is reported again; it doubles each time. */
  readonly retryMs?: number;
  /** Monotonic. */
  readonly nowMs?: () => number;
};

export type Gateway = {
  /** Ends a stream if this node has it; false if not. */
  stop(streamId: string, reason: StopReason): boolean;
  /**
   * Takes no more sockets, and resolves when those there are have ended, or have been closed (1012) after `drainMs`,
   * and all endings are reported. A second call with less patience shortens the first.
   */
  drain(drainMs: number): Promise<void>;
  /** Open sockets: of streams, of carriers, and passed on to other nodes. */
  readonly sockets: { readonly streams: number; readonly ingests: number; readonly relays: number };
};

/** Who knocks, and where. */
export type Visit = {
  readonly webSocket: WebSocket;
  readonly connection: Duplex;
  readonly streamId: string;
  readonly token: string;
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
  const reports = createReports({ log, retryMs: options.retryMs ?? RETRY_MS, nowMs });
  const streams = createStreamSessions({ nodeId, directory: options.streams, audios, reports, log });
  const ingests = createIngestSessions({ nodeId, directory: options.ingests, audios, reports, log });
  const relays = createRelays(options);
  const drain = createDrain(() => streams.size + ingests.size + relays.size > 0, nowMs);

  /** Those to whom the door is opened here, or told why not. */
  const receive = (visit: Visit, path: string) => (STREAM_PATH.test(path) ? streams : ingests).admit(visit);

  const admit = async (visit: Visit, request: IncomingMessage) => {
    const path = pathOf(request);
    const [, streamNode] = STREAM_PATH.exec(path) ?? [];
    const [, ingestNode] = INGEST_PATH.exec(path) ?? [];
    const holder = streamNode ?? ingestNode ?? nodeId;
    if (holder === nodeId) return receive(visit, path);
    if (isForwarded(request)) return refuse(visit.webSocket, CLOSE.noStream);
    const { webSocket: client, connection, token } = visit;
    const isPassedOn = await relays.forward({ client, connection, token }, { nodeId: holder, path });
    // Nothing can be claimed for a node that is gone, but a used token or a stream that is over can be told.
    if (!isPassedOn) return receive(visit, path);
  };

  const welcome = (webSocket: WebSocket, connection: Duplex, request: IncomingMessage) => {
    // A broken connection or protocol; the library closes the socket itself.
    webSocket.on('error', (error) => log.debug({ err: error }, 'media socket failed'));
    if (drain.hasBegun) return webSocket.close(...CLOSE.restart);
    if (webSockets.clients.size > (options.socketsMax ?? SOCKETS_MAX)) return webSocket.close(...CLOSE.full);
    // What it says meanwhile waits until it is known who it is.
    webSocket.pause();
    const streamId = pathOf(request).split('/').at(-1) as string;
    const visit = { webSocket, connection, streamId, token: tokenOf(request) };
    admit(visit, request).catch((error: unknown) => {
      log.error({ err: error, stream_id: streamId }, 'media socket could not be served');
      refuse(webSocket, CLOSE.fault);
    });
  };

  takeUpgrades(
    server,
    (path) => STREAM_PATH.test(path) || INGEST_PATH.test(path),
    (request, connection, head) =>
      webSockets.handleUpgrade(request, connection, head, (webSocket) => welcome(webSocket, connection, request)),
  );

  const heartbeat = setInterval(() => {
    for (const one of [...streams.open(), ...ingests.open(), ...relays.open()]) one.checkAlive();
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
