/** A socket with the audio of one leg: a source and a sink of its call's audio, until one of them ends. */
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { FRAME_MS } from '../../audio/frames.ts';
import { createLiveQueue } from '../media/live-queue.ts';
import { createOutgoing } from '../media/outgoing.ts';
import type { AudioSink, AudioSource, CallAudioLease, StopReason } from '../media/types.ts';
import { parseClientMessage, stopText } from '../media/wire.ts';
import { type AudioChange, type AudioGrant, createAudioState } from './audio-authorizer.ts';
import { CLOSE, type CloseReason } from './protocol.ts';

export type WebClientLineOptions = {
  readonly webSocket: WebSocket;
  /** The socket under it. */
  readonly connection: Duplex;
  readonly grant: AudioGrant;
  /** Given back when the line ends. */
  readonly lease: CallAudioLease;
  readonly log: Logger;
};

export type WebClientLine = {
  readonly grant: AudioGrant;
  apply(change: AudioChange): void;
  /** Says that the call's audio is over, and why, and closes. */
  stop(reason: StopReason): void;
  close(reason: CloseReason): void;
};

/** Messages that a client may send at once, and how many more with each tick: twice what real time needs. */
const MESSAGES_MAX = 500;
const MESSAGES_PER_TICK = 2;
/** A client that sent too many is read again when it may send so many. */
const MESSAGES_TO_RESUME = 100;
const BINARY = { malformed: 'messages are JSON text' };

/** Joins an open socket with the audio of its call. The line ends with either, and may have ended when this returns. */
export function openWebClientLine({ webSocket, connection, grant, lease, log }: WebClientLineOptions): WebClientLine {
  const { audio } = lease;
  const heard = createLiveQueue();
  const outgoing = createOutgoing(connection, () => webSocket.readyState === webSocket.OPEN);
  const settings = createAudioState();
  let seq = 0;
  let budget = MESSAGES_MAX;
  let hasEnded = false;

  const source: AudioSource = {
    into: ['outbound'],
    read: () => {
      const frame = heard.read();
      return settings.mute || settings.hold ? undefined : frame;
    },
  };
  const refill = () => {
    budget = Math.min(MESSAGES_MAX, budget + MESSAGES_PER_TICK);
    if (webSocket.isPaused && budget >= MESSAGES_TO_RESUME) webSocket.resume();
  };
  const sink: AudioSink = {
    own: [source],
    write: ({ agent, tick }) => {
      seq += 1;
      refill();
      if (settings.hold) return;
      outgoing.media([{ track: 'inbound', seq, timestampMs: tick * FRAME_MS, frame: agent }]);
    },
    end: (reason) => stop(reason),
  };
  const leaves = [audio.addSource(source), audio.addSink(sink)];

  const end = () => {
    if (hasEnded) return;
    hasEnded = true;
    for (const leave of leaves) leave();
    outgoing.shut();
    lease.release();
    log.debug(
      { leg: grant.legId, frames: seq, dropped: outgoing.droppedFrames },
      'the audio of a web client has ended',
    );
  };
  const close = ([code, text]: CloseReason) => {
    if (hasEnded) return;
    // The other side's part of the closing handshake has to be read.
    webSocket.resume();
    webSocket.close(code, text);
    end();
  };
  const stop = (reason: StopReason) => {
    if (hasEnded) return;
    outgoing.last(stopText(reason));
    close(CLOSE.callEnded);
  };

  webSocket.on('message', (bytes, isBinary) => {
    if (hasEnded) return;
    if (--budget <= 0) webSocket.pause();
    const message = isBinary ? BINARY : parseClientMessage(String(bytes));
    if ('malformed' in message) return close([CLOSE.malformed[0], message.malformed]);
    if (message.event === 'media') heard.push(message.audio);
  });
  webSocket.on('pong', outgoing.acknowledge);
  webSocket.on('close', end);
  // Either may have gone while the other was fetched.
  if (webSocket.readyState !== webSocket.OPEN) end();
  else if (audio.closed) stop('call_ended');

  return {
    grant,
    apply: settings.take,
    stop,
    close,
  };
}
