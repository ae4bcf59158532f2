/**
 * One client of a stream, from its `start` message to the close frame.
 *
 *   start ─> media, mark, dtmf … ─> stop ─> closed        the stream is stopped: code 1000
 *     └────────────────────────────────────> closed       the client goes, breaks the protocol or does not answer
 */
import type { Duplex } from 'node:stream';
import type { RawData, WebSocket } from 'ws';
import { FRAME_MS } from '../../audio/frames.ts';
import { CLOSE, type CloseReason } from './close-codes.ts';
import { createOutgoing, mediaOf } from './outgoing.ts';
import type { AudioSink, CallAudio, GrantedStream, Playback, StopReason } from './types.ts';
import { type ClientMessage, digitText, markText, parseClientMessage, startText, stopText, tracksOf } from './wire.ts';

export type StreamSocketOptions = {
  readonly webSocket: WebSocket;
  /** The socket under it. */
  readonly connection: Duplex;
  readonly stream: GrantedStream;
  readonly audio: CallAudio;
  /** Once, however it ends. */
  readonly onEnd: (reason: StopReason) => void;
};

export type StreamSocket = {
  readonly streamId: string;
  /** Says why and closes. */
  stop(reason: StopReason, close?: CloseReason): void;
  /** Pings; a client that has been silent since the ping before is cut off. */
  checkAlive(): void;
  readonly droppedFrames: number;
};

/** Messages that a client may send at once, and how many more with each tick: ten times what real time needs. */
const MESSAGES_MAX = 5_000;
const MESSAGES_PER_TICK = 10;
/** A client that sent too many is read again when it may send so many. */
const MESSAGES_TO_RESUME = 100;

/** Sends `start` and lets the audio flow. The WebSocket is open, and paused until now. */
export function openStreamSocket(options: StreamSocketOptions): StreamSocket {
  const { webSocket, connection, stream, audio, onEnd } = options;
  const tracks = tracksOf(stream);
  const outgoing = createOutgoing(connection, () => webSocket.readyState === webSocket.OPEN);
  let playback: Playback | undefined;
  let leave: () => void = () => undefined;
  let firstTick: number | undefined;
  let budget = MESSAGES_MAX;
  let answered = true;
  let ended = false;

  const end = (reason: StopReason) => {
    if (ended) return;
    ended = true;
    outgoing.shut();
    playback?.close();
    leave();
    onEnd(reason);
  };

  const close = ([code, text]: CloseReason, reason: StopReason) => {
    if (ended) return;
    webSocket.resume();
    webSocket.close(code, text);
    end(reason);
  };

  const stop = (reason: StopReason, why: CloseReason = CLOSE.stopped) => {
    if (ended) return;
    outgoing.last(stopText(reason));
    close(why, reason);
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
    write: (heard) => {
      firstTick ??= heard.tick;
      const place = heard.tick - firstTick;
      outgoing.media(mediaOf(tracks, heard, { seq: place + 1, timestampMs: place * FRAME_MS }));
      refill();
    },
    noticeDigit: (notice) => {
      if (tracks.includes(notice.track)) sendText(digitText(notice));
    },
    confirmMark: (name) => {
      if (playback !== undefined) sendText(markText(name));
    },
    end: (reason) => stop(reason),
  };

  const receive = (message: RawData, isBinary: boolean) => {
    answered = true;
    if (ended) return;
    if (--budget <= 0) webSocket.pause();
    if (isBinary) return close(CLOSE.binary, 'client_closed');
    const parsed = parseClientMessage((message as Buffer).toString());
    if ('malformed' in parsed) return refuse(parsed.malformed);
    // To a fork it means nothing: there is nothing that it could be played into.
    if (playback !== undefined) act(parsed, playback);
  };

  const refuse = (problem: string) => close([CLOSE.malformed[0], problem], 'client_closed');

  const act = (message: ClientMessage, queue: Playback) => {
    if (message.event === 'media') queue.enqueue(message.audio);
    else if (message.event === 'clear') queue.clear();
    else if (!queue.mark(message.name)) close(CLOSE.excess, 'client_closed');
  };

  webSocket.on('message', receive);
  webSocket.on('pong', (pong) => {
    answered = true;
    outgoing.acknowledge(pong);
  });
  webSocket.on('close', () => end('client_closed'));
  sendText(startText(stream));
  if (stream.direction === 'bidirectional') playback = audio.openPlayback();
  leave = audio.addSink(sink);
  webSocket.resume();
  // Both may have happened while the stream was being prepared.
  if (webSocket.readyState !== webSocket.OPEN) end('client_closed');
  if (audio.closed) stop('call_ended');

  return {
    streamId: stream.streamId,
    stop,
    checkAlive: () => {
      if (ended) return;
      if (!answered) return cutOff();
      answered = false;
      outgoing.ping();
    },
    get droppedFrames() {
      return outgoing.droppedFrames;
    },
  };
}
