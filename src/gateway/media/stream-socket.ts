/**
 * One client of a stream, from its `start` message to the close frame.
 *
 *   start ─> media, mark, dtmf … ─> stop ─> closed        the stream is stopped: code 1000
 *     └────────────────────────────────────> closed       the client leaves, breaks the protocol or does not answer
 */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { FRAME_MS } from '../../audio/frames.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';
import { createOutgoing, mediaOf } from './outgoing.ts';
import {
  type ClientMessage,
  digitText,
  markText,
  parseClientMessage,
  startText,
  stopText,
  tracksOf,
} from './protocol.ts';
import type { AudioSink, CallAudio, GrantedStream, Playback, StopReason } from './types.ts';

export type StreamSocketOptions = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  readonly heartbeat: Heartbeat;
  readonly stream: GrantedStream;
  readonly audio: CallAudio;
  /** Called once, however it ends. */
  readonly onEnd: (reason: StopReason) => void;
};

export type StreamSocket = {
  readonly streamId: string;
  /** Sends `stop` with the reason, and closes. */
  stop(reason: StopReason, close?: CloseReason): void;
  readonly droppedFrames: number;
};

/** Messages that a client may send at once, and how many more with each tick: ten times what real time needs. */
const MESSAGES_MAX = 5_000;
const MESSAGES_PER_TICK = 10;
/** Messages that must be allowed again before a client that sent too many is read again. */
const MESSAGES_TO_RESUME = 100;

/** Sends `start` and starts the audio. The WebSocket is open, and paused until now. */
export function openStreamSocket(options: StreamSocketOptions): StreamSocket {
  const { webSocket, connection, heartbeat, stream, audio, onEnd } = options;
  const tracks = tracksOf(stream);
  const outgoing = createOutgoing(connection, () => webSocket.readyState === webSocket.OPEN);
  let playback: Playback | undefined;
  let removeSink: () => void = () => undefined;
  let firstTick: number | undefined;
  let budget = MESSAGES_MAX;
  let ended = false;

  const end = (reason: StopReason) => {
    if (ended) return;
    ended = true;
    outgoing.shut();
    playback?.close();
    removeSink();
    onEnd(reason);
  };

  const close = (closeReason: CloseReason, reason: StopReason) => {
    if (ended) return;
    closeSocket(webSocket, closeReason);
    end(reason);
  };

  const stop = (reason: StopReason, closeReason: CloseReason = CLOSE.streamStopped) => {
    if (ended) return;
    outgoing.last(stopText(reason));
    close(closeReason, reason);
  };

  const cutOff = () => {
    webSocket.terminate();
    end('client_closed');
  };

  const sendText = (text: string) => {
    if (!outgoing.text(text)) cutOff();
  };

  const refill = () => {
    budget = Math.min(MESSAGES_MAX, budget + MESSAGES_PER_TICK);
    if (webSocket.isPaused && budget >= MESSAGES_TO_RESUME) webSocket.resume();
  };

  const sink: AudioSink = {
    write: (mixed) => {
      firstTick ??= mixed.tick;
      const index = mixed.tick - firstTick;
      outgoing.media(mediaOf(tracks, mixed, { seq: index + 1, timestampMs: index * FRAME_MS }));
      refill();
    },
    reportDigit: (pressed) => {
      if (tracks.includes(pressed.track)) sendText(digitText(pressed));
    },
    confirmMark: (name) => {
      if (playback !== undefined) sendText(markText(name));
    },
    end: (reason) => stop(reason),
  };

  const receive = (message: RawData, isBinary: boolean) => {
    if (ended) return;
    if (--budget <= 0) webSocket.pause();
    if (isBinary) return close(CLOSE.binary, 'client_closed');
    const parsed = parseClientMessage((message as Buffer).toString());
    if ('malformed' in parsed) return closeMalformed(parsed.malformed);
    // A fork has no playback: its client's messages are checked and ignored.
    if (playback !== undefined) handle(parsed, playback);
  };

  const closeMalformed = (problem: string) => close([CLOSE.malformed[0], problem], 'client_closed');

  const handle = (message: ClientMessage, queue: Playback) => {
    if (message.event === 'media') queue.enqueue(message.audio);
    else if (message.event === 'clear') queue.clear();
    else if (!queue.mark(message.name)) close(CLOSE.tooManyMarks, 'client_closed');
  };

  heartbeat.watch(webSocket, { answer: 'any', ping: outgoing.ping, cutOff });
  webSocket.on('message', receive);
  webSocket.on('pong', outgoing.acknowledge);
  webSocket.on('close', () => end('client_closed'));
  sendText(startText(stream));
  if (stream.direction === 'bidirectional') playback = audio.openPlayback();
  removeSink = audio.addSink(sink);
  webSocket.resume();
  // Either may have ended while the stream was being prepared.
  if (webSocket.readyState !== webSocket.OPEN) end('client_closed');
  if (audio.closed) stop('call_ended');

  return {
    streamId: stream.streamId,
    stop,
    get droppedFrames() {
      return outgoing.droppedFrames;
    },
  };
}
