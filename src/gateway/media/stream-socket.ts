/**
 * One client of a stream, from its `start` message to the close frame.
 *
 *   start ─> media, mark, dtmf … ─> stop ─> closed        the stream is stopped: code 1000
 *     └────────────────────────────────────> closed       the client leaves, breaks the protocol or does not answer
 */
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket } from 'ws';
import { FRAME_MS } from '../../audio/frames.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';
import type { Dialect } from './dialect.ts';
import { dialectOf } from './dialects.ts';
import { createOutgoing, mediaOf, type Outgoing } from './outgoing.ts';
import { type ClientMessage, tracksOf } from './protocol.ts';
import type {
  AudioSink,
  CallAudio,
  GrantedStream,
  Playback,
  PressedDigit,
  StopReason,
  TickAudio,
  Track,
} from './types.ts';

export type StreamSocketOptions = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  readonly heartbeat: Heartbeat;
  readonly stream: GrantedStream;
  readonly audio: CallAudio;
  /** True if this node has opened the connection. */
  readonly isDialled: boolean;
  /** Called once, for every kind of end. */
  readonly onEnd: (reason: StopReason) => void;
};

export type StreamSocket = {
  readonly streamId: string;
  /** Sends `stop` with the reason, and closes. */
  stop(reason: StopReason, close?: CloseReason): void;
  readonly droppedFrames: number;
};

/** A constant, because each tick reads it, and reading it from the library takes a lookup each time. */
const { OPEN } = WebSocket;

/** The limit of messages: a burst, and the messages that each tick adds. It is ten times what real time needs. */
const MESSAGES_MAX = 5_000;
const MESSAGES_PER_TICK = 10;
/** A client that sent too many messages is read again when this many are allowed. */
const MESSAGES_TO_RESUME = 100;

/** Sends `start` and starts the audio. The WebSocket is open; this function ends its pause. */
export function openStreamSocket(options: StreamSocketOptions): StreamSocket {
  const client = new StreamClient(options);
  client.start(options);
  return client;
}

class StreamClient implements StreamSocket, AudioSink {
  readonly streamId: string;
  readonly #webSocket: WebSocket;
  readonly #outgoing: Outgoing;
  readonly #dialect: Dialect;
  readonly #tracks: readonly Track[];
  readonly #onEnd: (reason: StopReason) => void;
  #playback: Playback | undefined;
  #removeSink: () => void = () => undefined;
  #firstTick: number | undefined;
  #budget = MESSAGES_MAX;
  #ended = false;

  constructor({ webSocket, connection, stream, isDialled, onEnd }: StreamSocketOptions) {
    this.streamId = stream.streamId;
    this.#webSocket = webSocket;
    this.#dialect = dialectOf(stream);
    const form = { isMasked: isDialled, media: this.#dialect.media };
    this.#outgoing = createOutgoing(connection, () => webSocket.readyState === OPEN, form);
    this.#tracks = tracksOf(stream);
    this.#onEnd = onEnd;
  }

  start({ webSocket, heartbeat, stream, audio }: StreamSocketOptions): void {
    const outgoing = this.#outgoing;
    heartbeat.watch(webSocket, { answer: 'any', ping: () => outgoing.ping(), cutOff: () => this.#cutOff() });
    webSocket.on('message', (message, isBinary) => this.#receive(message, isBinary));
    webSocket.on('pong', (pong) => outgoing.acknowledge(pong));
    webSocket.on('close', () => this.#end('client_closed'));
    for (const text of this.#dialect.start()) this.#sendText(text);
    if (stream.direction === 'bidirectional') this.#playback = audio.openPlayback();
    this.#removeSink = audio.addSink(this);
    webSocket.resume();
    // The socket or the audio may have ended while the stream was being prepared.
    if (webSocket.readyState !== webSocket.OPEN) this.#end('client_closed');
    if (audio.closed) this.stop('call_ended');
  }

  get droppedFrames(): number {
    return this.#outgoing.droppedFrames;
  }

  stop(reason: StopReason, closeReason: CloseReason = CLOSE.streamStopped): void {
    if (this.#ended) return;
    this.#outgoing.last(this.#dialect.stop(reason));
    this.#close(closeReason, reason);
  }

  write(mixed: TickAudio): void {
    this.#firstTick ??= mixed.tick;
    const index = mixed.tick - this.#firstTick;
    const number = this.#dialect.number(this.#tracks.length);
    this.#outgoing.media(mediaOf(this.#tracks, mixed, { seq: index + 1, timestampMs: index * FRAME_MS, number }));
    this.#refill();
  }

  reportDigit(pressed: PressedDigit): void {
    if (this.#tracks.includes(pressed.track)) this.#sendText(this.#dialect.digit(pressed));
  }

  confirmMark(name: string): void {
    if (this.#playback !== undefined) this.#sendText(this.#dialect.mark(name));
  }

  end(reason: StopReason): void {
    this.stop(reason);
  }

  #receive(message: RawData, isBinary: boolean) {
    if (this.#ended) return;
    if (--this.#budget <= 0) this.#webSocket.pause();
    if (isBinary) return this.#close(CLOSE.binary, 'client_closed');
    const parsed = this.#dialect.parse((message as Buffer).toString());
    if ('malformed' in parsed) return this.#close([CLOSE.malformed[0], parsed.malformed], 'client_closed');
    // A fork has no playback: its client's messages are checked and ignored.
    if (this.#playback !== undefined) this.#handle(parsed, this.#playback);
  }

  #handle(message: ClientMessage, queue: Playback): void {
    if (message.event === 'media') queue.enqueue(message.audio);
    else if (message.event === 'clear') queue.clear();
    else if (!queue.mark(message.name)) this.#close(CLOSE.tooManyMarks, 'client_closed');
  }

  #refill(): void {
    this.#budget = Math.min(MESSAGES_MAX, this.#budget + MESSAGES_PER_TICK);
    if (this.#webSocket.isPaused && this.#budget >= MESSAGES_TO_RESUME) this.#webSocket.resume();
  }

  #sendText(text: string): void {
    if (!this.#outgoing.text(text)) this.#cutOff();
  }

  #cutOff(): void {
    this.#webSocket.terminate();
    this.#end('client_closed');
  }

  #close(closeReason: CloseReason, reason: StopReason): void {
    if (this.#ended) return;
    closeSocket(this.#webSocket, closeReason);
    this.#end(reason);
  }

  #end(reason: StopReason): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#outgoing.shut();
    this.#playback?.close();
    this.#removeSink();
    this.#onEnd(reason);
  }
}
