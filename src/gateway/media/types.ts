/**
 * What the media gateway is made of, and what it asks of the rest of the program.
 *
 * The audio of a call lives on one node, in a `CallAudio`, and moves in ticks of 20 ms. At each tick every source is
 * asked once for a frame, the frames are mixed by line, and every sink is given the result. Frames are 160 bytes of
 * G.711 mu-law at 8 kHz. **A frame is never changed once it was handed on**: mixing, several sinks and the queue of a
 * slow client all keep the very same bytes.
 */

/** What a stream's client hears: what the customer says, and what the customer is sent (docs/media-streams.md). */
export const TRACKS = ['inbound', 'outbound'] as const;
export type Track = (typeof TRACKS)[number];

/**
 * Where sound goes. `inbound`: from the customer's mouth, heard by the agent. `outbound`: to the customer's ear.
 * `agent`: to the agent's ear alone, as an announcement that both sides are told.
 */
export const LINES = ['inbound', 'outbound', 'agent'] as const;
export type Line = (typeof LINES)[number];

/** 20 ms of one line: 160 bytes of mu-law, never changed once handed on. */
export type Frame = Uint8Array;

/** Someone or something that makes sound in a call. */
export type AudioSource = {
  /** Where it is heard; one source may speak to both sides. */
  readonly into: readonly Line[];
  /**
   * A source that yields is heard only where no other source of the line says anything, and not at all on `outbound`
   * while a bidirectional stream is connected: what its client plays is then all that is sent.
   */
  readonly yields?: boolean;
  /**
   * The frame for this tick, or undefined while it says nothing. Asked once a tick, in ascending order; ticks that
   * were missed (see `Ticker`) are left out. Must not throw: one that does is removed from the call.
   * @param tick counted from 0 at the call audio's beginning, 20 ms each
   */
  read(tick: number): Frame | undefined;
};

/** All that was heard in one tick. A line on which nobody spoke is silence, never absent. */
export type TickAudio = {
  readonly tick: number;
  /** What the customer says. */
  readonly inbound: Frame;
  /** What the customer hears. */
  readonly outbound: Frame;
  /** What the agent hears: `inbound` and what is said to the agent alone. */
  readonly agent: Frame;
};

/** A key that a party pressed, for those who listen to the call. */
export type DigitNotice = { readonly digit: string; readonly track: Track };

/** Someone or something that listens to a call. No method may throw; a sink that does is removed from the call. */
export type AudioSink = {
  /** Sources of the same party: they are left out of `outbound` and `agent` as this sink gets them (no echo). */
  readonly own?: readonly AudioSource[];
  write(audio: TickAudio): void;
  noticeDigit?(notice: DigitNotice): void;
  /** What was played is to stop at once, also what has been sent on already. */
  clear?(): void;
  /**
   * Playback has reached a mark. True takes it over: the sink says `CallAudio.confirmMark` once it is really heard.
   */
  reachMark?(name: string): boolean;
  /** A mark is due back to the client who set it. */
  confirmMark?(name: string): void;
  /** The call's audio is over; nothing is called after it. */
  end?(reason: StopReason): void;
};

/** Why a stream ended. `no_client` is the domain's own: nobody ever connected. */
export const STOP_REASONS = ['api_request', 'call_ended', 'client_closed', 'carrier_error', 'no_client'] as const;
export type StopReason = (typeof STOP_REASONS)[number];

/** What a stream's client plays into the call: audio in order, and marks between. At most 60 s. */
export type Playback = {
  /** Plays on any number of bytes of mu-law; false when some had to be left out as the queue is full. */
  enqueue(audio: Uint8Array): boolean;
  /** Forgets what is not yet played; its marks are reached at once, in order. */
  clear(): void;
  /** Asks to be told when all that was enqueued before has been played; false when too many are waiting. */
  mark(name: string): boolean;
  readonly queuedMs: number;
  /** Takes it out of the call. */
  close(): void;
};

/** The audio of one call on this node. */
export type CallAudio = {
  readonly callId: string;
  /** Both give a function that takes it out again, which may be called twice. */
  addSource(source: AudioSource): () => void;
  addSink(sink: AudioSink): () => void;
  /** A place to play into the call, on `outbound`. */
  openPlayback(): Playback;
  /** Tells all sinks of a key. */
  noticeDigit(notice: DigitNotice): void;
  /** A sink that took a mark over says that it was heard. */
  confirmMark(name: string): void;
  /** True while a bidirectional stream is connected. */
  readonly hasPlayback: boolean;
  /** Ends every sink with the reason. May be called twice. */
  close(reason: StopReason): void;
  readonly closed: boolean;
};

/** Which call. */
export type CallRef = { readonly ledgerId: number; readonly callId: string };

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

/** Puts a call's parties into its audio (simulated ones, web clients, a recorder); gives what takes them out again. */
export type Populate = (audio: CallAudio, call: CallRef) => Promise<() => void>;

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
