/**
 * Types of the media gateway's parts, and its ports to the rest of the program. The audio of one call, its sources and
 * its sinks are in `carriers/ports/call-audio.ts`.
 */
import type { AnswerFinding } from '../../audio/answer/answer-detector.ts';
import type { SocketDialect, SocketTrack } from '../../carriers/ports/audio.ts';
import type { CallAudio, CallRef, StopReason, Track } from '../../carriers/ports/call-audio.ts';
import type { Detects } from './answer-ear.ts';

export type {
  AudioSink,
  AudioSource,
  CallAudio,
  CallRef,
  Frame,
  Line,
  Playback,
  Populate,
  PressedDigit,
  StopReason,
  TickAudio,
  Track,
} from '../../carriers/ports/call-audio.ts';

/** A lease on a call's audio. The audio is closed when its last lease is released. */
export type CallAudioLease = { readonly audio: CallAudio; release(): void };

/** The call audios of this node. */
export type CallAudios = {
  /**
   * Returns the call's audio. Creates it and adds its parties if needed. If that fails it rejects and keeps nothing.
   */
  acquire(call: CallRef): Promise<CallAudioLease>;
  find(callId: string): CallAudio | undefined;
  /** The calls that have their audio here. */
  readonly calls: readonly CallRef[];
  readonly size: number;
};

/** Runs its listeners every 20 ms. */
export type Ticker = {
  /**
   * Calls `run` every 20 ms until the returned function is called. `tick` counts from the start of the ticker. It jumps
   * after a stall of the event loop of more than a second, which is too long to catch up.
   */
  add(run: (tick: number) => void): () => void;
  /** The tick that is running, or the next one between two ticks. */
  readonly tick: number;
  /** Stops permanently. */
  stop(): void;
};

/** A stream, limited to the rights of its client. */
export type GrantedStream = {
  readonly streamId: string;
  readonly call: CallRef;
  readonly direction: 'fork' | 'bidirectional';
  readonly track: Track | 'both';
  readonly dialect: 'native' | 'twilio' | 'relay';
  readonly accountId: string;
  /** The caller's parameters. The first message repeats them. */
  readonly parameters: Readonly<Record<string, string>>;
  /** Present if its client is the agent of a relay. */
  readonly relay?: RelayGrant | undefined;
};

/** The settings of a relay, and the facts about the call in its first message. */
export type RelayGrant = {
  readonly welcomeText: string | null;
  readonly language: string;
  readonly voice: string | null;
  readonly interruptible: boolean;
  readonly dtmf: boolean;
  /** A pause of this length ends an utterance. */
  readonly silenceMs: number;
  readonly partialPrompts: boolean;
  readonly from: string;
  readonly to: string;
  readonly callerName: string | null;
  readonly direction: 'inbound' | 'outbound';
};

/** How a relay ended at its gateway. */
export type RelayEnd = {
  readonly reason:
    | 'agent_ended'
    | 'agent_closed'
    | 'agent_silent'
    | 'agent_slow'
    | 'agent_overflow'
    | 'protocol_error'
    | 'speech_failed';
  /** The data that the agent passed on at the end. */
  readonly handoffData: string | null;
};

/** A stream that this node must connect. */
export type DialledStream = GrantedStream & {
  readonly url: string;
  /** Whether the address may be on this machine. */
  readonly allowLoopback: boolean;
};

/** Why a claim is refused. Each has its close code in `sessions.ts`. */
export type ClaimRefusal = 'bad_token' | 'no_stream' | 'elsewhere';

/** How a claimed stream ended. */
export type StreamEnding = {
  readonly reason: StopReason;
  /**
   * The time since the stream ended, by the monotonic clock: more than 0 if earlier reports failed. It is not billed.
   */
  readonly lateMs: number;
  /** Why the stream could not be connected, in a sentence for its owner. */
  readonly connectError?: string | undefined;
  /** How the agent ended its relay, or why the gateway ended it. */
  readonly relay?: RelayEnd | undefined;
};

/** The gateway's port to the owner of media streams. */
export type StreamDirectory = {
  /**
   * Uses up a stream's token, once. Refusals: `bad_token` if the token is wrong or was used before; `no_stream` if the
   * stream does not exist, or ended before a client connected; `elsewhere` if the audio is on another node. A rejection
   * counts as a fault of the server (close code 1011).
   */
  claim(streamId: string, token: string, nodeId: string): Promise<StreamClaim>;
  /** Claims a stream that this node must connect, once. Returns undefined if it is over, or was claimed before. */
  claimDial(streamId: string, nodeId: string): Promise<DialledStream | undefined>;
  /**
   * Reports that the client is connected and audio starts. Resolves with null, or with the reason if the stream was
   * stopped earlier.
   */
  connected(streamId: string): Promise<StopReason | null>;
  /** Called once for every claimed stream, connected or not. Retried while it rejects. */
  closed(streamId: string, ending: StreamEnding): Promise<void>;
};

type StreamClaim =
  | { readonly ok: true; readonly stream: GrantedStream }
  | { readonly ok: false; readonly refused: ClaimRefusal };

/** The addresses of gateway nodes. */
export type NodeDirectory = {
  /** Returns the base address of a live node's gateway (ws:// or wss://, without a trailing slash), or undefined. */
  find(nodeId: string): Promise<string | undefined>;
};

/** A carrier's socket, identified by its address. */
export type IngestName = { readonly callId: string; readonly legId: string; readonly track: SocketTrack };

export type IngestGrant = {
  readonly call: CallRef;
  readonly dialect: SocketDialect;
  /** The party of the leg; the customer by default. */
  readonly party?: 'customer' | 'agent';
  /** What the detector of answering machines looks for; absent if the detector does not get the audio. */
  readonly detects?: Detects;
  /** True if the audio is for the detector alone, and does not join the audio of the call. */
  readonly isForDetectorAlone?: boolean;
};

/** The gateway's port to the owner of carriers' media sockets. */
export type IngestDirectory = {
  /** Checks the token that the carrier was given for the leg. */
  claim(name: IngestName, token: string, nodeId: string): Promise<IngestClaim>;
  /**
   * Called when the last carrier socket of a call's customer on this node has closed. With `agentLegId`: when the
   * socket of an agent's leg has closed. `ended`: the carrier ended it, or this node closed; `lost`: the connection was
   * lost.
   */
  closed(call: CallRef, nodeId: string, how: 'ended' | 'lost', agentLegId?: string): Promise<void>;
  /** Called for each finding of the detector of answering machines about a leg. */
  found(call: CallRef, legId: string, finding: AnswerFinding): Promise<void>;
};

type IngestClaim =
  | { readonly ok: true; readonly grant: IngestGrant }
  | { readonly ok: false; readonly refused: ClaimRefusal };
