/**
 * A leg of a call whose audio the carrier brings by WebSocket: what it sends is a source of the call's audio, what is
 * said to the customer on this node goes back to it. Streams, web clients and recorders do not see the difference from a
 * party that is simulated here.
 */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { SILENT_FRAME } from '../../audio/mixing.ts';
import { CLOSE, type CloseReason } from './close-codes.ts';
import { engineDialect } from './engine-dialect.ts';
import { createLiveQueue } from './live-queue.ts';
import { MARKS_MAX } from './playback-queue.ts';
import type { PushDialect, PushEvent } from './push-dialect.ts';
import { telnyxDialect } from './telnyx-dialect.ts';
import type { AudioSink, AudioSource, CallAudio, IngestGrant } from './types.ts';

export type CarrierPushOptions = {
  readonly webSocket: WebSocket;
  /** The socket under it. */
  readonly connection: Duplex;
  readonly grant: IngestGrant;
  readonly audio: CallAudio;
  /** Once. `ended`: the carrier said so, or we closed; `lost`: it went without a word, or spoke nonsense. */
  readonly onEnd: (how: 'ended' | 'lost') => void;
};

export type CarrierPush = {
  close(why: CloseReason): void;
  /** Pings; a carrier that has been silent since the ping before is cut off. */
  checkAlive(): void;
};

/** A carrier that is this far behind gets no more audio until it has caught up: it plays live or not at all. */
const UNWRITTEN_BYTES_MAX = 16 * 1024;

/** Joins the carrier's socket to the call's audio. */
export function openCarrierPush({ webSocket, connection, grant, audio, onEnd }: CarrierPushOptions): CarrierPush {
  const dialect = grant.dialect === 'telnyx' ? telnyxDialect() : engineDialect(grant.track);
  const queues = { inbound: createLiveQueue(), outbound: createLiveQueue() };
  const own = (['inbound', 'outbound'] as const).map((track): AudioSource => {
    return { into: [track], read: () => queues[track].read() };
  });
  let answered = true;
  let ended = false;
  const leaves: (() => void)[] = [];

  const end = (how: 'ended' | 'lost') => {
    if (ended) return;
    ended = true;
    for (const leave of leaves) leave();
    onEnd(how);
  };
  const close = ([code, text]: CloseReason, how: 'ended' | 'lost') => {
    webSocket.close(code, text);
    end(how);
  };

  const sink = grant.plays ? createSpeaker({ webSocket, connection, dialect, audio, own }) : undefined;

  const act = (event: PushEvent) => {
    if (event.type === 'media') queues[event.track].push(event.audio);
    else if (event.type === 'digit') audio.noticeDigit({ digit: event.digit, track: event.track });
    else if (event.type === 'mark') sink?.wasPlayed(event.name);
    else close(CLOSE.stopped, 'ended');
  };

  webSocket.on('message', (message: RawData, isBinary: boolean) => {
    answered = true;
    if (ended) return;
    const events = dialect.read(message as Buffer, isBinary);
    if (events === undefined) return close(CLOSE.malformed, 'lost');
    for (const event of events) act(event);
  });
  webSocket.on('pong', () => {
    answered = true;
  });
  webSocket.on('close', () => end('lost'));
  for (const source of own) leaves.push(audio.addSource(source));
  leaves.push(audio.addSink({ write: () => undefined, ...sink?.sink, end: () => close(CLOSE.stopped, 'ended') }));
  webSocket.resume();
  if (webSocket.readyState !== webSocket.OPEN) end('lost');
  if (audio.closed) close(CLOSE.stopped, 'ended');

  return {
    close: (why) => close(why, 'ended'),
    checkAlive: () => {
      if (ended) return;
      if (!answered) return webSocket.terminate();
      answered = false;
      webSocket.ping();
    },
  };
}

type SpeakerOptions = Pick<CarrierPushOptions, 'webSocket' | 'connection' | 'audio'> & {
  readonly dialect: PushDialect;
  readonly own: readonly AudioSource[];
};

/** What is said to the customer on this node, on its way to the carrier. */
function createSpeaker({ webSocket, connection, dialect, audio, own }: SpeakerOptions) {
  let marks: string[] = [];
  const send = (message: string | Uint8Array) => {
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(message);
  };
  const sink: Omit<AudioSink, 'end'> = {
    own,
    write: ({ outbound }) => {
      if (outbound !== SILENT_FRAME && connection.writableLength < UNWRITTEN_BYTES_MAX) send(dialect.media(outbound));
    },
    clear: () => {
      send(dialect.clear());
      // Whether a carrier answers for what it threw away differs; the client is owed its marks.
      const owed = marks;
      marks = [];
      for (const name of owed) audio.confirmMark(name);
    },
    reachMark: (name) => {
      const message = dialect.mark(name);
      if (message === undefined) return false;
      marks.push(name);
      // A carrier that never answers is owed nothing after so many.
      if (marks.length > MARKS_MAX) marks.shift();
      send(message);
      return true;
    },
  };
  const wasPlayed = (name: string) => {
    const at = marks.indexOf(name);
    if (at < 0) return;
    marks.splice(at, 1);
    audio.confirmMark(name);
  };
  return { sink, wasPlayed };
}
