/**
 * What the media gateway is made of, and what it asks of the rest of the program.
 * The audio of one call, its sources and its sinks are in `carriers/ports/call-audio.ts`.
 */
import type { CallAudio, CallRef, StopReason, Track } from '../../carriers/ports/call-audio.ts';

export type {
  AudioSink,
  AudioSource,
  CallAudio,
  CallRef,
  DigitNotice,
  Frame,
  Line,
  Playback,
  Populate,
  StopReason,
  TickAudio,
  Track,
} from '../../carriers/ports/call-audio.ts';

/** Somebody's hold on a call's audio; it ends when the last one is released. */
export type CallAudioLease = { readonly audio: CallAudio; release(): void };

/** The call audios of this node. */
export type CallAudios = {
  /**
   * The call's audio, made and filled with its parties if there is none yet. Rejects where that fails, and then leaves
   * nothing behind.
   */
  acquire(call: CallRef): Promise<CallAudioLease>;
  find(callId: string): CallAudio | undefined;
  readonly size: number;
};

/** Whose turn it is every 20 ms. */
export type Ticker = {
  /**
   * Calls `run` every 20 ms until the returned function is called. `tick` counts from the ticker's own beginning; it
   * jumps where the process stood still for so long (over a second) that catching up would help nobody.
   */
  add(run: (tick: number) => void): () => void;
  /** The tick that is running or comes next. */
  readonly tick: number;
  /** Stops for good. */
  stop(): void;
};

/** A stream as its client may use it. */
export type GrantedStream = {
  readonly streamId: string;
  readonly call: CallRef;
  readonly direction: 'fork' | 'bidirectional';
  readonly track: Track | 'both';
};

/** Close codes that a claim is refused with. */
export type ClaimRefusal = 1013 | 4401 | 4404;

/** How a stream that was claimed came to its end. */
export type StreamEnding = {
  readonly reason: StopReason;
  /** How long ago that was, by the monotonic clock: 0, or more where it could not be told at once. Not billed. */
  readonly lateMs: number;
};

/** What the gateway asks of the streams' owner. */
export type StreamDirectory = {
  /**
   * Uses up a stream's token, once: 4401 for one that is wrong, or was used, however long ago; 4404 for a stream that
   * is not there, or is over without anybody having come; 1013 where the audio is on another node. A rejection counts
   * as a fault of ours (close code 1011).
   */
  claim(streamId: string, token: string, nodeId: string): Promise<StreamClaim>;
  /** The client is connected and audio begins. Null, or why the stream was stopped meanwhile. */
  connected(streamId: string): Promise<StopReason | null>;
  /** Once for every claimed stream, connected or not. It is tried again while it rejects. */
  closed(streamId: string, ending: StreamEnding): Promise<void>;
};

export type StreamClaim =
  | { readonly ok: true; readonly stream: GrantedStream }
  | { readonly ok: false; readonly refused: ClaimRefusal };

/** Where the gateways are. */
export type NodeDirectory = {
  /** Base address of a living node's gateway (ws:// or wss://, without a trailing slash), or undefined. */
  find(nodeId: string): Promise<string | undefined>;
};

/** How a carrier's media socket speaks: Telnyx's JSON frames, or an engine's bare frames with JSON about them. */
export const INGEST_DIALECTS = ['telnyx', 'engine'] as const;
export type IngestDialect = (typeof INGEST_DIALECTS)[number];

export type IngestGrant = {
  readonly call: CallRef;
  readonly dialect: IngestDialect;
  /** What an engine's only track is. Telnyx names the track of each frame. */
  readonly track: Track;
  /** Whether what is said to the customer on this node is sent back. */
  readonly plays: boolean;
};

/** What the gateway asks of the owner of carriers' media sockets. */
export type IngestDirectory = {
  /** Uses up the token that the carrier was given for this stream. */
  claim(streamId: string, token: string, nodeId: string): Promise<IngestClaim>;
  /** Once for every claimed one. `ended`: the carrier said so; `lost`: it went without a word. */
  closed(streamId: string, how: 'ended' | 'lost'): Promise<void>;
};

export type IngestClaim =
  | { readonly ok: true; readonly grant: IngestGrant }
  | { readonly ok: false; readonly refused: ClaimRefusal };
