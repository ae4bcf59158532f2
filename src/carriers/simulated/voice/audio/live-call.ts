/** One simulated call as sources of its live audio. */
import { FRAME_MS } from '../../../../audio/frames.ts';
import type { Synthesizer } from '../../../../speech/speech-synthesis.ts';
import type { AudioSource, CallAudio, Line } from '../../../ports/call-audio.ts';
import { PARTIES, type Party } from '../../../ports/voice.ts';
import { endOf, isWebClient, type Sound } from '../call.ts';
import { waitsForListener } from '../machine/listening.ts';
import type { LiveState } from './live-queries.ts';
import { createLiveRecorder, type LiveRecorderOptions } from './live-recorder.ts';
import { type PlayedSound, soundSource, toneSource } from './live-sounds.ts';
import { renderSound } from './rendering.ts';

/** A sound that is found no later than this after its start is heard whole, a little late. */
const LATE_MS_MAX = 2_000;
/** The ledger's clock was moved if it is this far from where it was expected. */
const CLOCK_MOVED_MS = 1_000;

export type LiveCall = {
  /** Takes the state of the call. `readAtMs` is on the clock of `performance`. */
  update(state: LiveState, readAtMs: number): Promise<void>;
  remove(): void;
};

type LiveCallOptions = Pick<LiveRecorderOptions, 'keep'> & { readonly synthesizer: Synthesizer };

export function createLiveCall(audio: CallAudio, { synthesizer, keep }: LiveCallOptions): LiveCall {
  const startedAtMs = performance.now();
  /** Ledger time of tick 0. */
  let beganAtMs: number | undefined;
  let state: LiveState | undefined;
  const sounds = new Map<string, PlayedSound>();
  const removals: (() => void)[] = [];
  const sources: AudioSource[] = [];

  const add = (source: AudioSource) => {
    sources.push(source);
    removals.push(audio.addSource(source));
  };
  const tickOf = (ledgerMs: number) => Math.round((ledgerMs - (beganAtMs ?? 0)) / FRAME_MS);
  const speaks = (party: Party, tick: number) =>
    state?.sounds.some((sound) => {
      return speakerOf(sound, state) === party && sounds.get(sound.ref)?.isHeard(tick) === true;
    }) === true;
  for (const party of PARTIES) add(toneSource(party, (tick) => !hasTone(party, state) || speaks(party, tick)));

  const timeOf = (tick: number) => new Date((beganAtMs ?? Date.now()) + tick * FRAME_MS);
  const recorder = createLiveRecorder({ stored: sources, timeOf, keep });
  let stopRecorder: (() => void) | undefined;
  const recordWhile = (recorded: boolean) => {
    if (recorded) stopRecorder ??= audio.addSink(recorder);
    if (recorded || stopRecorder === undefined) return;
    recorder.flush();
    stopRecorder();
    stopRecorder = undefined;
  };

  const start = async (sound: Sound, isFirstRead: boolean) => {
    const pcm = await renderSound(synthesizer.synthesize, sound);
    const dueTick = tickOf(sound.starts_at.getTime());
    const nowTick = Math.round((performance.now() - startedAtMs) / FRAME_MS) + 1;
    const isLate = dueTick < nowTick && (nowTick - dueTick) * FRAME_MS <= LATE_MS_MAX && !isFirstRead;
    const into = linesOf(sound, state);
    if (into.length === 0) return;
    const source = soundSource(pcm, { into, firstTick: isLate ? nowTick : dueTick, durationMs: sound.duration_ms });
    sounds.set(sound.ref, source);
    add(source);
  };

  /** Reports digits that a party has pressed, and those that were sent to the customer. */
  const noticeDigits = (sound: Sound) => {
    const speaker = speakerOf(sound, state);
    if (speaker === undefined && !linesOf(sound, state).includes('outbound')) return;
    const track = speaker === 'customer' ? 'inbound' : 'outbound';
    for (const digit of sound.content.replaceAll(/w/gi, '')) audio.noticeDigit({ digit, track });
  };

  /** Sounds that were started, noted before their audio is made: no read starts a sound twice. */
  const started = new Set<string>();
  return {
    update: async (read, readAtMs) => {
      const isFirstRead = state === undefined;
      const beginMs = read.now.getTime() - (readAtMs - startedAtMs);
      if (beganAtMs === undefined || Math.abs(beginMs - beganAtMs) > CLOCK_MOVED_MS) beganAtMs = beginMs;
      state = read;
      recordWhile(read.recorded);
      for (const sound of read.sounds) {
        sounds.get(sound.ref)?.cut(sound.duration_ms);
        if (started.has(sound.ref) || waitsForListener(sound, read)) continue;
        started.add(sound.ref);
        const endedMs = endOf(sound);
        if (endedMs + LATE_MS_MAX < read.now.getTime() || (isFirstRead && endedMs < read.now.getTime())) continue;
        if (sound.kind === 'keys' && !isFirstRead) noticeDigits(sound);
        await start(sound, isFirstRead);
      }
    },
    remove: () => {
      recordWhile(false);
      for (const remove of removals) remove();
    },
  };
}

function speakerOf(sound: Sound, state: LiveState | undefined): Party | undefined {
  return state?.legs.find((leg) => leg.leg_ref === sound.said_by)?.party;
}

/** True for a party that is audible while it is silent. */
function hasTone(party: Party, state: LiveState | undefined): boolean {
  if (state === undefined) return false;
  return state.legs.some((leg) => {
    if (leg.party !== party || isWebClient(leg.address)) return false;
    // The customer's line is audible before it is answered; the agent is heard after the bridge.
    return party === 'agent' ? leg.state === 'up' && state.bridged : leg.state !== 'ended' && !leg.leaves_message;
  });
}

/** Returns where a sound is heard: what a party says by the other, what the carrier plays by the legs that it names. */
function linesOf(sound: Sound, state: LiveState | undefined): Line[] {
  const speaker = speakerOf(sound, state);
  if (speaker === 'customer') return ['inbound'];
  if (speaker === 'agent') return state?.bridged === true ? ['outbound'] : [];
  const hearers = state?.legs.filter((leg) => sound.played_to.includes(leg.leg_ref)) ?? [];
  const lines = hearers.map((leg): Line => (leg.party === 'customer' ? 'outbound' : 'agent'));
  return [...new Set(lines)];
}
