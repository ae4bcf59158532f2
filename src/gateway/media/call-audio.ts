/**
 * The audio of one call. At each tick all sources are read, their frames are mixed by line, and the sinks get the
 * result. It ticks only while it has sinks.
 */
import { mixFrames, SILENT_FRAME } from '../../audio/mulaw-frames.ts';
import { type CarrierEcho, createCarrierEcho } from './carrier-echo.ts';
import { createPlaybackQueue } from './playback-queue.ts';
import type {
  AudioSink,
  AudioSource,
  CallAudio,
  Frame,
  Line,
  Playback,
  PressedDigit,
  StopReason,
  TickAudio,
  Ticker,
} from './types.ts';

export type CallAudioOptions = {
  readonly callId: string;
  readonly ticker: Ticker;
  /** A source or sink threw, and was removed. */
  readonly onError: (error: unknown) => void;
};

/** The frame of one source in a tick. */
type SourceFrame = { readonly source: AudioSource; readonly frame: Frame };

type ForSink = {
  readonly tick: number;
  readonly isPlayed: boolean;
  /** All sources of the call, also sources that are silent in this tick. */
  readonly sources: Iterable<AudioSource>;
};

/** Creates the audio of a call, without sources and sinks. Its ticks are counted from this moment. */
export function createCallAudio(options: CallAudioOptions): CallAudio {
  return new MixedCallAudio(options);
}

class MixedCallAudio implements CallAudio {
  readonly callId: string;
  readonly #ticker: Ticker;
  readonly #onError: (error: unknown) => void;
  readonly #sources = new Set<AudioSource>();
  readonly #sinks = new Set<AudioSink>();
  /** For each playback: the function that reports the marks it has reached. */
  readonly #reporters = new Set<() => void>();
  readonly #firstTick: number;
  /** Absent until the call has a source whose carrier repeats the sounds of this node. */
  #echo: CarrierEcho | undefined;
  #lastTick = -1;
  #stopTicking: (() => void) | undefined;
  #closed = false;

  constructor({ callId, ticker, onError }: CallAudioOptions) {
    this.callId = callId;
    this.#ticker = ticker;
    this.#onError = onError;
    this.#firstTick = ticker.tick;
  }

  get hasPlayback(): boolean {
    return this.#reporters.size > 0;
  }

  get closed(): boolean {
    return this.#closed;
  }

  addSource(source: AudioSource): () => void {
    if (!this.#closed) this.#sources.add(source);
    if (source.hasOurs === true) this.#echo ??= createCarrierEcho();
    return () => {
      this.#sources.delete(source);
    };
  }

  addSink(sink: AudioSink): () => void {
    if (!this.#closed) {
      this.#sinks.add(sink);
      this.#stopTicking ??= this.#ticker.add((tickerTick) => this.#run(tickerTick));
    }
    return () => this.#removeSink(sink);
  }

  openPlayback(): Playback {
    const queue = createPlaybackQueue();
    const reportReached = () => {
      for (const name of queue.takeReached()) this.#reachMark(name);
    };
    const removeSource = this.addSource({ into: ['outbound'], read: () => queue.read() });
    this.#reporters.add(reportReached);
    return {
      enqueue: (audio) => queue.enqueue(audio),
      clear: () => {
        queue.clear();
        this.#notifySinks((sink) => sink.clear?.());
        reportReached();
      },
      mark: (name) => queue.mark(name),
      get queuedMs() {
        return queue.queuedBytes / 8;
      },
      close: () => {
        this.#reporters.delete(reportReached);
        removeSource();
      },
    };
  }

  reportDigit(pressed: PressedDigit): void {
    this.#notifySinks((sink) => sink.reportDigit?.(pressed));
  }

  confirmMark(name: string): void {
    this.#notifySinks((sink) => sink.confirmMark?.(name));
  }

  close(reason: StopReason): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#notifySinks((sink) => sink.end?.(reason));
    for (const sink of [...this.#sinks]) this.#removeSink(sink);
    this.#sources.clear();
  }

  #run(tickerTick: number): void {
    const tick = tickerTick - this.#firstTick;
    // After a restart in another phase, the same tick may come twice.
    if (tick <= this.#lastTick) return;
    this.#lastTick = tick;
    const read = this.#readSources(tick);
    const frames = this.#echo?.without(read, tick) ?? read;
    const isPlayed = this.#reporters.size > 0;
    const inbound = mixFrames(audible(frames, 'inbound', NONE, isPlayed));
    const outbound = mixFrames(audible(frames, 'outbound', NONE, isPlayed));
    const shared: TickAudio = { tick, inbound, outbound, agent: mixForAgent(frames, inbound) };
    for (const sink of this.#sinks) {
      try {
        sink.write(hearsAll(sink) ? shared : audioFor(sink, frames, { tick, isPlayed, sources: this.#sources }));
      } catch (error) {
        this.#fail(sink, error);
      }
    }
    // A mark follows the audio before it, so it is reported after every sink has that audio.
    for (const reportReached of this.#reporters) reportReached();
  }

  #readSources(tick: number): SourceFrame[] {
    const frames: SourceFrame[] = [];
    for (const source of this.#sources) {
      try {
        const frame = source.read(tick);
        if (frame !== undefined) frames.push({ source, frame });
      } catch (error) {
        this.#fail(source, error);
      }
    }
    return frames;
  }

  #reachMark(name: string): void {
    const isDelegated = [...this.#sinks].some((sink) => this.#guard(sink, () => sink.reachMark?.(name) === true));
    if (!isDelegated) this.confirmMark(name);
  }

  /** Notifies every sink, including one that is removed during the loop. */
  #notifySinks(notify: (sink: AudioSink) => void): void {
    for (const sink of [...this.#sinks]) this.#guard(sink, () => notify(sink));
  }

  #guard<T>(sink: AudioSink, work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#fail(sink, error);
      return undefined;
    }
  }

  #fail(participant: AudioSource | AudioSink, error: unknown): void {
    this.#sources.delete(participant as AudioSource);
    this.#removeSink(participant as AudioSink);
    this.#onError(error);
  }

  #removeSink(sink: AudioSink): void {
    if (!this.#sinks.delete(sink) || this.#sinks.size > 0) return;
    this.#stopTicking?.();
    this.#stopTicking = undefined;
  }
}

const NONE: readonly AudioSource[] = [];

/** True for a sink that gets the same frames as all other sinks. */
function hearsAll({ ownSources, isApart, isWithoutFillers }: AudioSink): boolean {
  return ownSources === undefined && isApart === undefined && isWithoutFillers === undefined;
}

/**
 * Returns the frames of a line, except those that a party sent itself. Frames of yielding sources are returned only if
 * there are no others. Uses loops instead of array methods: each call runs this three times in 20 ms.
 */
function audible(
  frames: readonly SourceFrame[],
  line: Line,
  skipped: readonly AudioSource[],
  isPlayed: boolean,
): Frame[] {
  const first: Frame[] = [];
  let yielding: Frame[] | undefined;
  for (const { source, frame } of frames) {
    if (!source.into.includes(line) || skipped.includes(source)) continue;
    if (source.yields !== true) first.push(frame);
    else if (yielding === undefined) yielding = [frame];
    else yielding.push(frame);
  }
  if (yielding === undefined || first.length > 0 || (isPlayed && line === 'outbound')) return first;
  return yielding;
}

/** Mixes a tick for a sink that is excluded from its own sources, from fillers or from the customer's voice. */
function audioFor(sink: AudioSink, frames: readonly SourceFrame[], { tick, isPlayed, sources }: ForSink): TickAudio {
  const fillers = sink.isWithoutFillers === true ? frames.filter(({ source }) => source.isFiller) : [];
  const skipped = [...(sink.ownSources ?? NONE), ...fillers.map(({ source }) => source)];
  const inbound = mixFrames(audible(frames, 'inbound', skipped, isPlayed));
  const isApart = sink.isApart?.() === true;
  const heard = isApart ? SILENT_FRAME : inbound;
  const outbound = mixFrames(audible(frames, 'outbound', skipped, isPlayed));
  const agent = mixForAgent(frames, heard, skipped);
  if (sink.hearsAll !== true || isApart) return { tick, inbound, outbound, agent };
  const isCopied = frames.some(({ source }) => source.isCopy === true) && hasAgent(sources);
  const voices = isCopied ? frames.filter(({ source }) => source.isCopy !== true) : frames;
  return { tick, inbound, outbound, agent: mixLines(voices, skipped, isPlayed) };
}

/** Mixes every line for a party that listens to the others. A source of several lines is mixed in once. */
function mixLines(frames: readonly SourceFrame[], skipped: readonly AudioSource[], isPlayed: boolean): Frame {
  const lines = ['inbound', 'outbound', 'agent'] as const;
  return mixFrames([...new Set(lines.flatMap((line) => audible(frames, line, skipped, isPlayed)))]);
}

function hasAgent(sources: Iterable<AudioSource>): boolean {
  for (const { isAgent } of sources) if (isAgent === true) return true;
  return false;
}

/** Mixes the audio for the agent: the customer, and sources that only the agent hears. */
function mixForAgent(frames: readonly SourceFrame[], inbound: Frame, skipped: readonly AudioSource[] = NONE): Frame {
  const toAgent = audible(frames, 'agent', skipped, false);
  if (toAgent.length === 0) return inbound;
  return mixFrames(inbound === SILENT_FRAME ? toAgent : [inbound, ...toAgent]);
}
