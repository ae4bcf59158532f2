/** Streams of calls to applications: one WebSocket a leg, which the emulator opens once. */

import { WebSocket } from 'ws';
import { FRAME_MS } from '../../../src/audio/frames.ts';
import type { Calls, Leg } from '../calls/hooks.ts';
import { Refusal } from '../replies.ts';
import type { World } from '../world.ts';
import { heardAt, type Line, saidAt } from './lines.ts';
import type { Pacer } from './pacer.ts';
import {
  AUTH_TOKEN_HEADER,
  createMessages,
  type Messages,
  newStreamId,
  readMessage,
  type StreamStart,
} from './stream-frames.ts';
import { createStreamPlaying, type StreamPlaying } from './stream-playing.ts';

export type Streams = {
  /** Opens the stream of a leg. */
  start(leg: Leg, asked: StreamStart): void;
  /** Ends the stream of a leg, if it has one with this id. */
  stop(leg: Leg, streamId?: string): void;
  /** Sends a digit that the party of a leg has pressed. */
  press(leg: Leg, digit: string): void;
  has(leg: Leg): boolean;
  /** Closes all of them without a report. */
  reset(): void;
};

type Parts = {
  readonly world: World;
  readonly calls: Calls;
  readonly pacer: Pacer;
  readonly lineOf: (leg: Leg) => Line;
};

type Stream = {
  readonly id: string;
  readonly leg: Leg;
  readonly asked: StreamStart;
  readonly socket: WebSocket;
  readonly messages: Messages;
  readonly playing: StreamPlaying;
  isOpen: boolean;
  /** Stops the frames. */
  unpace: () => void;
};

const CONNECT_MS_MAX = 5_000;
const NORMAL_CLOSURES: readonly number[] = [1000, 1001, 1005];
/** The number of messages that change places with each other while a fault disturbs the order. */
const SHUFFLED = 3;

export function createStreams(parts: Parts): Streams {
  const streams = new Map<string, Stream>();
  /** Ends a stream and reports it. A stream that ends with a reason has failed. */
  const end = (stream: Stream, reason?: string) => {
    if (streams.get(stream.leg.call_control_id) !== stream) return;
    streams.delete(stream.leg.call_control_id);
    close(stream);
    if (reason === undefined) reportStream(parts, stream, 'streaming.stopped');
    else reportFailure(parts, stream, reason);
  };
  return {
    start: (leg, asked) => {
      const stream = connect(parts, leg, asked);
      streams.set(leg.call_control_id, stream);
      const { socket } = stream;
      socket.once('open', () => open(parts, stream));
      socket.on('message', (data) => receive(stream, String(data)));
      socket.once('error', (error) => end(stream, `connection_failed: ${error.message}`));
      socket.once('close', (code) => {
        const isNormal = stream.isOpen && NORMAL_CLOSURES.includes(code);
        end(stream, isNormal ? undefined : `connection_closed: ${code}`);
      });
    },
    stop: (leg, streamId) => {
      const stream = streams.get(leg.call_control_id);
      if (stream !== undefined && (streamId === undefined || streamId === stream.id)) end(stream);
    },
    press: (leg, digit) => {
      const stream = streams.get(leg.call_control_id);
      if (stream?.isOpen) stream.socket.send(stream.messages.dtmf(digit));
    },
    has: (leg) => streams.has(leg.call_control_id),
    reset: () => {
      const open = [...streams.values()];
      streams.clear();
      for (const stream of open) close(stream);
    },
  };
}

function connect(parts: Parts, leg: Leg, asked: StreamStart): Stream {
  const { organizationId: userId, settings } = parts.world;
  const { stream_url = '', stream_auth_token, stream_bidirectional_target_legs: targets = 'opposite' } = asked;
  const url = settings.streamsFail ? 'ws://127.0.0.1:1' : stream_url;
  const headers = stream_auth_token === undefined ? {} : { [AUTH_TOKEN_HEADER]: stream_auth_token };
  const id = newStreamId();
  const legs = () => [targets === 'opposite' ? null : leg, targets === 'self' ? null : leg.partner];
  return {
    id,
    leg,
    asked,
    socket: new WebSocket(url, { headers, handshakeTimeout: CONNECT_MS_MAX }),
    messages: createMessages({ leg, streamId: id, asked, userId, codec: settings.streamsCodec }),
    playing: createStreamPlaying(() => legs().flatMap((each) => (each === null ? [] : parts.lineOf(each)))),
    isOpen: false,
    unpace: () => undefined,
  };
}

function open(parts: Parts, stream: Stream): void {
  const { socket, messages, playing, leg, asked } = stream;
  stream.isOpen = true;
  socket.send(messages.connected());
  reportStream(parts, stream, 'streaming.started');
  const line = parts.lineOf(leg);
  let first: number | undefined;
  const track = asked.stream_track ?? 'inbound_track';
  const { post, flush } = createPost(parts, messages.start(), (message) => socket.send(message));
  const unpace = parts.pacer.take((frame) => {
    first ??= frame;
    const at = (frame - first) * FRAME_MS;
    if (track !== 'outbound_track') post(messages.media('inbound', at, saidAt(line, frame)));
    if (track !== 'inbound_track') post(messages.media('outbound', at, heardAt(line, frame)));
    playing.tick(frame);
  });
  stream.unpace = () => {
    unpace();
    if (socket.readyState === WebSocket.OPEN) flush();
  };
}

/**
 * Returns a function that sends media, in order and after the start. If a fault is set, three messages at a time are in
 * another order, and the start is behind them.
 */
function createPost({ world }: Parts, start: string, send: (message: string) => void) {
  const held: string[] = [];
  let isStarted = !world.settings.streamsShuffle;
  if (isStarted) send(start);
  const flush = () => {
    const [first, ...others] = held.splice(0);
    for (const each of [...others, first]) if (each !== undefined) send(each);
    if (!isStarted) send(start);
    isStarted = true;
  };
  const post = (message: string) => {
    held.push(message);
    if (!world.settings.streamsShuffle || held.length === SHUFFLED) flush();
  };
  return { post, flush };
}

function receive({ socket, messages, playing, asked }: Stream, text: string): void {
  const mode = asked.stream_bidirectional_mode ?? 'mp3';
  const message = readMessage(text, mode);
  if (message.is === 'media') playing.play(message.codes);
  else if (message.is === 'clear') playing.clear();
  else if (message.is === 'mark') playing.mark(() => socket.send(messages.mark(message.name)));
  else socket.send(messages.error(message.code, message.title));
}

function close(stream: Stream): void {
  const { socket, messages, playing } = stream;
  stream.unpace();
  playing.clear();
  if (socket.readyState === WebSocket.OPEN) socket.send(messages.stop());
  // An error of a socket that is given up needs no report.
  socket.on('error', () => undefined);
  socket.close(1000);
}

function reportStream({ calls }: Parts, { leg, asked }: Stream, type: string): void {
  calls.report(leg, type, stateOf(asked, { stream_url: asked.stream_url }));
}

function reportFailure({ calls }: Parts, { id, leg, asked }: Stream, failure_reason: string): void {
  const stream_params = { stream_url: asked.stream_url, track: asked.stream_track ?? 'inbound_track' };
  const more = { failure_reason, stream_id: id, stream_params, stream_type: 'websocket' };
  calls.report(leg, 'streaming.failed', stateOf(asked, more));
}

/** The reports of a stream repeat the state that it was started with. */
function stateOf({ client_state }: StreamStart, more: Readonly<Record<string, unknown>>) {
  return client_state === undefined ? more : { ...more, client_state };
}

/** Refuses a stream that Telnyx refuses, or that the emulator cannot send. */
export function checkStreamStart(asked: StreamStart, hasStream: boolean): void {
  const { stream_url = '', stream_codec = 'default', stream_bidirectional_codec = 'PCMU' } = asked;
  if (hasStream) throw new Refusal('90045', 'The call has a stream already.');
  if (!/^wss?:\/\/[^/]/.test(stream_url)) {
    throw new Refusal('90046', 'The stream could not be started: stream_url must be the address of a WebSocket.', {
      pointer: '/stream_url',
    });
  }
  const isMulaw = ['PCMU', 'default'].includes(stream_codec) && stream_bidirectional_codec === 'PCMU';
  const isPhone = (asked.stream_bidirectional_sampling_rate ?? 8_000) === 8_000;
  if (!isMulaw || !isPhone || asked.enable_dialogflow) {
    throw new Refusal('10015', 'the emulator streams PCMU at 8,000 Hz, and has no Dialogflow');
  }
}
