/**
 * The audio sockets of web clients: GET /v1/softphone/audio/{node_id}?token=… . A web client is one source and one sink
 * of its call's audio. Its frames go to the customer (`outbound`). It is sent what the agent hears, as the frames of a
 * media stream's inbound track.
 *
 * A socket ends with its leg or its web client: after a signal, or at the next heartbeat if the signal was lost. A
 * socket for another node is relayed to it, because the audio of a call is on one node.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { WebClientPort } from '../../carriers/ports/web-client.ts';
import type { Context } from '../../context.ts';
import { createSocketServer, takeUpgrades } from '../../http/sockets/socket-server.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { ignoreError } from '../../lib/ignore-error.ts';
import type { Ledger } from '../../lib/scope.ts';
import { CLOSE as MEDIA_CLOSE, refuse } from '../media/close-codes.ts';
import { createDrain } from '../media/endings.ts';
import { pathOf, tokenOf } from '../media/handshake.ts';
import { createRelays, isForwarded } from '../media/relay.ts';
import type { CallAudios, NodeDirectory } from '../media/types.ts';
import { type AudioAuthorizer, readGrantStates } from './audio-authorizer.ts';
import { type AudioSocket, openAudioSocket } from './audio-socket.ts';
import { createLiveness } from './liveness.ts';
import { CLOSE, SOFTPHONE_AUDIO_PATH } from './protocol.ts';
import { onAudioChange, onWebClientSignal } from './signals.ts';

export type WebClientAudioOptions = {
  /** This node's name in audio addresses. */
  readonly nodeId: string;
  readonly nodes: NodeDirectory;
  readonly authorizer: AudioAuthorizer;
  readonly audios: CallAudios;
  readonly webClientPortOf: (ledger: Ledger) => WebClientPort | undefined;
  /** How often all sockets are checked: within it a socket ends even if its signal is lost. */
  readonly heartbeatMs?: number;
};

export type WebClientAudio = {
  /** Open sockets with the audio of a leg. */
  readonly size: number;
  /**
   * Refuses new sockets, and resolves when the open ones have ended or were closed (1012) after `drainMs`. A second
   * call with a shorter time shortens the first.
   */
  drain(drainMs: number): Promise<void>;
};

/** Room for a second of audio in one message. */
const MESSAGE_BYTES_MAX = 16_384;
const HEARTBEAT_MS = 3_000;
/** Heartbeats from one ping to the next. */
const PING_EVERY = 4;
const AUDIO_PATH = new RegExp(`^${SOFTPHONE_AUDIO_PATH}(?:/([\\w-]{1,64}))?$`);

/** Serves the audio of web clients on the server. */
export function attachWebClientAudio(
  server: Server,
  { db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>,
  options: WebClientAudioOptions,
): WebClientAudio {
  const { nodeId, authorizer, audios, webClientPortOf, heartbeatMs = HEARTBEAT_MS } = options;
  const relays = createRelays(options);
  /** By leg. */
  const sockets = new Map<string, AudioSocket>();
  const liveness = createLiveness();
  const webSockets = createSocketServer(MESSAGE_BYTES_MAX);
  const drain = createDrain(() => sockets.size + relays.size > 0);

  const due = new Set<AudioSocket>();
  const checkDue = coalesce(async () => {
    const checked = [...due];
    due.clear();
    for (const [ledgerId, ofLedger] of Map.groupBy(checked, ({ grant }) => grant.ledgerId)) {
      const grants = ofLedger.map(({ grant }) => grant);
      const stateOf = await readGrantStates(db, webClientPortOf, ledgerId, grants);
      for (const socket of ofLedger) {
        const state = stateOf(socket.grant);
        if (state === 'revoked') socket.close(CLOSE.revoked);
        if (state === 'over') socket.stop('call_ended');
      }
    }
  });
  const check = (list: Iterable<AudioSocket>) => {
    for (const socket of list) due.add(socket);
    if (due.size > 0) ignoreError(checkDue(), log, 'the heartbeat checks again');
  };

  /** Joins the socket to the call's audio, which is on this node, or closes it with the code that says why not. */
  const connect = async (webSocket: WebSocket, connection: Duplex, token: string): Promise<void> => {
    const grant = authorizer.verifyToken(token);
    if (grant === undefined) return webSocket.close(...CLOSE.badToken);
    const { legId, ledgerId, callId } = grant;
    const stateOf = await readGrantStates(db, webClientPortOf, ledgerId, [grant]);
    if (stateOf(grant) !== 'up') return webSocket.close(...CLOSE.badToken);
    const lease = await audios.acquire({ ledgerId, callId });
    if (drain.hasBegun) webSocket.close(...CLOSE.restart);
    if (webSocket.readyState !== webSocket.OPEN) return lease.release();
    sockets.get(legId)?.close(CLOSE.replaced);
    const socket = openAudioSocket({ webSocket, connection, grant, lease, log });
    sockets.set(legId, socket);
    webSocket.on('close', () => {
      if (sockets.get(legId) === socket) sockets.delete(legId);
    });
    // A signal since the grant was read found no socket to check.
    check([socket]);
  };

  const connectOrRelay = async (webSocket: WebSocket, connection: Duplex, request: IncomingMessage): Promise<void> => {
    const path = pathOf(request);
    const [, holder = nodeId] = AUDIO_PATH.exec(path) ?? [];
    const token = tokenOf(request);
    if (holder === nodeId) return connect(webSocket, connection, token);
    // The client's messages wait until the relay reads them.
    webSocket.pause();
    const caller = { client: webSocket, connection, token };
    const isRelayed = !isForwarded(request) && (await relays.forward(caller, { nodeId: holder, path }));
    if (!isRelayed) refuse(webSocket, MEDIA_CLOSE.unreachable);
  };

  const accept = (webSocket: WebSocket, connection: Duplex, request: IncomingMessage) => {
    webSocket.on('error', (error) => log.debug({ err: error }, 'web client audio socket failed'));
    liveness.watch(webSocket);
    if (drain.hasBegun) return webSocket.close(...CLOSE.restart);
    connectOrRelay(webSocket, connection, request).catch((error: unknown) => {
      log.error({ err: error }, 'the audio of a web client could not start; closed its socket with 1011');
      refuse(webSocket, CLOSE.fault);
    });
  };

  takeUpgrades(
    server,
    (path) => AUDIO_PATH.test(path),
    (request, connection, head) =>
      webSockets.handleUpgrade(request, connection, head, (webSocket) => accept(webSocket, connection, request)),
  );

  onAudioChange(bus, (legId, change) => sockets.get(legId)?.apply(change));
  onWebClientSignal(bus, ({ ledgerId, webClientId }) =>
    check(
      [...sockets.values()].filter(({ grant }) => grant.ledgerId === ledgerId && grant.webClientId === webClientId),
    ),
  );
  bus.onGap(() => check(sockets.values()));
  let beats = 0;
  const heartbeat = setInterval(() => {
    if (beats++ % PING_EVERY === 0) {
      liveness.pingAll(webSockets.clients);
      for (const relay of relays.open()) relay.checkAlive();
    }
    check(sockets.values());
  }, heartbeatMs).unref();

  return {
    get size() {
      return sockets.size;
    },
    drain: async (drainMs) => {
      await drain.wait(drainMs);
      for (const socket of sockets.values()) socket.close(CLOSE.restart);
      relays.closeAll();
      for (const webSocket of webSockets.clients) webSocket.close(...CLOSE.restart);
      clearInterval(heartbeat);
    },
  };
}
