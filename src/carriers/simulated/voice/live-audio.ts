/**
 * Makes simulated calls audible live. Each party is a pulsing tone while it is silent (440 Hz the customer, 620 Hz the
 * agent); the utterances, digits and prompts of the call are heard at their moments. A call is read again when this
 * process saves it, and every half second for what other processes save.
 */
import type { Logger } from 'pino';
import { FRAME_MS } from '../../../audio/frames.ts';
import { SILENT_FRAME } from '../../../audio/mulaw-frames.ts';
import type { Database } from '../../../db/database.ts';
import { ignoreError } from '../../../lib/ignore-error.ts';
import type { AudioSink, AudioSource, CallAudio, Frame, Line, Populate } from '../../ports/call-audio.ts';
import { PARTIES, type Party } from '../../ports/voice.ts';
import {
  endOf,
  findHold,
  type Hold,
  isHeardNow,
  isWebClient,
  type Leg,
  type SimulatedCall,
  type Sound,
  waitsForListener,
} from './call.ts';
import { type CallName, keepLiveAudio, readCalls, type StoredCall, savedCallOf } from './queries.ts';
import {
  holdSource,
  type LiveAudio,
  type PlayedSound,
  renderSound,
  type SoundMakers,
  soundSource,
  toneSource,
} from './sounds.ts';

type LiveAudioOptions = { readonly db: Database; readonly makers: SoundMakers; readonly log: Logger };

const READ_EVERY_MS = 500;

export function createLiveAudio({ db, makers, log }: LiveAudioOptions): { readonly populate: Populate } {
  const lives = new Map<string, { readonly name: CallName; readonly live: LiveCall }>();

  const read = async (callRefs: readonly string[]) => {
    const watched = callRefs.flatMap((callRef) => lives.get(callRef) ?? []);
    if (watched.length === 0) return;
    const askedAt = performance.now();
    const calls = await readCalls(
      db,
      watched.map(({ name }) => name),
    );
    const readAt = (askedAt + performance.now()) / 2;
    for (const { name, live } of watched) {
      const stored = calls.get(name.callRef);
      if (stored !== undefined) await live.update(stored, readAt);
    }
  };
  const readSoon = (callRefs: readonly string[]) =>
    ignoreError(read(callRefs), log, 'live audio could not read its calls; reads again within 0.5 s');

  db.onSignal((signal) => {
    const callRef = savedCallOf(signal);
    if (callRef !== undefined && lives.has(callRef)) readSoon([callRef]);
  });
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    populate: async (audio, { ledgerId, callId: callRef }) => {
      const name = { ledgerId, callRef };
      const keep = (heard: LiveAudio) =>
        ignoreError(
          keepLiveAudio(db, name, heard),
          log,
          'live audio could not be stored; it is missing in the recording',
        );
      const live = createLiveCall(audio, { makers, keep });
      lives.set(callRef, { name, live });
      timer ??= setInterval(() => readSoon([...lives.keys()]), READ_EVERY_MS).unref();
      const remove = () => {
        live.remove();
        if (lives.get(callRef)?.live === live) lives.delete(callRef);
        if (lives.size === 0) stop();
      };
      await read([callRef]).catch((error: unknown) => {
        remove();
        throw error;
      });
      return remove;
    },
  };
}

/** A sound that is found no later than this after its start is heard whole, a little late. */
const LATE_MS_MAX = 2_000;
/** The ledger's clock was moved if it is this far from where it was expected. */
const CLOCK_MOVED_MS = 1_000;

/** One call as sources of its live audio. */
type LiveCall = {
  /** Takes the state of the call. `readAtMs` is on the clock of `performance`. */
  update(stored: StoredCall, readAtMs: number): Promise<void>;
  remove(): void;
};

type LiveCallOptions = Pick<LiveRecorderOptions, 'keep'> & { readonly makers: SoundMakers };

function createLiveCall(audio: CallAudio, { makers, keep }: LiveCallOptions): LiveCall {
  const startedAtMs = performance.now();
  /** Ledger time of tick 0. */
  let beganAtMs: number | undefined;
  let call: SimulatedCall | undefined;
  const sounds = new Map<string, PlayedSound>();
  const removals: (() => void)[] = [];
  const sources: AudioSource[] = [];

  const add = (source: AudioSource) => {
    sources.push(source);
    removals.push(audio.addSource(source));
  };
  const tickOf = (ledgerMs: number) => Math.round((ledgerMs - (beganAtMs ?? 0)) / FRAME_MS);
  const isSilent = (party: Party, tick: number) =>
    call === undefined ||
    !hasTone(party, call) ||
    call.sounds.some((sound) => speakerOf(sound, call) === party && sounds.get(sound.ref)?.isHeard(tick) === true);
  for (const party of PARTIES) add(toneSource(party, (tick) => isSilent(party, tick)));

  const timeOf = (tick: number) => new Date((beganAtMs ?? Date.now()) + tick * FRAME_MS);
  const recorder = createLiveRecorder({ stored: sources, timeOf, keep });
  const recordWhile = createRecordingSwitch(audio, recorder);

  const start = async (sound: Sound, isFirstRead: boolean) => {
    const pcm = await renderSound(makers.synthesize, sound);
    const dueTick = tickOf(sound.starts_at.getTime());
    const nowTick = Math.round((performance.now() - startedAtMs) / FRAME_MS) + 1;
    const isLate = dueTick < nowTick && (nowTick - dueTick) * FRAME_MS <= LATE_MS_MAX && !isFirstRead;
    const into = linesOf(sound, call);
    if (into.length === 0) return;
    const isOpen = () => call !== undefined && isAudible(sound, call);
    const firstTick = isLate ? nowTick : dueTick;
    const source = soundSource(pcm, { into, firstTick, durationMs: sound.duration_ms, isOpen });
    sounds.set(sound.ref, source);
    add(source);
  };

  const playHolds = createHoldPlayer(makers, { add, tickOf, legs: () => call?.legs ?? [] });

  /** Sounds that were started, noted before their audio is made: no read starts a sound twice. */
  const started = new Set<string>();
  return {
    update: async ({ call: read, now }, readAtMs) => {
      const isFirstRead = call === undefined;
      const beginMs = now.getTime() - (readAtMs - startedAtMs);
      if (beganAtMs === undefined || Math.abs(beginMs - beganAtMs) > CLOCK_MOVED_MS) beganAtMs = beginMs;
      call = read;
      recordWhile(read.recordings.some(({ ended_at }) => ended_at === null));
      await playHolds();
      for (const sound of read.sounds) {
        sounds.get(sound.ref)?.cut(sound.duration_ms);
        if (started.has(sound.ref) || waitsForListener(sound, read)) continue;
        started.add(sound.ref);
        const endedMs = endOf(sound);
        if (endedMs + LATE_MS_MAX < now.getTime() || (isFirstRead && endedMs < now.getTime())) continue;
        if (sound.kind === 'digits' && !isFirstRead) reportDigits(audio, sound, call);
        await start(sound, isFirstRead);
      }
    },
    remove: () => {
      recordWhile(false);
      for (const remove of removals) remove();
    },
  };
}

type HoldPlayerOptions = {
  readonly add: (source: AudioSource) => void;
  readonly tickOf: (ledgerMs: number) => number;
  /** Returns the legs of the call as they are now. */
  readonly legs: () => readonly Leg[];
};

/** Returns what starts the hold audio of legs that are held, once for each hold. */
function createHoldPlayer(makers: SoundMakers, { add, tickOf, legs }: HoldPlayerOptions): () => Promise<void> {
  const started = new Set<string>();
  return async () => {
    for (const leg of legs()) {
      const hold = findHold(leg);
      const nameOf = ({ from }: Hold) => `${leg.leg_ref} ${from.getTime()}`;
      if (hold === undefined || started.has(nameOf(hold))) continue;
      started.add(nameOf(hold));
      const isHeld = () =>
        legs().some((one) => one.leg_ref === leg.leg_ref && findHold(one)?.from.getTime() === hold.from.getTime());
      const line = leg.party === 'customer' ? 'outbound' : 'agent';
      add(await holdSource(makers, hold, { line, isHeld, firstTick: tickOf(hold.from.getTime()) }));
    }
  };
}

/** Returns what adds the recorder to the call's audio while the call is recorded, and removes it after. */
function createRecordingSwitch(audio: CallAudio, recorder: LiveRecorder): (recorded: boolean) => void {
  let stopRecorder: (() => void) | undefined;
  return (recorded) => {
    if (recorded) stopRecorder ??= audio.addSink(recorder);
    if (recorded || stopRecorder === undefined) return;
    recorder.flush();
    stopRecorder();
    stopRecorder = undefined;
  };
}

/** Reports digits that a party has pressed, and those that were sent to the customer. */
function reportDigits(audio: CallAudio, sound: Sound, call: SimulatedCall): void {
  const speaker = speakerOf(sound, call);
  if (!isAudible(sound, call) || (speaker === undefined && !linesOf(sound, call).includes('outbound'))) return;
  const track = speaker === 'customer' ? 'inbound' : 'outbound';
  for (const digit of sound.content.replaceAll(/w/gi, '')) audio.reportDigit({ digit, track });
}

function speakerOf(sound: Sound, call: SimulatedCall | undefined): Party | undefined {
  return call?.legs.find((leg) => leg.leg_ref === sound.said_by)?.party;
}

/** True for a party that is audible while it is silent. */
function hasTone(party: Party, { legs }: SimulatedCall): boolean {
  return legs.some((leg) => {
    if (leg.party !== party || isWebClient(leg.address)) return false;
    // The customer's line is audible before it is answered; the agent is heard after the bridge.
    return party === 'agent' ? leg.state === 'up' && isHeardNow(leg) : leg.state !== 'ended' && !leg.leaves_message;
  });
}

/** False for what an agent says or presses while the customer does not hear it. */
function isAudible(sound: Sound, { legs }: SimulatedCall): boolean {
  const speaker = legs.find((leg) => leg.leg_ref === sound.said_by);
  return speaker?.party !== 'agent' || isHeardNow(speaker);
}

/** Returns where a sound is heard: what a party says by the other, what the carrier plays by the legs that it names. */
function linesOf(sound: Sound, call: SimulatedCall | undefined): Line[] {
  const speaker = speakerOf(sound, call);
  if (speaker === 'customer') return ['inbound'];
  if (speaker === 'agent') return ['outbound'];
  const hearers = call?.legs.filter((leg) => sound.played_to.includes(leg.leg_ref)) ?? [];
  const lines = hearers.map((leg): Line => (leg.party === 'customer' ? 'outbound' : 'agent'));
  return [...new Set(lines)];
}

/** Frames in one row of the store: half a second. */
const FRAMES_PER_ROW = 25;

/** The last row may be stored this long after the end of a recording. */
export const KEPT_WITHIN_MS = FRAMES_PER_ROW * FRAME_MS + 500;

/**
 * Stores what is heard live on a recorded call and is no stored sound: the playback of a stream, and the voice of the
 * person at a web client.
 */
export type LiveRecorder = AudioSink & {
  /** Stores the frames that do not fill a row yet. */
  flush(): void;
};

type LiveRecorderOptions = {
  /** The sources of stored sounds; the list may change. */
  readonly stored: readonly AudioSource[];
  /** Returns the ledger time of a tick. */
  readonly timeOf: (tick: number) => Date;
  readonly keep: (heard: LiveAudio) => void;
};

export function createLiveRecorder({ stored, timeOf, keep }: LiveRecorderOptions): LiveRecorder {
  let frames: Frame[] = [];
  let firstTick = 0;

  const flush = () => {
    if (frames.length === 0) return;
    keep({ starts_at: timeOf(firstTick), audio: Buffer.concat(frames) });
    frames = [];
  };

  return {
    own: stored,
    write: ({ tick, outbound }) => {
      const isHeard = outbound !== SILENT_FRAME;
      // A row has no gap.
      if (!isHeard || tick !== firstTick + frames.length) flush();
      if (!isHeard) return;
      if (frames.length === 0) firstTick = tick;
      frames.push(outbound);
      if (frames.length === FRAMES_PER_ROW) flush();
    },
    flush,
    end: flush,
  };
}
