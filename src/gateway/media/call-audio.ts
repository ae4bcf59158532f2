/**
 * The audio of one call. At each tick all sources are read, their frames are mixed by line, and the sinks get the
 * result. It ticks only while it has sinks.
 */
import { mixFrames, SILENT_FRAME } from '../../audio/mixing.ts';
import { createPlaybackQueue } from './playback-queue.ts';
import type { AudioSink, AudioSource, CallAudio, Frame, Line, Playback, Ticker } from './types.ts';

export type CallAudioOptions = {
  readonly callId: string;
  readonly ticker: Ticker;
  /** A source or sink threw, and was removed. */
  readonly onError: (error: unknown) => void;
};

/** The frame of one source in a tick. */
type SourceFrame = { readonly source: AudioSource; readonly frame: Frame };

/** Creates the audio of a call, without sources and sinks. Its ticks are counted from now on. */
export function createCallAudio({ callId, ticker, onError }: CallAudioOptions): CallAudio {
  const sources = new Set<AudioSource>();
  const sinks = new Set<AudioSink>();
  /** One of each playback: reports the marks that it has reached. */
  const reporters = new Set<() => void>();
  const firstTick = ticker.tick;
  let lastTick = -1;
  let stopTicking: (() => void) | undefined;
  let closed = false;

  const guard = <T>(participant: AudioSource | AudioSink, work: () => T): T | undefined => {
    try {
      return work();
    } catch (error) {
      sources.delete(participant as AudioSource);
      removeSink(participant as AudioSink);
      onError(error);
      return undefined;
    }
  };

  /** Notifies every sink, including one that is removed during the loop. */
  const notifySinks = (notify: (sink: AudioSink) => void) => {
    for (const sink of [...sinks]) guard(sink, () => notify(sink));
  };

  const readSources = (tick: number): SourceFrame[] => {
    const frames: SourceFrame[] = [];
    for (const source of sources) {
      const frame = guard(source, () => source.read(tick));
      if (frame !== undefined) frames.push({ source, frame });
    }
    return frames;
  };

  const run = (tickerTick: number) => {
    const tick = tickerTick - firstTick;
    // After a restart in another phase, the same tick may run a second time.
    if (tick <= lastTick) return;
    lastTick = tick;
    const frames = readSources(tick);
    const mix = (line: Line, own: readonly AudioSource[] = []) =>
      mixFrames(audible(frames, line, own, reporters.size > 0));
    const inbound = mix('inbound');
    const outbound = mix('outbound');
    const agent = mixForAgent(frames, inbound);
    for (const sink of sinks) {
      const { own } = sink;
      const audio =
        own === undefined
          ? { tick, inbound, outbound, agent }
          : { tick, inbound, outbound: mix('outbound', own), agent: mixForAgent(frames, mix('inbound', own), own) };
      guard(sink, () => sink.write(audio));
    }
    // After every sink has the tick: a mark follows the audio that it stands behind.
    for (const reportReached of reporters) reportReached();
  };

  const removeSink = (sink: AudioSink) => {
    if (!sinks.delete(sink) || sinks.size > 0) return;
    stopTicking?.();
    stopTicking = undefined;
  };

  const confirmMark = (name: string) => notifySinks((sink) => sink.confirmMark?.(name));

  const reachMark = (name: string) => {
    const isDelegated = [...sinks].some((sink) => guard(sink, () => sink.reachMark?.(name) === true));
    if (!isDelegated) confirmMark(name);
  };

  const openPlayback = (): Playback => {
    const queue = createPlaybackQueue();
    const reportReached = () => {
      for (const name of queue.takeReached()) reachMark(name);
    };
    const source: AudioSource = { into: ['outbound'], read: () => queue.read() };
    const removeSource = addSource(source);
    reporters.add(reportReached);
    return {
      enqueue: (audio) => queue.enqueue(audio),
      clear: () => {
        queue.clear();
        notifySinks((sink) => sink.clear?.());
        reportReached();
      },
      mark: (name) => queue.mark(name),
      get queuedMs() {
        return queue.queuedBytes / 8;
      },
      close: () => {
        reporters.delete(reportReached);
        removeSource();
      },
    };
  };

  const addSource = (source: AudioSource) => {
    if (!closed) sources.add(source);
    return () => {
      sources.delete(source);
    };
  };

  const addSink = (sink: AudioSink) => {
    if (!closed) {
      sinks.add(sink);
      stopTicking ??= ticker.add(run);
    }
    return () => removeSink(sink);
  };

  return {
    callId,
    addSource,
    addSink,
    openPlayback,
    reportDigit: (pressed) => notifySinks((sink) => sink.reportDigit?.(pressed)),
    confirmMark,
    get hasPlayback() {
      return reporters.size > 0;
    },
    close: (reason) => {
      if (closed) return;
      closed = true;
      notifySinks((sink) => sink.end?.(reason));
      for (const sink of [...sinks]) removeSink(sink);
      sources.clear();
    },
    get closed() {
      return closed;
    },
  };
}

/** Returns a line's frames without a party's own ones; those of yielding sources only if there are no others. */
function audible(frames: readonly SourceFrame[], line: Line, own: readonly AudioSource[], isPlayed: boolean): Frame[] {
  const ofLine = frames.filter(({ source }) => source.into.includes(line) && !own.includes(source));
  const first = ofLine.filter(({ source }) => source.yields !== true);
  if (first.length > 0 || (isPlayed && line === 'outbound')) return first.map(({ frame }) => frame);
  return ofLine.map(({ frame }) => frame);
}

/** Mixes what the agent hears: the customer, and sources for the agent alone. */
function mixForAgent(frames: readonly SourceFrame[], inbound: Frame, own: readonly AudioSource[] = []): Frame {
  const toAgent = audible(frames, 'agent', own, false);
  if (toAgent.length === 0) return inbound;
  return mixFrames(inbound === SILENT_FRAME ? toAgent : [inbound, ...toAgent]);
}
