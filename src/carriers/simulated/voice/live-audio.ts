/**
 * Makes simulated calls audible live. Each party is a tone that pulses while it says nothing (440 Hz the customer, 620 Hz
 * the agent), and everything in the books of the call, utterances, keys and prompts, is heard in its place. The books are
 * read again when this process writes them, and every half second for what others write.
 */
import { FRAME_MS } from '../../../audio/frames.ts';
import type { Database } from '../../../db/database.ts';
import { isWebClient } from '../../../domain/voice/index.ts';
import { ignoreError } from '../../../lib/ignore-error.ts';
import type { Synthesizer } from '../../../speech/speech-synthesis.ts';
import type { AudioSource, CallAudio, CallRef, Line, Populate } from '../../ports/call-audio.ts';
import type { Sound } from './books.ts';
import { changedCallOf } from './change-signal.ts';
import { waitsForListener } from './listening.ts';
import { keepLiveAudio, type LiveBooks, readLiveBooks } from './live-queries.ts';
import { createLiveKeeper } from './live-recorder.ts';
import { type PlayedSound, soundSource, toneSource } from './live-sounds.ts';
import { soundOf } from './rendering.ts';

type Log = Parameters<typeof ignoreError>[1];
type LiveAudioOptions = { readonly db: Database; readonly synthesizer: Synthesizer; readonly log: Log };

const LOOK_EVERY_MS = 500;
/** A sound that is found no later than this after its beginning is heard whole, a little late. */
const LATE_MS_MAX = 2_000;
/** The ledger's clock has been moved if it is this far from where it was expected. */
const CLOCK_MOVED_MS = 1_000;

/** What makes simulated calls audible in this process. */
export type LiveAudioOfCalls = {
  readonly populate: Populate;
  /** Ends the looking for what other processes write. */
  stop(): void;
};

export function createLiveAudio({ db, synthesizer, log }: LiveAudioOptions): LiveAudioOfCalls {
  const lives = new Map<string, { readonly call: CallRef; readonly live: LiveCall }>();

  const look = async (callIds: readonly string[]) => {
    const watched = callIds.flatMap((callId) => lives.get(callId) ?? []);
    if (watched.length === 0) return;
    const askedAt = performance.now();
    const books = await readLiveBooks(
      db,
      watched.map(({ call }) => ({ ledgerId: call.ledgerId, callRef: call.callId })),
    );
    const readAt = (askedAt + performance.now()) / 2;
    for (const { call, live } of watched) {
      const own = books.get(call.callId);
      if (own !== undefined) await live.update(own, readAt);
    }
  };
  const lookSoon = (callIds: readonly string[]) => ignoreError(look(callIds), log, 'the books are read again soon');

  db.onSignal((signal) => {
    const callId = changedCallOf(signal);
    if (callId !== undefined && lives.has(callId)) lookSoon([callId]);
  });
  let timer: NodeJS.Timeout | undefined;
  const watch = () => {
    timer ??= setInterval(() => lookSoon([...lives.keys()]), LOOK_EVERY_MS).unref();
  };
  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };

  return {
    populate: async (audio, call) => {
      const { ledgerId, callId } = call;
      const keep = (heard: Parameters<typeof keepLiveAudio>[2]) =>
        ignoreError(keepLiveAudio(db, { ledgerId, callRef: callId }, heard), log, 'a piece is missing in a recording');
      const live = createLiveCall(audio, { synthesizer, keep });
      lives.set(callId, { call, live });
      watch();
      const remove = () => {
        live.remove();
        if (lives.get(callId)?.live === live) lives.delete(callId);
        if (lives.size === 0) stop();
      };
      await look([callId]).catch((error: unknown) => {
        remove();
        throw error;
      });
      return remove;
    },
    stop,
  };
}

type LiveCall = {
  update(books: LiveBooks, readAtMs: number): Promise<void>;
  remove(): void;
};

type LiveCallOptions = Pick<LiveAudioOptions, 'synthesizer'> & {
  readonly keep: Parameters<typeof createLiveKeeper>[0]['keep'];
};

function createLiveCall(audio: CallAudio, { synthesizer, keep }: LiveCallOptions): LiveCall {
  const startedAtMs = performance.now();
  /** Ledger time of tick 0. */
  let beganAtMs: number | undefined;
  let books: LiveBooks | undefined;
  const sounds = new Map<string, PlayedSound>();
  const removals: (() => void)[] = [];
  const sources: AudioSource[] = [];

  const add = (source: AudioSource) => {
    sources.push(source);
    removals.push(audio.addSource(source));
  };

  const tickAt = (ms: number) => Math.round((ms - startedAtMs) / FRAME_MS);

  const follow = (read: LiveBooks, readAtMs: number) => {
    const at = read.now.getTime() - (readAtMs - startedAtMs);
    if (beganAtMs === undefined || Math.abs(at - beganAtMs) > CLOCK_MOVED_MS) beganAtMs = at;
  };

  const isThere = (party: 'customer' | 'agent') =>
    books?.legs.some((leg) => {
      if (leg.party !== party || isWebClient(leg.address)) return false;
      // The customer's line is audible before it is answered; the agent is heard once they are joined.
      if (party === 'agent') return leg.state === 'up' && books?.bridged === true;
      return leg.state !== 'ended' && !leg.leaves_message;
    }) === true;

  const speaks = (party: 'customer' | 'agent', tick: number) =>
    books?.sounds.some((sound) => partyOf(sound) === party && sounds.get(sound.ref)?.isHeard(tick) === true) === true;

  const partyOf = (sound: Sound) => books?.legs.find((leg) => leg.leg_ref === sound.said_by)?.party;

  for (const party of ['customer', 'agent'] as const) {
    add(toneSource(party, (tick) => !isThere(party) || speaks(party, tick)));
  }
  const keeper = createLiveKeeper({
    booked: sources,
    timeOf: (tick) => new Date((beganAtMs ?? Date.now()) + tick * FRAME_MS),
    keep,
  });
  let stopKeeping: (() => void) | undefined;
  const keepWhile = (recorded: boolean) => {
    if (recorded) stopKeeping ??= audio.addSink(keeper);
    if (recorded || stopKeeping === undefined) return;
    keeper.flush();
    stopKeeping();
    stopKeeping = undefined;
  };

  const begin = async (sound: Sound, isFirstLook: boolean) => {
    const pcm = await soundOf(synthesizer.synthesize, sound);
    const dueTick = Math.round((sound.starts_at.getTime() - (beganAtMs ?? 0)) / FRAME_MS);
    const nowTick = tickAt(performance.now()) + 1;
    const isLate = dueTick < nowTick && (nowTick - dueTick) * FRAME_MS <= LATE_MS_MAX && !isFirstLook;
    const into = webClientPortOf(sound, partyOf(sound), books);
    if (into.length === 0) return;
    const firstTick = isLate ? nowTick : dueTick;
    const source = soundSource(pcm, { into, firstTick, durationMs: sound.duration_ms });
    sounds.set(sound.ref, source);
    add(source);
  };

  /** Keys that a party has pressed, and those that were sent to the customer. */
  const noticeKeys = (sound: Sound) => {
    const party = partyOf(sound);
    if (party === undefined && !webClientPortOf(sound, undefined, books).includes('outbound')) return;
    const track = party === 'customer' ? 'inbound' : 'outbound';
    for (const digit of sound.content.replaceAll(/w/gi, '')) audio.noticeDigit({ digit, track });
  };

  /** Begun before their audio was made, so that no look begins one twice. */
  const begun = new Set<string>();
  return {
    update: async (read, readAtMs) => {
      const isFirstLook = books === undefined;
      follow(read, readAtMs);
      books = read;
      keepWhile(read.recorded);
      for (const sound of read.sounds) {
        sounds.get(sound.ref)?.cut(sound.duration_ms);
        if (begun.has(sound.ref) || waitsForListener(sound, read)) continue;
        begun.add(sound.ref);
        const endedMs = sound.starts_at.getTime() + sound.duration_ms;
        if (endedMs + LATE_MS_MAX < read.now.getTime() || (isFirstLook && endedMs < read.now.getTime())) continue;
        if (sound.kind === 'keys' && !isFirstLook) noticeKeys(sound);
        await begin(sound, isFirstLook);
      }
    },
    remove: () => {
      keepWhile(false);
      for (const remove of removals) remove();
    },
  };
}

/** Where a sound is heard: what a party says by the other, what the carrier plays by those whom it is played to. */
function webClientPortOf(sound: Sound, saidBy: 'customer' | 'agent' | undefined, books: LiveBooks | undefined): Line[] {
  if (saidBy === 'customer') return ['inbound'];
  if (saidBy === 'agent') return books?.bridged === true ? ['outbound'] : [];
  const hearers = books?.legs.filter((leg) => sound.played_to.includes(leg.leg_ref)) ?? [];
  const lines = hearers.map((leg): Line => (leg.party === 'customer' ? 'outbound' : 'agent'));
  return [...new Set(lines)];
}
