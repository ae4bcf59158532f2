/**
 * The audio of seats: GET /v1/softphone/audio?token=… . A seat is one source and one sink of its call's audio: its frames
 * go to the customer (`outbound`), and it is sent what the agent hears, as the frames of a media stream's inbound track.
 */
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../context.ts';
import { findLedger } from '../db/ledgers.ts';
import { takeUpgrades } from '../http/upgrades.ts';
import type { Ledger } from '../lib/scope.ts';
import { createLiveQueue } from '../media/live-queue.ts';
import { createOutgoing } from '../media/outgoing.ts';
import type { AudioSink, AudioSource, CallAudioLease, CallAudios } from '../media/types.ts';
import { parseClientMessage, stopText } from '../media/wire.ts';
import type { AudioDoor, AudioGrant, AudioSettings } from './audio-door.ts';
import { CLOSE, type CloseReason, SOFTPHONE_AUDIO_PATH } from './protocol.ts';
import type { SeatLines } from './seat-lines.ts';

export type SeatAudioOptions = {
  readonly door: AudioDoor;
  readonly audios: CallAudios;
  readonly linesOf: (ledger: Ledger) => SeatLines | undefined;
};

export type SeatAudio = { close(): void };

/** A second of audio in one message is plenty. */
const MESSAGE_BYTES_MAX = 16_384;
const CLOSING_MS = 5_000;
const FRAME_MS = 20;

/** A socket with the audio of one leg. */
type Line = { readonly legId: string; apply(settings: AudioSettings): void; close(reason: CloseReason): void };

/** Serves the audio of seats on the server. */
export function attachSeatAudio(
  server: Server,
  { db, log }: Pick<Context, 'db' | 'log'>,
  { door, audios, linesOf }: SeatAudioOptions,
): SeatAudio {
  const lines = new Map<string, Line>();
  const webSockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    closeTimeout: CLOSING_MS,
  } as ConstructorParameters<typeof WebSocketServer>[0]);

  door.onSet((legId, settings) => lines.get(legId)?.apply(settings));

  const isUp = async ({ ledgerId, webClientId, legId }: AudioGrant): Promise<boolean> => {
    const ledger = await findLedger(db, ledgerId);
    const legs = ledger && (await linesOf(ledger)?.list(ledger, webClientId, []));
    return legs?.some((leg) => leg.legId === legId && leg.state === 'up') ?? false;
  };

  const admit = async (webSocket: WebSocket, connection: Duplex, token: string): Promise<void> => {
    const grant = door.open(token);
    if (grant === undefined || !(await isUp(grant))) return webSocket.close(...CLOSE.badToken);
    const { legId, ledgerId, callId } = grant;
    const lease = await audios.acquire({ ledgerId, callId });
    lines.get(legId)?.close(CLOSE.replaced);
    const line = openLine({ webSocket, connection, legId, lease, log });
    lines.set(legId, line);
    webSocket.on('close', () => {
      if (lines.get(legId) === line) lines.delete(legId);
    });
    if (webSocket.readyState !== webSocket.OPEN) line.close(CLOSE.callEnded);
  };

  takeUpgrades(
    server,
    (path) => path === SOFTPHONE_AUDIO_PATH,
    (request, connection, head) =>
      webSockets.handleUpgrade(request, connection, head, (webSocket) => {
        webSocket.on('error', (error) => log.debug({ err: error }, 'seat audio socket failed'));
        admit(webSocket, connection, tokenOf(request)).catch((error: unknown) => {
          log.error({ err: error }, 'the audio of a seat could not begin');
          webSocket.close(...CLOSE.fault);
        });
      }),
  );

  return {
    close: () => {
      for (const webSocket of webSockets.clients) webSocket.close(...CLOSE.restart);
    },
  };
}

function tokenOf(request: IncomingMessage): string {
  return new URLSearchParams(request.url?.split('?', 2)[1]).get('token') ?? '';
}

type LineOptions = {
  readonly webSocket: WebSocket;
  readonly connection: Duplex;
  readonly legId: string;
  readonly lease: CallAudioLease;
  readonly log: Logger;
};

/** Joins a socket with the audio of its call, until one of them ends. */
function openLine({ webSocket, connection, legId, lease, log }: LineOptions): Line {
  const { audio } = lease;
  const heard = createLiveQueue();
  const outgoing = createOutgoing(connection, () => webSocket.readyState === webSocket.OPEN);
  let settings: AudioSettings = {};
  let seq = 0;
  const source: AudioSource = {
    into: ['outbound'],
    read: () => {
      const frame = heard.read();
      return settings.mute === true || settings.hold === true ? undefined : frame;
    },
  };
  const sink: AudioSink = {
    own: [source],
    write: ({ agent, tick }) => {
      seq += 1;
      if (settings.hold === true) return;
      outgoing.media([{ track: 'inbound', seq, timestampMs: tick * FRAME_MS, frame: agent }]);
    },
    end: (reason) => {
      outgoing.last(stopText(reason));
      close(CLOSE.callEnded);
    },
  };
  const removeSource = audio.addSource(source);
  const removeSink = audio.addSink(sink);
  const close = (reason: CloseReason) => webSocket.close(...reason);
  webSocket.on('message', (data, isBinary) => {
    const message = isBinary ? undefined : parseClientMessage(String(data));
    if (message === undefined || 'malformed' in message) return close(CLOSE.malformed);
    if (message.event === 'media') heard.push(message.audio);
  });
  webSocket.on('close', () => {
    removeSource();
    removeSink();
    outgoing.shut();
    lease.release();
    log.debug({ leg: legId, frames: seq, dropped: outgoing.droppedFrames }, 'the audio of a seat has ended');
  });
  return {
    legId,
    apply: (change) => {
      settings = { ...settings, ...change };
    },
    close,
  };
}
