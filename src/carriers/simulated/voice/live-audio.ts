/**
 * Makes simulated calls audible live. Each party sends a pulsing tone while it does not speak (440 Hz the customer, 620
 * Hz the agent). Utterances, digits and prompts of the call are audible at their times. A call is read again when this
 * process saves it, and every half second for the changes of other processes.
 */

import type { Logger } from 'pino';
import { FRAME_MS } from '../../../audio/frames.ts';
import type { Database } from '../../../db/database.ts';
import { ignoreError } from '../../../lib/errors/ignore-error.ts';
import { every, monotonicMs, now, type Timer } from '../../../lib/time/time.ts';
import type { AudioSource, CallAudio, Populate } from '../../ports/call-audio.ts';
import type { Handset, HandsetLine } from '../../ports/handset.ts';
import { PARTIES, type Party } from '../../ports/voice.ts';
import { hasTone, isAudible, lineIn, linesOf, linesOfTone, OVER, speakerOf } from './audible-lines.ts';
import { endOf, findHold, type Hold, type Leg, type SimulatedCall, type Sound, waitsForListener } from './call.ts';
import { createLiveRecorder, createRecordingSwitch, type LiveRecorderOptions } from './live-recorder.ts';
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

export type LiveAudioOfCalls = {
  readonly populate: Populate;
  /** Returns the function that reads a handset's line. This process must already have the audio of the call. */
  lineOf(handset: Handset): () => HandsetLine;
};

export function createLiveAudio({ db, makers, log }: LiveAudioOptions): LiveAudioOfCalls {
  const lives = new Map<string, { readonly name: CallName; readonly live: LiveCall }>();

  const read = async (callRefs: readonly string[]) => {
    const watched = callRefs.flatMap((callRef) => lives.get(callRef) ?? []);
    if (watched.length === 0) return;
    const askedAt = monotonicMs();
    const calls = await readCalls(
      db,
      watched.map(({ name }) => name),
    );
    const asked = { askedAt, answeredAt: monotonicMs() };
    for (const { name, live } of watched) {
      const stored = calls.get(name.callRef);
      if (stored === undefined) live.forget();
      else await live.update(stored, asked);
    }
  };
  const readSoon = (callRefs: readonly string[]) =>
    ignoreError(read(callRefs), log, 'live audio could not read its calls; reads again within 0.5 s');

  db.onSignal((signal) => {
    const callRef = savedCallOf(signal);
    if (callRef !== undefined && lives.has(callRef)) readSoon([callRef]);
  });
  let timer: Timer | undefined;
  const stop = () => {
    timer?.cancel();
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
      timer ??= every(READ_EVERY_MS, () => readSoon([...lives.keys()])).unref();
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
    lineOf:
      ({ callId, legId }) =>
      () =>
        lives.get(callId)?.live.lineOf(legId) ?? OVER,
  };
}

/** A sound that is found within this time after its start is played in full, a little late. */
const LATE_MS_MAX = 2_000;
/** If the ledger's clock certainly differs from the expected time by this much, it was moved. */
const CLOCK_MOVED_MS = 1_000;

/** When this process asked the database for a call, and when it got the answer, on the monotonic clock. */
type Asked = { readonly askedAt: number; readonly answeredAt: number };

/**
 * Returns the ledger time of the monotonic clock's zero. It stays `before`, unless the ledger's clock was moved.
 * @param ledgerMs the ledger time that was read between the question and the answer
 */
export function zeroOf(before: number | undefined, ledgerMs: number, { askedAt, answeredAt }: Asked): number {
  const zero = ledgerMs - (askedAt + answeredAt) / 2;
  const doubtMs = (answeredAt - askedAt) / 2;
  return before === undefined || Math.abs(zero - before) > CLOCK_MOVED_MS + doubtMs ? zero : before;
}

/** One call, as sources of its live audio. */
type LiveCall = {
  /** Updates the state of the call. */
  update(stored: StoredCall, asked: Asked): Promise<void>;
  /** Ends all sounds, because the call was deleted. */
  forget(): void;
  lineOf(legRef: string): HandsetLine;
  remove(): void;
};

type LiveCallOptions = Pick<LiveRecorderOptions, 'keep'> & { readonly makers: SoundMakers };

function createLiveCall(audio: CallAudio, { makers, keep }: LiveCallOptions): LiveCall {
  const startedAtMs = monotonicMs();
  let zeroMs: number | undefined;
  let call: SimulatedCall | undefined;
  const sounds = new Map<string, PlayedSound>();
  const removals: (() => void)[] = [];
  const sources: AudioSource[] = [];

  const add = (source: AudioSource) => {
    sources.push(source);
    removals.push(audio.addSource(source));
  };
  /** Ledger time of tick 0. */
  const beganAtMs = () => startedAtMs + (zeroMs ?? now() - monotonicMs());
  const tickOf = (ledgerMs: number) => Math.round((ledgerMs - beganAtMs()) / FRAME_MS);
  const isSilent = (party: Party, tick: number) =>
    call === undefined ||
    !hasTone(party, call) ||
    call.sounds.some((sound) => speakerOf(sound, call) === party && sounds.get(sound.ref)?.isHeard(tick) === true);
  for (const party of PARTIES) add(toneOf(party, () => call, isSilent));

  const timeOf = (tick: number) => new Date(beganAtMs() + tick * FRAME_MS);
  const recordWhile = createRecordingSwitch(audio, createLiveRecorder({ stored: sources, timeOf, keep }));

  const start = async (sound: Sound, isFirstRead: boolean) => {
    const pcm = await renderSound(makers, sound);
    const dueTick = tickOf(sound.starts_at.getTime());
    const nowTick = Math.round((monotonicMs() - startedAtMs) / FRAME_MS) + 1;
    const into = linesOf(sound, call);
    if (into.length === 0) return;
    const isOpen = () => call !== undefined && isAudible(sound, call);
    // A client that ignores the tone of a digit must receive the digit just before its tone.
    const onStart = () => call && !(isFirstRead && dueTick < nowTick) && reportDigits(audio, sound, call);
    const firstTick = !isFirstRead && isLittleLate(dueTick, nowTick) ? nowTick : dueTick;
    const source = soundSource(pcm, { into, firstTick, durationMs: sound.duration_ms, isOpen, onStart });
    sounds.set(sound.ref, source);
    add(source);
  };

  const playHolds = createHoldPlayer(makers, { add, tickOf, legs: () => call?.legs ?? [] });

  /**
   * The sounds that have started. A sound is added before its audio is made, so that no second read starts it again.
   */
  const started = new Set<string>();
  return {
    update: async ({ call: read, now }, asked) => {
      const isFirstRead = call === undefined;
      zeroMs = zeroOf(zeroMs, now.getTime(), asked);
      call = read;
      recordWhile(read.recordings.some(({ ended_at }) => ended_at === null));
      await playHolds();
      for (const sound of read.sounds) {
        sounds.get(sound.ref)?.cut(sound.duration_ms);
        if (started.has(sound.ref) || waitsForListener(sound, read)) continue;
        started.add(sound.ref);
        const endedMs = endOf(sound);
        if (endedMs + LATE_MS_MAX < now.getTime() || (isFirstRead && endedMs < now.getTime())) continue;
        await start(sound, isFirstRead);
      }
    },
    forget: () => {
      call = undefined;
    },
    lineOf: (legRef) => (call === undefined ? OVER : lineIn(call, legRef)),
    remove: () => {
      recordWhile(false);
      for (const remove of removals) remove();
    },
  };
}

const isLittleLate = (dueTick: number, nowTick: number) =>
  dueTick < nowTick && (nowTick - dueTick) * FRAME_MS <= LATE_MS_MAX;

type HoldPlayerOptions = {
  readonly add: (source: AudioSource) => void;
  readonly tickOf: (ledgerMs: number) => number;
  /** Returns the legs of the call as they are now. */
  readonly legs: () => readonly Leg[];
};

/** Returns the function that starts the hold audio of held legs, once for each hold. */
function createHoldPlayer(makers: SoundMakers, { add, tickOf, legs }: HoldPlayerOptions): () => Promise<void> {
  const started = new Set<string>();
  return async () => {
    for (const leg of legs()) {
      const hold = findHold(leg);
      const nameOf = ({ from }: Hold) => `${leg.leg_ref} ${from.getTime()}`;
      if (hold === undefined || started.has(nameOf(hold))) continue;
      started.add(nameOf(hold));
      const fromMs = hold.from.getTime();
      const isHeld = () =>
        legs().some((other) => other.leg_ref === leg.leg_ref && findHold(other)?.from.getTime() === fromMs);
      const line = leg.party === 'customer' ? 'outbound' : 'agent';
      add(await holdSource(makers, hold, { line, isHeld, firstTick: tickOf(hold.from.getTime()) }));
    }
  };
}

/** Reports the digits of a sound. A party has pressed them, or they were sent to the customer. */
function reportDigits(audio: CallAudio, sound: Sound, call: SimulatedCall): void {
  const speaker = speakerOf(sound, call);
  if (
    sound.kind !== 'digits' ||
    !isAudible(sound, call) ||
    (speaker === undefined && !linesOf(sound, call).includes('outbound'))
  )
    return;
  const track = speaker === 'customer' ? 'inbound' : 'outbound';
  for (const digit of sound.content.replaceAll(/w/gi, '')) audio.reportDigit({ digit, track });
}

/** Makes the tone of a party, on the lines of the party. */
function toneOf(
  party: Party,
  read: () => SimulatedCall | undefined,
  isSilent: (party: Party, tick: number) => boolean,
): AudioSource {
  return toneSource(party, { into: () => linesOfTone(party, read()), isSilent: (tick) => isSilent(party, tick) });
}
