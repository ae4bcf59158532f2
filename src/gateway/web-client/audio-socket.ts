/** A socket with the audio of one leg: a source and a sink of its call's audio, until one of them ends. */
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { FRAME_MS } from '../../audio/frames.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import { createLiveQueue } from '../media/live-queue.ts';
import { createOutgoing } from '../media/outgoing.ts';
import { errorText, parseClientMessage, stopText } from '../media/protocol.ts';
import type { AudioSink, AudioSource, CallAudioLease, Frame, StopReason } from '../media/types.ts';
import type { PartyCutter } from '../media/utterance-cutter.ts';
import type { AudioGrant } from './audio-authorizer.ts';
import { type AudioChange, createAudioState } from './signals.ts';
import { createSpokenText, type SpokenText } from './spoken-text.ts';

export type AudioSocketOptions = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  readonly grant: AudioGrant;
  /** Released when the socket ends. */
  readonly lease: CallAudioLease;
  /** Cuts what the person says, if nothing else does. */
  readonly cutter?: PartyCutter | undefined;
  readonly log: Logger;
};

export type AudioSocket = {
  readonly grant: AudioGrant;
  /** What is spoken to the person, over what the person hears. It waits while the leg is on hold. */
  readonly spoken: SpokenText;
  apply(change: AudioChange): void;
  /** True while the customer is on hold: it and the web client do not hear each other. */
  setApart(isApart: boolean): void;
  /** Sends `stop` with the reason why the call's audio is over, and closes. */
  stop(reason: StopReason): void;
  close(reason: CloseReason): void;
};

/** Messages that a client may send at once, and how many more with each tick: twice what real time needs. */
const MESSAGES_MAX = 500;
const MESSAGES_PER_TICK = 2;
/** Messages that must be allowed again before a client that sent too many is read again. */
const MESSAGES_TO_RESUME = 100;
/** Messages that are not of the protocol are answered this often at once, and once more with so many ticks (1 s). */
const ERRORS_MAX = 10;
const TICKS_PER_ERROR = 50;
const BINARY = { malformed: 'messages are JSON text' };

/** Counts down what a client may send and what it is answered, and refills both with each tick. */
function createBudget() {
  let messages = MESSAGES_MAX;
  let errors = ERRORS_MAX;
  return {
    /** Returns true if a client that was paused may be read again. */
    refill: (): boolean => {
      messages = Math.min(MESSAGES_MAX, messages + MESSAGES_PER_TICK);
      errors = Math.min(ERRORS_MAX, errors + 1 / TICKS_PER_ERROR);
      return messages >= MESSAGES_TO_RESUME;
    },
    /** Counts a message. Returns false after the last one; messages that were read by then are counted too. */
    takeMessage: (): boolean => --messages > 0,
    takeError: (): boolean => {
      if (errors < 1) return false;
      errors -= 1;
      return true;
    },
  };
}

/** Joins an open socket to its call's audio. It ends with either, and may already have ended when this returns. */
export function openAudioSocket({ webSocket, connection, grant, lease, cutter, log }: AudioSocketOptions): AudioSocket {
  const { audio } = lease;
  const received = createLiveQueue();
  const outgoing = createOutgoing(connection, () => webSocket.readyState === webSocket.OPEN);
  const settings = createAudioState();
  const budget = createBudget();
  const spoken = createSpokenText();
  let said: Frame | undefined;
  let seq = 0;
  let hasEnded = false;

  const source: AudioSource = {
    into: ['outbound'],
    read: () => {
      const frame = received.read();
      said = settings.mute || settings.hold || settings.apart ? undefined : frame;
      return said;
    },
  };
  const sink: AudioSink = {
    own: [source],
    isApart: () => settings.apart,
    write: ({ agent, tick }) => {
      seq += 1;
      cutter?.write(tick, said ?? SILENT_FRAME);
      if (budget.refill() && webSocket.isPaused) webSocket.resume();
      if (settings.hold) return;
      outgoing.media([{ track: 'inbound', seq, timestampMs: tick * FRAME_MS, frame: spoken.mix(agent) }]);
    },
    // The leg is not over: the client connects again, and the carrier is asked for its audio.
    end: (reason) => (reason === 'carrier_error' ? close(CLOSE.audioLost) : stop(reason)),
  };
  const removals = [audio.addSource(source), audio.addSink(sink)];

  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    for (const remove of removals) remove();
    cutter?.end();
    spoken.end('cut_off');
    outgoing.shut();
    lease.release();
    log.debug({ leg: grant.legId, frames: seq, dropped: outgoing.droppedFrames }, 'the audio of a web client ended');
  };
  const close = (reason: CloseReason) => {
    if (hasEnded) return;
    closeSocket(webSocket, reason);
    end();
  };
  const stop = (reason: StopReason) => {
    if (hasEnded) return;
    outgoing.last(stopText(reason));
    close(CLOSE.callEnded);
  };

  webSocket.on('message', (bytes, isBinary) => {
    if (hasEnded) return;
    if (!budget.takeMessage()) webSocket.pause();
    const message = isBinary ? BINARY : parseClientMessage(String(bytes));
    if (!('malformed' in message)) {
      if (message.event === 'media') received.push(message.audio);
    } else if (budget.takeError()) outgoing.text(errorText(message.malformed));
  });
  webSocket.on('pong', (pong) => outgoing.acknowledge(pong));
  webSocket.on('close', end);
  // Either may have ended while the other was being opened.
  if (webSocket.readyState !== webSocket.OPEN) end();
  else if (audio.closed) stop('call_ended');

  return { grant, spoken, apply: settings.apply, setApart: settings.setApart, stop, close };
}
