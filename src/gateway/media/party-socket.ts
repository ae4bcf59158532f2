/**
 * A socket with the audio of one person on a call. It is a source and a sink of the call's audio, until the socket or
 * the audio ends. The person is at a web client, or uses the handset of a simulated call.
 */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { FRAME_MS } from '../../audio/frames.ts';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import { createLiveQueue, type LiveQueue } from './live-queue.ts';
import { createOutgoing } from './outgoing.ts';
import { type ClientMessage, errorText, type Malformed, markText, parseClientMessage, stopText } from './protocol.ts';
import type { AudioSink, AudioSource, CallAudioLease, Frame, Line, StopReason, TickAudio } from './types.ts';
import type { PartyCutter } from './utterance-cutter.ts';

export type PartySocketOptions = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  /** Released when the socket ends. */
  readonly lease: CallAudioLease;
  /** Returns the lines that carry the person's voice; none while the voice is dropped. */
  readonly into: () => readonly Line[];
  /** True while the person must not hear the customer. */
  readonly isApart: () => boolean;
  /** True for a person who listens to the parties. */
  readonly hearsAll?: boolean;
  /** True for the audio of an agent. */
  readonly isAgent?: boolean;
  /** Returns the audio that the person hears in a tick; undefined while no audio may be sent to the socket. */
  readonly hear: (audio: TickAudio) => Frame | undefined;
  /** Cuts the person's utterances. Absent if another part does. */
  readonly cutter?: PartyCutter | undefined;
  /** Called once, at the end. */
  readonly onEnd: (counts: { readonly frames: number; readonly dropped: number }) => void;
};

export type PartySocket = {
  /** Sends `stop` with the reason for the end of the call's audio, and closes. */
  stop(reason: StopReason): void;
  close(reason: CloseReason): void;
};

/** The limit of messages: a burst, and the messages that each tick adds. It is twice what real time needs. */
const MESSAGES_MAX = 500;
const MESSAGES_PER_TICK = 2;
/** A client that sent too many messages is read again when this many are allowed. */
const MESSAGES_TO_RESUME = 100;
/** The limit of answers to marks and to invalid messages: a burst, and the ticks until one more is allowed (1 s). */
const ANSWERS_MAX = 10;
const TICKS_PER_ANSWER = 50;
const BINARY = { malformed: 'messages are JSON text' };

/** Counts a client's messages and the answers to it against their limits. Each tick refills both. */
function createBudget() {
  let messages = MESSAGES_MAX;
  let answers = ANSWERS_MAX;
  return {
    /** Returns true if a paused client may be read again. */
    refill: (): boolean => {
      messages = Math.min(MESSAGES_MAX, messages + MESSAGES_PER_TICK);
      answers = Math.min(ANSWERS_MAX, answers + 1 / TICKS_PER_ANSWER);
      return messages >= MESSAGES_TO_RESUME;
    },
    /** Counts a message. Returns false when the limit is used up. Messages that were already read are counted too. */
    takeMessage: (): boolean => --messages > 0,
    takeAnswer: (): boolean => {
      if (answers < 1) return false;
      answers -= 1;
      return true;
    },
  };
}

/** Creates the source of a person's voice. Its lines may change at each tick. */
function createSource({ into, isAgent = false }: PartySocketOptions, read: () => Frame | undefined): AudioSource {
  return {
    get into() {
      return into();
    },
    isAgent,
    read,
  };
}

/** Takes the audio of a message. Returns the answer, if there is one: the problem with the message, or its mark. */
function handleMessage(message: ClientMessage | Malformed, received: LiveQueue): string | undefined {
  if ('malformed' in message) return errorText(message.malformed);
  if (message.event === 'media') received.push(message.audio);
  return message.event === 'mark' ? markText(message.name) : undefined;
}

/**
 * Joins an open socket to its call's audio. The join ends with the socket or with the audio. That may be before this
 * function returns.
 */
export function openPartySocket(options: PartySocketOptions): PartySocket {
  const { webSocket, connection, lease, into, isApart, hearsAll = false, hear, cutter, onEnd } = options;
  const { audio } = lease;
  const received = createLiveQueue();
  const outgoing = createOutgoing(connection, () => webSocket.readyState === webSocket.OPEN);
  const budget = createBudget();
  let said: Frame | undefined;
  let seq = 0;
  let hasEnded = false;

  const source = createSource(options, () => {
    const frame = received.read();
    // The transcript contains only words that the customer can hear.
    said = into().includes('outbound') ? frame : undefined;
    return frame;
  });
  const sink: AudioSink = {
    ownSources: [source],
    isApart,
    hearsAll,
    write: (tickAudio) => {
      seq += 1;
      const { tick } = tickAudio;
      cutter?.write(tick, said ?? SILENT_FRAME);
      if (budget.refill() && webSocket.isPaused) webSocket.resume();
      const frame = hear(tickAudio);
      if (frame === undefined) return;
      outgoing.media([{ track: 'inbound', seq, timestampMs: tick * FRAME_MS, frame }]);
    },
    // The leg is not over. The client connects again, and the node asks the carrier for its audio.
    end: (reason) => (reason === 'carrier_error' ? close(CLOSE.audioLost) : stop(reason)),
  };
  const removals = [audio.addSource(source), audio.addSink(sink)];

  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    for (const remove of removals) remove();
    cutter?.end();
    outgoing.shut();
    lease.release();
    onEnd({ frames: seq, dropped: outgoing.droppedFrames });
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
    const answer = handleMessage(isBinary ? BINARY : parseClientMessage(String(bytes)), received);
    if (answer !== undefined && budget.takeAnswer()) outgoing.text(answer);
  });
  webSocket.on('pong', (pong) => outgoing.acknowledge(pong));
  webSocket.on('close', end);
  // The socket or the audio may have ended while the other was being opened.
  if (webSocket.readyState !== webSocket.OPEN) end();
  else if (audio.closed) stop('call_ended');

  return { stop, close };
}
