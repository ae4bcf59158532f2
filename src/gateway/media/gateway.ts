/**
 * The media sockets of a gateway node: sockets of streams' clients (`/v1/streams/{node_id}/{stream_id}`) and of
 * carriers (`/v1/ingest?…`). Every handshake is accepted, and a refused socket is closed with a code, because browsers
 * do not show pages the status of a refused handshake. A socket whose audio is on another node is relayed to it.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Logger } from 'pino';
import { CLOSE, closeSocket } from '../../http/sockets/close-codes.ts';
import { attachSockets, type Incoming, pathOf } from '../../http/sockets/socket-server.ts';
import { createDrain, createEndReports } from './endings.ts';
import { createIngestSessions } from './ingest-sessions.ts';
import { MESSAGE_BYTES_MAX } from './protocol.ts';
import { createRelays, isForwarded } from './relay.ts';
import { createStreamSessions, tokenOf } from './sessions.ts';
import { monotonicClock } from './ticker.ts';
import type { CallAudios, IngestDirectory, IngestName, NodeDirectory, StopReason, StreamDirectory } from './types.ts';
import type { AgentServices } from './voice-agent/types.ts';

export type GatewayOptions = {
  /** This node's name in the addresses of streams. */
  readonly nodeId: string;
  readonly streams: StreamDirectory;
  readonly ingests: IngestDirectory;
  readonly nodes: NodeDirectory;
  readonly audios: CallAudios;
  /** The functions that relays use to recognise words, speak, and act on the call. */
  readonly agents: AgentServices;
  readonly log: Logger;
  /** Time between pings. A client that has not answered a ping by the next one is cut off. */
  readonly heartbeatMs?: number;
  /** Limit of open sockets, including carriers' and relayed ones. */
  readonly socketsMax?: number;
  /** Pause before a failed report of an end is retried. It doubles with each attempt. */
  readonly retryMs?: number;
  /** A monotonic clock. */
  readonly nowMs?: () => number;
};

export type Gateway = {
  /** Connects to the address of a stream, unless it is over or was claimed before. */
  dial(streamId: string): Promise<void>;
  /** Ends a stream if this node has it; false if not. */
  stop(streamId: string, reason: StopReason): boolean;
  /**
   * Refuses new sockets. Waits until the open sockets, and sockets that are being prepared, have ended; closes the rest
   * (1012) after `drainMs`. Then waits at most 2 s until all ends are reported. A second call with a shorter time
   * shortens the first.
   */
  drain(drainMs: number): Promise<void>;
  /** Drains at once. Resolves when every connection is closed, within 6 s. */
  close(): Promise<void>;
  /** Open sockets: of streams, of carriers, and relayed to other nodes. */
  readonly sockets: { readonly streams: number; readonly ingests: number; readonly relays: number };
};

const HEARTBEAT_MS = 15_000;
const SOCKETS_MAX = 5_000;
const RETRY_MS = 1_000;
const REPORTED_WITHIN_MS = 2_000;
/** The path of the sockets of carriers. */
export const INGEST_PATH = '/v1/ingest';
const STREAM_PATH = /^\/v1\/streams\/([\w-]{1,64})\/([\w-]{1,64})$/;

/** Serves media sockets on the server. */
export function attachGateway(server: Server, options: GatewayOptions): Gateway {
  const { nodeId, nodes, audios, log, heartbeatMs = HEARTBEAT_MS, nowMs = monotonicClock.nowMs } = options;
  const reports = createEndReports({ log, retryMs: options.retryMs ?? RETRY_MS, nowMs });

  const sockets = attachSockets<Handshake>(server, {
    name: 'media',
    matches: (path) => path === INGEST_PATH || STREAM_PATH.test(path),
    messageBytesMax: MESSAGE_BYTES_MAX,
    socketsMax: options.socketsMax ?? SOCKETS_MAX,
    pings: { everyMs: heartbeatMs, answer: 'any' },
    log,
    // A token can be used once. So it is claimed after the handshake, when its client is certainly connected.
    authorize: (request) => readHandshake(request),
    serve: (incoming, handshake) => {
      // The socket stays paused until the token of its client is checked.
      incoming.webSocket.pause();
      return acceptOrRelay(incoming, handshake);
    },
  });
  const { heartbeat } = sockets;
  const { agents } = options;
  const streams = createStreamSessions({ nodeId, directory: options.streams, audios, agents, reports, heartbeat, log });
  const ingests = createIngestSessions({ nodeId, directory: options.ingests, audios, reports, heartbeat, log });
  const relays = createRelays({ nodeId, nodes, heartbeat });
  // A socket counts from its arrival, because its token may be claimed before its first frame is read.
  const drained = createDrain(() => sockets.arriving + streams.size + ingests.size + relays.size > 0, nowMs);

  const acceptOrRelay = async ({ webSocket, connection }: Incoming, handshake: Handshake) => {
    const { path, token, holder = nodeId } = handshake;
    const accept = () =>
      'streamId' in handshake
        ? streams.accept({ webSocket, connection, token, streamId: handshake.streamId })
        : ingests.accept({ webSocket, connection, token, name: handshake.name });
    if (holder === nodeId) return accept();
    if (handshake.isForwarded) return closeSocket(webSocket, CLOSE.noStream);
    const isRelayed = await relays.forward({ client: webSocket, connection, token }, { nodeId: holder, path });
    // If the node is lost, the claim fails with the code of the reason: a used token, or a stream that is over.
    if (!isRelayed) return accept();
  };

  const drain = async (drainMs: number) => {
    sockets.refuseNew();
    await drained.wait(drainMs);
    streams.closeAll();
    ingests.closeAll();
    relays.closeAll();
    await Promise.all([sockets.arrived(), streams.dialled()]);
    await reports.settle(REPORTED_WITHIN_MS);
  };

  return {
    stop: streams.stop,
    dial: streams.dial,
    drain,
    close: async () => {
      await drain(0);
      await sockets.close();
      await reports.settle(REPORTED_WITHIN_MS);
    },
    get sockets() {
      return { streams: streams.size, ingests: ingests.size, relays: relays.size };
    },
  };
}

/** The parameters in the request of a media socket. */
type Handshake = {
  /** The path of the request, as it is forwarded to the node with the audio. */
  readonly path: string;
  readonly token: string;
  /** The node that has the audio; absent in an address that any node may serve. */
  readonly holder: string | undefined;
  readonly isForwarded: boolean;
} & ({ readonly streamId: string } | { readonly name: IngestName });

function readHandshake(request: IncomingMessage): Handshake {
  const path = pathOf(request);
  const shared = { token: tokenOf(request), isForwarded: isForwarded(request) };
  const [, holder, streamId = ''] = STREAM_PATH.exec(path) ?? [];
  if (path !== INGEST_PATH) return { ...shared, path, holder, streamId };
  const query = new URLSearchParams(request.url?.split('?', 2)[1]);
  const [node, callId, legId] = ['node', 'call', 'leg'].map((field) => (query.get(field) ?? '').slice(0, ID_CHARS_MAX));
  const track = TRACKS.find((candidate) => candidate === query.get('track')) ?? 'both';
  query.delete('token');
  return {
    ...shared,
    path: `${path}?${query}`,
    holder: node === '' ? undefined : node,
    name: { callId: callId as string, legId: legId as string, track },
  };
}

/** No id is longer. */
const ID_CHARS_MAX = 64;
const TRACKS = ['inbound', 'outbound', 'both'] as const;
