/**
 * The audio of one call on the node that has it. A carrier adds sound to it and receives sound from it.
 *
 * The audio moves in ticks of 20 ms. At each tick every source is read once, the frames are mixed by line, and every
 * sink gets the result. Frames are 160 bytes of G.711 mu-law at 8 kHz. **A frame is never changed after it was passed
 * on**: the mixer, several sinks and the queue of a slow client share the same bytes.
 */

/** The tracks of a stream: the customer's voice, and the audio that is sent to the customer (docs/media-streams.md). */
export type Track = 'inbound' | 'outbound';

/**
 * The lines of sound. `inbound`: the customer's voice, which the agent hears. `outbound`: sound for the customer.
 * `agent`: sound for agents only, such as an agent's words to another agent while the customer is on hold. An
 * announcement for both sides is on `outbound` and `agent`.
 */
export type Line = 'inbound' | 'outbound' | 'agent';

/** 20 ms of one line: 160 bytes of mu-law, never changed after it was passed on. */
export type Frame = Uint8Array;

/** A producer of sound in a call. */
export type AudioSource = {
  /** The lines that the source plays into. A source for both sides plays into two. */
  readonly into: readonly Line[];
  /**
   * If true, the source plays only while no other source of the line has a frame. While a bidirectional stream is
   * connected, `outbound` has only the audio of the stream's client, so such a source is silent there.
   */
  readonly yields?: boolean;
  /** True for the voice of an agent. */
  readonly isAgent?: boolean;
  /**
   * True for the carrier's copy of the audio to the customer. A sink that `hearsAll` gets the copy only while no agent
   * is a source. Otherwise it would get the same voices twice, and also its own audio.
   */
  readonly isCopy?: boolean;
  /** True if the copy also has the audio of the other sources on `outbound`, a moment later. */
  readonly hasOurs?: boolean;
  /** True for a sound that replaces the voice of a silent party, such as the tone of a simulated person. */
  readonly isFiller?: boolean;
  /**
   * Returns the frame for this tick, or undefined while the source is silent. Called once for each tick, in ascending
   * order. Missed ticks are skipped. A source that throws is removed from the call.
   * @param tick counted from 0 at the beginning of the call's audio, 20 ms each
   */
  read(tick: number): Frame | undefined;
};

/** The audio of one tick. A line without sound has a frame of silence. */
export type TickAudio = {
  readonly tick: number;
  /** The customer's voice. */
  readonly inbound: Frame;
  /** The audio that the customer hears. */
  readonly outbound: Frame;
  /**
   * The audio that the agent hears: `inbound`, and sounds for the agent alone. A sink that `hearsAll` gets all lines
   * here.
   */
  readonly agent: Frame;
};

/** A digit that a party pressed, as reported to the listeners of a call. */
export type PressedDigit = { readonly digit: string; readonly track: Track };

/** A listener to a call. A sink with a method that throws is removed from the call. */
export type AudioSink = {
  /** The sources of the same party. The sink gets every line without them, so the party hears no echo. */
  readonly ownSources?: readonly AudioSource[];
  /** True for a sink that recognises words. It gets every line without fillers. */
  readonly isWithoutFillers?: boolean;
  /** True while this sink's party is separated from the customer. Its `agent` audio then lacks the customer. */
  isApart?(): boolean;
  /** True for a listener to the whole call. Its `agent` audio contains every line. */
  readonly hearsAll?: boolean;
  write(audio: TickAudio): void;
  reportDigit?(pressed: PressedDigit): void;
  /** Stops the playback immediately, including audio that the sink has already sent. */
  clear?(): void;
  /**
   * Called when the playback reaches a mark. A sink that returns true calls `CallAudio.confirmMark` later, when the
   * party has heard the mark.
   */
  reachMark?(name: string): boolean;
  /** Called when a party has heard a mark. A sink returns the mark to its client if that client has set the mark. */
  confirmMark?(name: string): void;
  /** Called when the call's audio is over. No method is called after it. */
  end?(reason: StopReason): void;
};

/** Why a stream ended. `no_client` means that no client ever connected. No carrier reports it. */
export type StopReason = 'api_request' | 'call_ended' | 'client_closed' | 'carrier_error' | 'no_client';

/** The audio that a stream's client plays into the call, at most 60 s. Marks are in the same queue, in order. */
export type Playback = {
  /** Adds any number of bytes of mu-law to the queue. Returns false if some were dropped because the queue is full. */
  enqueue(audio: Uint8Array): boolean;
  /** Drops the audio that has not been played yet. Its marks are reached immediately, in order. */
  clear(): void;
  /** Sets a mark after all audio in the queue. Returns false if too many marks are waiting. */
  mark(name: string): boolean;
  readonly queuedMs: number;
  /** Removes the playback from the call. */
  close(): void;
};

/** The audio of one call on this node. */
export type CallAudio = {
  readonly callId: string;
  /** `addSource` and `addSink` return a function that removes the source or sink. It may be called twice. */
  addSource(source: AudioSource): () => void;
  addSink(sink: AudioSink): () => void;
  /** Opens a playback into the call, on `outbound`. */
  openPlayback(): Playback;
  /** Reports a digit to all sinks. */
  reportDigit(pressed: PressedDigit): void;
  /** Called by a sink whose `reachMark` returned true, when the party has heard the mark. */
  confirmMark(name: string): void;
  /** True while a bidirectional stream is connected. */
  readonly hasPlayback: boolean;
  /** Ends every sink with the reason. May be called twice. */
  close(reason: StopReason): void;
  readonly closed: boolean;
};

/** Identifies the call. */
export type CallRef = { readonly ledgerId: number; readonly callId: string };

/**
 * Adds the parties of a call to its audio (simulated ones, web clients, a recorder). Returns the function that removes
 * them.
 */
export type Populate = (audio: CallAudio, call: CallRef) => Promise<() => void>;
