/**
 * A carrier's socket with the audio of a call's leg. It is a source of the call's audio, and it sends the party the
 * audio from this node. Streams, web clients and recorders need not know whether a party comes from such a socket or is
 * simulated.
 */
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { RawData, WebSocket } from 'ws';
import { SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import type { SocketDialect, SocketEvent } from '../../carriers/ports/audio.ts';
import { CLOSE, type CloseReason, closeSocket } from '../../http/sockets/close-codes.ts';
import type { Heartbeat } from '../../http/sockets/heartbeat.ts';
import type { AnswerEar } from './answer-ear.ts';
import { createLiveQueue, type LiveQueue } from './live-queue.ts';
import { MARKS_MAX } from './playback-queue.ts';
import type { AudioSink, AudioSource, CallAudio, Frame } from './types.ts';

export type CarrierSocketOptions = {
  readonly webSocket: WebSocket;
  /** The connection under the WebSocket. */
  readonly connection: Duplex;
  readonly heartbeat: Heartbeat;
  readonly dialect: SocketDialect;
  /** True for a socket that plays audio to the party. */
  readonly plays: boolean;
  /** The party of the leg. */
  readonly party: 'customer' | 'agent';
  /** The sources of all sockets of the call. Their audio is not sent back to the carrier. */
  readonly fromCarrier: AudioSource[];
  readonly audio: CallAudio;
  /** The detector of answering machines, if it gets the party's voice. */
  readonly ear?: AnswerEar | undefined;
  readonly log: Logger;
  /**
   * Called once. `ended`: the carrier ended the audio, or this node closed. `lost`: the socket closed in another way,
   * or the carrier broke the protocol.
   */
  readonly onEnd: (how: 'ended' | 'lost') => void;
};

export type CarrierSocket = {
  close(reason: CloseReason): void;
};

/** The close codes of a peer that has finished (RFC 6455 section 7.4.1). */
const NORMAL_CLOSE = 1_000;

/**
 * Above this number of unwritten bytes, audio for the carrier is dropped, because the carrier must not play late audio.
 */
const UNWRITTEN_BYTES_MAX = 16 * 1024;

/** Joins the carrier's socket to the call's audio. */
export function openCarrierSocket(options: CarrierSocketOptions): CarrierSocket {
  const { webSocket, connection, heartbeat, dialect, plays, party, fromCarrier, audio, ear, log, onEnd } = options;
  const queues = { inbound: createLiveQueue(), outbound: createLiveQueue() };
  const sources = party === 'customer' ? sourcesOfCustomer(queues, dialect) : [sourceOfAgent(queues.inbound)];
  let ended = false;
  const removals: (() => void)[] = [];

  const end = (how: 'ended' | 'lost') => {
    if (ended) return;
    ended = true;
    ear?.stop();
    for (const remove of removals) remove();
    onEnd(how);
  };
  const close = (reason: CloseReason, how: 'ended' | 'lost') => {
    closeSocket(webSocket, reason);
    end(how);
  };

  const parts = { webSocket, connection, dialect, audio, fromCarrier };
  const speaker = plays && party === 'customer' ? createSpeaker(parts) : undefined;
  const sink = party === 'customer' ? speaker?.sink : { ownSources: fromCarrier, write: createAgentWriter(parts) };

  const handle = (event: SocketEvent) => {
    if (event.type === 'media') {
      queues[event.track].push(event.audio);
      if (event.track === 'inbound') ear?.write(event.audio);
    } else if (event.type === 'digit') {
      if (party === 'customer') audio.reportDigit({ digit: event.digit, track: event.track });
    } else if (event.type === 'mark') speaker?.confirmPlayed(event.name);
    else if (event.type === 'unreadable') {
      log.warn(
        { call: audio.callId, format: event.format },
        'a carrier sends audio that cannot be read; its stream ends',
      );
      close(CLOSE.unreadable, 'lost');
    } else close(CLOSE.streamStopped, 'ended');
  };

  heartbeat.watch(webSocket, { answer: 'any' });
  webSocket.on('message', (message: RawData, isBinary: boolean) => {
    if (ended) return;
    const events = dialect.read(message as Buffer, isBinary);
    if (events === undefined) return close(CLOSE.malformed, 'lost');
    for (const event of events) handle(event);
  });
  webSocket.on('close', (code) => end(dialect.endsByClosing && code === NORMAL_CLOSE ? 'ended' : 'lost'));
  for (const source of sources) {
    removals.push(audio.addSource(source));
    fromCarrier.push(source);
  }
  removals.push(() => {
    for (const source of sources) fromCarrier.splice(fromCarrier.indexOf(source), 1);
  });
  removals.push(audio.addSink({ write: () => undefined, ...sink, end: () => close(CLOSE.streamStopped, 'ended') }));
  webSocket.resume();
  if (webSocket.readyState !== webSocket.OPEN) end('lost');
  if (audio.closed) close(CLOSE.streamStopped, 'ended');

  return {
    close: (reason) => close(reason, 'ended'),
  };
}

type Queues = Readonly<Record<'inbound' | 'outbound', LiveQueue>>;

function sourcesOfCustomer(queues: Queues, { repeatsOurs: hasOurs = false }: SocketDialect): AudioSource[] {
  return [
    { into: ['inbound'], read: () => queues.inbound.read() },
    { into: ['outbound'], isCopy: true, hasOurs, read: () => queues.outbound.read() },
  ];
}

/** Creates the source of an agent's voice. The carrier itself plays this voice to the customer. */
function sourceOfAgent(queue: LiveQueue): AudioSource {
  return { into: ['agent'], isAgent: true, read: () => queue.read() };
}

type SpeakerOptions = Pick<CarrierSocketOptions, 'webSocket' | 'connection' | 'audio' | 'dialect' | 'fromCarrier'>;

type WriterOptions = Pick<SpeakerOptions, 'webSocket' | 'connection' | 'dialect'>;

/** Creates the function that sends the carrier audio for the party. Silence is not sent. */
function createWriter({ webSocket, connection, dialect }: WriterOptions): (frame: Frame) => void {
  return (frame) => {
    if (frame === SILENT_FRAME || connection.writableLength >= UNWRITTEN_BYTES_MAX) return;
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(dialect.media(frame));
  };
}

/**
 * Creates the function that sends the carrier the audio of web clients for an agent. The carrier adds the audio of the
 * other parties.
 */
function createAgentWriter(options: WriterOptions): AudioSink['write'] {
  const write = createWriter(options);
  return ({ agent }) => write(agent);
}

/** Creates the sink that sends the carrier the customer's audio, and its marks. */
function createSpeaker({ webSocket, connection, dialect, audio, fromCarrier }: SpeakerOptions) {
  let marks: string[] = [];
  const write = createWriter({ webSocket, connection, dialect });
  const send = (message: string | Uint8Array) => {
    if (webSocket.readyState === webSocket.OPEN) webSocket.send(message);
  };
  const sink: Omit<AudioSink, 'end'> = {
    ownSources: fromCarrier,
    write: ({ outbound }) => write(outbound),
    clear: () => {
      send(dialect.clear());
      // The client must get the marks of dropped audio, but some carriers do not confirm them.
      const cleared = marks;
      marks = [];
      for (const name of cleared) audio.confirmMark(name);
    },
    reachMark: (name) => {
      const message = dialect.mark(name);
      if (message === undefined) return false;
      marks.push(name);
      // If a carrier never confirms marks, the oldest mark is forgotten.
      if (marks.length > MARKS_MAX) marks.shift();
      send(message);
      return true;
    },
  };
  const confirmPlayed = (name: string) => {
    const at = marks.indexOf(name);
    if (at < 0) return;
    marks.splice(at, 1);
    audio.confirmMark(name);
  };
  return { sink, confirmPlayed };
}
