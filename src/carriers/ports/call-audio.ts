/**
 * The audio of one call on the node that has it: what a carrier adds sound to, and what it listens to.
 *
 * The audio moves in ticks of 20 ms. At each tick every source is read once, the frames are mixed by line, and every
 * sink gets the result. Frames are 160 bytes of G.711 mu-law at 8 kHz. **A frame is never changed once it was handed
 * on**: mixing, several sinks and the queue of a slow client all keep the same bytes.
 */

/** What the client of a stream hears: what the customer says, and what the customer is sent (docs/media-streams.md). */
export type Track = 'inbound' | 'outbound';

/**
 * Where sound goes. `inbound`: from the customer's mouth, heard by the agent. `outbound`: to the customer's ear.
 * `agent`: to the ears of agents alone, such as an announcement that is spoken to both sides, or what an agent says to
 * another one while the customer is on hold.
 */
export type Line = 'inbound' | 'outbound' | 'agent';

/** 20 ms of one line: 160 bytes of mu-law, never changed once handed on. */
export type Frame = Uint8Array;

/** A producer of sound in a call. */
export type AudioSource = {
  /** The lines on which it is heard; one source may speak to both sides. */
  readonly into: readonly Line[];
  /**
   * A source that yields is heard only while no other source of the line has a frame, and not at all on `outbound`
   * while a bidirectional stream is connected: then only what the stream's client plays is sent.
   */
  readonly yields?: boolean;
  /** True for a sound that stands for a party who says nothing, such as the tone of a simulated person. */
  readonly isFiller?: boolean;
  /**
   * Returns the frame for this tick, or undefined while the source is silent. Called once a tick, in ascending order;
   * missed ticks are skipped. Must not throw: a source that throws is removed from the call.
   * @param tick counted from 0 at the beginning of the call's audio, 20 ms each
   */
  read(tick: number): Frame | undefined;
};

/** What was heard in one tick. A line without sound is silence, never absent. */
export type TickAudio = {
  readonly tick: number;
  /** What the customer says. */
  readonly inbound: Frame;
  /** What the customer hears. */
  readonly outbound: Frame;
  /** What the agent hears: `inbound` and what is said to the agent alone. For a sink that `hearsAll`, all of it. */
  readonly agent: Frame;
};

/** A digit that a party pressed, as reported to the listeners of a call. */
export type PressedDigit = { readonly digit: string; readonly track: Track };

/** A listener to a call. No method may throw: a sink that throws is removed from the call. */
export type AudioSink = {
  /** Sources of the same party: this sink gets every line without them (no echo). */
  readonly own?: readonly AudioSource[];
  /** True for a sink that recognises words: it gets every line without fillers. */
  readonly isWithoutFillers?: boolean;
  /** True while this sink's party is parted from the customer: `agent` as it gets it is without the customer. */
  isApart?(): boolean;
  /** True for a party that listens to the others: `agent` as it gets it has every line. */
  readonly hearsAll?: boolean;
  write(audio: TickAudio): void;
  reportDigit?(pressed: PressedDigit): void;
  /** Stops what was played at once, including what has been sent on already. */
  clear?(): void;
  /**
   * Playback has reached a mark. True if the sink takes the mark over: it then calls `CallAudio.confirmMark` once the
   * mark is really heard.
   */
  reachMark?(name: string): boolean;
  /** A mark is due back to the client that set it. */
  confirmMark?(name: string): void;
  /** The call's audio is over; no method is called after it. */
  end?(reason: StopReason): void;
};

/** Why a stream ended. `no_client` is the domain's own: no client ever connected. */
export type StopReason = 'api_request' | 'call_ended' | 'client_closed' | 'carrier_error' | 'no_client';

/** What a stream's client plays into the call: audio in order, and marks between. At most 60 s. */
export type Playback = {
  /** Plays any number of bytes of mu-law; false if some were dropped because the queue is full. */
  enqueue(audio: Uint8Array): boolean;
  /** Drops what is not yet played; its marks are reached at once, in order. */
  clear(): void;
  /** Sets a mark after everything enqueued so far; false if too many marks are waiting. */
  mark(name: string): boolean;
  readonly queuedMs: number;
  /** Takes it out of the call. */
  close(): void;
};

/** The audio of one call on this node. */
export type CallAudio = {
  readonly callId: string;
  /** `addSource` and `addSink` return a function that removes it again, which may be called twice. */
  addSource(source: AudioSource): () => void;
  addSink(sink: AudioSink): () => void;
  /** Opens a playback into the call, on `outbound`. */
  openPlayback(): Playback;
  /** Reports a digit to all sinks. */
  reportDigit(pressed: PressedDigit): void;
  /** Called by a sink that took a mark over, once the mark was heard. */
  confirmMark(name: string): void;
  /** True while a bidirectional stream is connected. */
  readonly hasPlayback: boolean;
  /** Ends every sink with the reason. May be called twice. */
  close(reason: StopReason): void;
  readonly closed: boolean;
};

/** Which call. */
export type CallRef = { readonly ledgerId: number; readonly callId: string };

/** Adds the parties of a call to its audio (simulated ones, web clients, a recorder); returns what removes them. */
export type Populate = (audio: CallAudio, call: CallRef) => Promise<() => void>;
