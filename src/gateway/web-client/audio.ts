/**
 * The audio of web clients: GET /v1/softphone/audio/{node_id}?token=… . A web client is one source and one sink of its call's audio: its frames
 * go to the customer (`outbound`), and it is sent what the agent hears, as the frames of a media stream's inbound track.
 * A socket ends with its leg, and with its web client: a signal says where to look, and a heartbeat where it was lost.
 * A socket for another node is passed on to there, as the audio of a call is in one place.
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
import { createDrain } from '../media/drain.ts';
import { isForwarded, pathOf, tokenOf } from '../media/handshake.ts';
import { createRelays } from '../media/relays.ts';
import type { CallAudios, NodeDirectory } from '../media/types.ts';
import type { AudioDoor } from './audio-authorizer.ts';
import { openWebClientLine, type WebClientLine } from './audio-line.ts';
import { createLiveness } from './liveness.ts';
import { CLOSE, SOFTPHONE_AUDIO_PATH } from './protocol.ts';
import { onWebClientSignal } from './signals.ts';
import { readStandings } from './standing.ts';

export type WebClientAudioOptions = {
  /** This node's name in the addresses of audio, and where the others are. */
  readonly nodeId: string;
  readonly nodes: NodeDirectory;
  readonly door: AudioDoor;
  readonly audios: CallAudios;
  readonly webClientPortOf: (ledger: Ledger) => WebClientPort | undefined;
  /** How often all are looked at; within it a socket ends even if signals are lost. */
  readonly heartbeatMs?: number;
};

export type WebClientAudio = {
  /** Sockets with the audio of a leg. */
  readonly size: number;
  /**
   * Takes no more sockets, and resolves when those there are have ended, or have been closed (1012) after `drainMs`. A
   * second call with less patience shortens the first.
   */
  drain(drainMs: number): Promise<void>;
};

/** A second of audio in one message is plenty. */
const MESSAGE_BYTES_MAX = 16_384;
const HEARTBEAT_MS = 3_000;
const PING_EVERY = 4;
const AUDIO_PATH = new RegExp(`^${SOFTPHONE_AUDIO_PATH}(?:/([\\w-]{1,64}))?$`);

/** Serves the audio of web clients on the server. */
export function attachWebClientAudio(
  server: Server,
  { db, bus, log }: Pick<Context, 'db' | 'bus' | 'log'>,
  options: WebClientAudioOptions,
): WebClientAudio {
  const { nodeId, door, audios, webClientPortOf, heartbeatMs = HEARTBEAT_MS } = options;
  const relays = createRelays(options);
  /** By leg. */
  const lines = new Map<string, WebClientLine>();
  const liveness = createLiveness();
  const webSockets = createSocketServer(MESSAGE_BYTES_MAX);
  const drain = createDrain(() => lines.size + relays.size > 0);

  const due = new Set<WebClientLine>();
  const lookAtDue = coalesce(async () => {
    const these = [...due];
    due.clear();
    for (const [ledgerId, ofLedger] of Map.groupBy(these, ({ grant }) => grant.ledgerId)) {
      const grants = ofLedger.map(({ grant }) => grant);
      const standingOf = await readStandings(db, webClientPortOf, ledgerId, grants);
      for (const line of ofLedger) {
        const standing = standingOf(line.grant);
        if (standing === 'revoked') line.close(CLOSE.revoked);
        if (standing === 'over') line.stop('call_ended');
      }
    }
  });
  const look = (these: Iterable<WebClientLine>) => {
    for (const line of these) due.add(line);
    if (due.size > 0) ignoreError(lookAtDue(), log, 'the heartbeat looks again');
  };

  const admit = async (webSocket: WebSocket, connection: Duplex, token: string): Promise<void> => {
    const grant = door.open(token);
    if (grant === undefined) return webSocket.close(...CLOSE.badToken);
    const { legId, ledgerId, callId } = grant;
    const standingOf = await readStandings(db, webClientPortOf, ledgerId, [grant]);
    if (standingOf(grant) !== 'up') return webSocket.close(...CLOSE.badToken);
    const lease = await audios.acquire({ ledgerId, callId });
    if (drain.hasBegun) webSocket.close(...CLOSE.restart);
    if (webSocket.readyState !== webSocket.OPEN) return lease.release();
    lines.get(legId)?.close(CLOSE.replaced);
    const line = openWebClientLine({ webSocket, connection, grant, lease, log });
    lines.set(legId, line);
    webSocket.on('close', () => {
      if (lines.get(legId) === line) lines.delete(legId);
    });
    // What has happened since it was asked was told of before there was a line to look at.
    look([line]);
  };

  const receive = async (webSocket: WebSocket, connection: Duplex, request: IncomingMessage): Promise<void> => {
    const path = pathOf(request);
    const [, holder = nodeId] = AUDIO_PATH.exec(path) ?? [];
    const token = tokenOf(request);
    if (holder === nodeId) return admit(webSocket, connection, token);
    // What it says meanwhile waits until somebody takes it.
    webSocket.pause();
    const caller = { client: webSocket, connection, token };
    const isPassedOn = !isForwarded(request) && (await relays.forward(caller, { nodeId: holder, path }));
    if (!isPassedOn) refuse(webSocket, MEDIA_CLOSE.unreachable);
  };

  const welcome = (webSocket: WebSocket, connection: Duplex, request: IncomingMessage) => {
    webSocket.on('error', (error) => log.debug({ err: error }, 'web client audio socket failed'));
    liveness.watch(webSocket);
    if (drain.hasBegun) return webSocket.close(...CLOSE.restart);
    receive(webSocket, connection, request).catch((error: unknown) => {
      log.error({ err: error }, 'the audio of a web client could not begin');
      refuse(webSocket, CLOSE.fault);
    });
  };

  takeUpgrades(
    server,
    (path) => AUDIO_PATH.test(path),
    (request, connection, head) =>
      webSockets.handleUpgrade(request, connection, head, (webSocket) => welcome(webSocket, connection, request)),
  );

  door.onSet((legId, settings) => lines.get(legId)?.apply(settings));
  onWebClientSignal(bus, ({ ledgerId, webClientId }) =>
    look([...lines.values()].filter(({ grant }) => grant.ledgerId === ledgerId && grant.webClientId === webClientId)),
  );
  bus.onGap(() => look(lines.values()));
  let beats = 0;
  const heartbeat = setInterval(() => {
    if (beats++ % PING_EVERY === 0) {
      liveness.pingAll(webSockets.clients);
      for (const relay of relays.open()) relay.checkAlive();
    }
    look(lines.values());
  }, heartbeatMs).unref();

  return {
    get size() {
      return lines.size;
    },
    drain: async (drainMs) => {
      await drain.wait(drainMs);
      for (const line of lines.values()) line.close(CLOSE.restart);
      relays.closeAll();
      for (const webSocket of webSockets.clients) webSocket.close(...CLOSE.restart);
      clearInterval(heartbeat);
    },
  };
}
