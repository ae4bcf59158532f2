/**
 * The audio of one call: at each tick all sources are read, their frames are mixed by line, and the sinks get the
 * result. It ticks only while somebody listens.
 */
import { mixFrames, SILENT_FRAME } from '../../audio/mixing.ts';
import { createPlaybackQueue } from './playback-queue.ts';
import type { AudioSink, AudioSource, CallAudio, Frame, Line, Playback, Ticker } from './types.ts';

export type CallAudioOptions = {
  readonly callId: string;
  readonly ticker: Ticker;
  /** A source or sink threw, and was taken out. */
  readonly onError: (error: unknown) => void;
};

/** What one source said in a tick. */
type Said = { readonly source: AudioSource; readonly frame: Frame };

/** Makes the audio of a call that has neither sources nor sinks yet. Its ticks are counted from now on. */
export function createCallAudio({ callId, ticker, onError }: CallAudioOptions): CallAudio {
  const sources = new Set<AudioSource>();
  const sinks = new Set<AudioSink>();
  /** Tell of the marks that each playback has reached. */
  const players = new Set<() => void>();
  const firstTick = ticker.tick;
  let lastTick = -1;
  let stopTicking: (() => void) | undefined;
  let closed = false;

  const guard = <T>(participant: AudioSource | AudioSink, act: () => T): T | undefined => {
    try {
      return act();
    } catch (error) {
      sources.delete(participant as AudioSource);
      removeSink(participant as AudioSink);
      onError(error);
      return undefined;
    }
  };

  /** The same for every sink; one that is taken out meanwhile may still be told. */
  const tellSinks = (tell: (sink: AudioSink) => void) => {
    for (const sink of [...sinks]) guard(sink, () => tell(sink));
  };

  const readSources = (tick: number): Said[] => {
    const said: Said[] = [];
    for (const source of sources) {
      const frame = guard(source, () => source.read(tick));
      if (frame !== undefined) said.push({ source, frame });
    }
    return said;
  };

  const run = (tickerTick: number) => {
    const tick = tickerTick - firstTick;
    // Started again in another phase, the same tick may come up a second time.
    if (tick <= lastTick) return;
    lastTick = tick;
    const said = readSources(tick);
    const heard = (line: Line, own: readonly AudioSource[] = []) =>
      mixFrames(audible(said, line, own, players.size > 0));
    const inbound = heard('inbound');
    const outbound = heard('outbound');
    const agent = hear(said, inbound);
    for (const sink of sinks) {
      const { own } = sink;
      const audio =
        own === undefined
          ? { tick, inbound, outbound, agent }
          : { tick, inbound, outbound: heard('outbound', own), agent: hear(said, heard('inbound', own), own) };
      guard(sink, () => sink.write(audio));
    }
    // Once everybody has heard the tick: marks follow the audio that they stand behind.
    for (const tellReached of players) tellReached();
  };

  const removeSink = (sink: AudioSink) => {
    if (!sinks.delete(sink) || sinks.size > 0) return;
    stopTicking?.();
    stopTicking = undefined;
  };

  const confirmMark = (name: string) => tellSinks((sink) => sink.confirmMark?.(name));

  const reachMark = (name: string) => {
    const isTaken = [...sinks].some((sink) => guard(sink, () => sink.reachMark?.(name) === true));
    if (!isTaken) confirmMark(name);
  };

  const openPlayback = (): Playback => {
    const queue = createPlaybackQueue();
    const tellReached = () => {
      for (const name of queue.takeReached()) reachMark(name);
    };
    const source: AudioSource = { into: ['outbound'], read: () => queue.read() };
    const removeSource = addSource(source);
    players.add(tellReached);
    return {
      enqueue: (audio) => queue.enqueue(audio),
      clear: () => {
        queue.clear();
        tellSinks((one) => one.clear?.());
        tellReached();
      },
      mark: (name) => queue.mark(name),
      get queuedMs() {
        return queue.queuedBytes / 8;
      },
      close: () => {
        players.delete(tellReached);
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
    noticeDigit: (notice) => tellSinks((sink) => sink.noticeDigit?.(notice)),
    confirmMark,
    get hasPlayback() {
      return players.size > 0;
    },
    close: (reason) => {
      if (closed) return;
      closed = true;
      tellSinks((sink) => sink.end?.(reason));
      for (const sink of [...sinks]) removeSink(sink);
      sources.clear();
    },
    get closed() {
      return closed;
    },
  };
}

/** Frames of a line without one's own; those of yielding sources only where there are no others. */
function audible(said: readonly Said[], line: Line, own: readonly AudioSource[], isPlayed: boolean): Frame[] {
  const ofLine = said.filter(({ source }) => source.into.includes(line) && !own.includes(source));
  const first = ofLine.filter(({ source }) => source.yields !== true);
  if (first.length > 0 || (isPlayed && line === 'outbound')) return first.map(({ frame }) => frame);
  return ofLine.map(({ frame }) => frame);
}

/** What the agent hears: the customer and what is said to the agent alone. */
function hear(said: readonly Said[], inbound: Frame, own: readonly AudioSource[] = []): Frame {
  const toAgent = audible(said, 'agent', own, false);
  if (toAgent.length === 0) return inbound;
  return mixFrames(inbound === SILENT_FRAME ? toAgent : [inbound, ...toAgent]);
}
