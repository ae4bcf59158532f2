import { decodeMulaw, encodeMulaw, SAMPLE_RATE } from './audio.ts';
import { Emitter } from './emitter.ts';
import { DialplaneError, parseJson } from './errors.ts';
import { Playback, type PlaybackEnd } from './playback.ts';
import { openSocket, type SocketConstructor, type SocketEnd, type SocketLike } from './sockets.ts';
import { wait } from './waits.ts';

export { decodeMulaw, encodeMulaw, MULAW_SILENCE, resample, SAMPLE_RATE } from './audio.ts';
export type { PlaybackEnd } from './playback.ts';

/** The API's reply for a new stream. */
export type StreamTicket = { url: string; token: string; direction?: 'fork' | 'bidirectional' };

export type MediaOptions = {
  /** For runtimes without a global WebSocket, such as Node 20. */
  WebSocket?: SocketConstructor | undefined;
};

/** `inbound` is the voice of the customer, `outbound` the audio that the customer hears. */
export type Track = 'inbound' | 'outbound';

/** 20 ms of one track. */
export class AudioFrame {
  readonly track: Track;
  /** Counts the frames of the track from 1. */
  readonly seq: number;
  readonly timestampMs: number;
  /** Frames between the previous one and this one that were dropped, because this client read too slowly. */
  readonly lost: number;
  readonly mulaw: Uint8Array<ArrayBuffer>;

  constructor(message: MediaMessage, lost: number) {
    this.track = message.track;
    this.seq = message.seq;
    this.timestampMs = message.timestamp_ms;
    this.lost = lost;
    this.mulaw = Uint8Array.from(atob(message.payload), (character) => character.charCodeAt(0));
  }

  /** The samples, of 16 bits at 8 kHz. */
  get pcm(): Int16Array<ArrayBuffer> {
    return decodeMulaw(this.mulaw);
  }
}

type MediaMessage = { event: 'media'; track: Track; seq: number; timestamp_ms: number; payload: string };
type Message =
  | MediaMessage
  | { event: 'start'; stream_id: string; call_id: string; tracks: Track[] }
  | { event: 'dtmf'; digit: string; track: Track }
  | { event: 'mark'; name: string }
  | { event: 'stop'; reason: string };

type Emitted = {
  start: { streamId: string; callId: string; tracks: Track[] };
  audio: AudioFrame;
  dtmf: { digit: string; track: Track };
  /** The stream has ended. */
  stop: { reason: string };
  /** The connection has ended, and with it the stream. The reason may describe an error in a message. */
  close: SocketEnd;
};

/** The node stops or cannot be reached, or the line broke. Before the stream has started, the token is still valid. */
const TRY_AGAIN = [1006, 1012, 1013];
/** The stream ends if no client has connected within 30 s. */
const CONNECT_MS = 25_000;
const WAIT_MS = 1_000;

/** A media stream: receives the audio of a call and, if it is bidirectional, plays audio to the customer. */
export class MediaConnection extends Emitter<Emitted> {
  readonly #stream: StreamTicket;
  readonly #options: MediaOptions;
  readonly #last = new Map<Track, number>();
  readonly #playback: Playback;
  readonly #ender = new AbortController();
  #socket: SocketLike | undefined;
  #isStarted = false;

  /** @param stream the reply of `client.mediaStreams.create()` */
  constructor(stream: StreamTicket, options: MediaOptions = {}) {
    super();
    this.#stream = stream;
    this.#options = options;
    this.#playback = new Playback((message) => this.#socket?.send(JSON.stringify(message)));
  }

  /**
   * Connects. Resolves when the stream has started; add the listeners before. Tries again for 25 seconds while the node
   * with the audio cannot be reached. Later a connection that is lost is not opened again: its stream has ended.
   */
  async connect(): Promise<void> {
    const limit = performance.now() + CONNECT_MS;
    for (;;) {
      this.#ender.signal.throwIfAborted();
      const end = await this.#open(limit - performance.now());
      if (end === undefined) return;
      if (TRY_AGAIN.includes(end.code) && performance.now() < limit) await wait(WAIT_MS, this.#ender.signal);
      else throw errorOf(end);
    }
  }

  /**
   * Plays audio to the customer, after audio that is already playing: samples at 8 kHz, or mu-law. It may be of any
   * length. Resolves when the last sample was played, when `clear()` dropped it, or when the stream has ended.
   */
  play(audio: Int16Array | Uint8Array): Promise<PlaybackEnd> {
    if (this.#stream.direction === 'fork') {
      throw new DialplaneError('invalid_argument', 'The stream is a fork: it plays nothing. Ask for "bidirectional".');
    }
    if (!this.#isStarted) throw new DialplaneError('invalid_argument', 'The stream has not started: await connect().');
    if (this.#socket === undefined) return Promise.resolve('ended');
    return this.#playback.add(audio instanceof Int16Array ? encodeMulaw(audio) : audio);
  }

  /** Drops the audio that has not been played yet, for example because the customer interrupts. */
  clear(): void {
    this.#playback.clear();
  }

  /** Ends the stream. The call continues. */
  close(): void {
    this.#ender.abort(new DialplaneError('disconnected', 'close() was called.'));
    this.#socket?.close(1000);
  }

  /** Returns undefined when the stream has started, and how the connection ended if that came first. */
  #open(limitMs: number): Promise<SocketEnd | undefined> {
    const { url, token } = this.#stream;
    const socket = openSocket(url, token, this.#options.WebSocket);
    this.#socket = socket;
    const late = setTimeout(() => socket.close(), limitMs);
    return new Promise((resolve) => {
      socket.addEventListener('message', ({ data }) => {
        const message = parseJson(String(data)) as Message;
        clearTimeout(late);
        // A `stop` without a `start`: the stream ended while the client connected.
        this.#isStarted ||= message.event === 'start' || message.event === 'stop';
        this.#receive(message);
        if (this.#isStarted) resolve(undefined);
      });
      socket.addEventListener('close', ({ code, reason }) => {
        this.#socket = undefined;
        this.#playback.end();
        clearTimeout(late);
        if (this.#isStarted) this.emit('close', { code, reason });
        else resolve({ code, reason });
      });
    });
  }

  #receive(message: Message): void {
    if (message.event === 'media') {
      const lost = message.seq - (this.#last.get(message.track) ?? message.seq - 1) - 1;
      this.#last.set(message.track, message.seq);
      this.emit('audio', new AudioFrame(message, lost));
    } else if (message.event === 'mark') this.#playback.pass(message.name);
    else if (message.event === 'dtmf') this.emit('dtmf', { digit: message.digit, track: message.track });
    else if (message.event === 'stop') this.emit('stop', { reason: message.reason });
    else if (message.event === 'start') {
      this.emit('start', { streamId: message.stream_id, callId: message.call_id, tracks: message.tracks });
    }
  }
}

/** Returns how long audio takes to play, in milliseconds. */
export function durationMs(audio: Int16Array | Uint8Array): number {
  return (audio.length / SAMPLE_RATE) * 1000;
}

function errorOf({ code, reason }: SocketEnd): DialplaneError {
  const because = reason === '' ? '' : `: ${reason}`;
  if (code === 4401) return new DialplaneError('login_refused', `The token is wrong, or was used before${because}.`);
  return new DialplaneError('disconnected', `The stream was closed with ${code}${because}.`);
}
