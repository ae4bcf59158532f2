/**
 * The sounds of a simulated call as audio, each at its time: mixed for a recording, and frame by frame for live audio.
 * A silent party sends a pulsing tone.
 */

import { FRAME_MS } from '../../../audio/frames.ts';
import { decodeMulaw } from '../../../audio/mulaw.ts';
import { framesOf, toMulawFrames } from '../../../audio/mulaw-frames.ts';
import { concat, mixInto, type Pcm, SAMPLE_RATE_HZ, samplesOf, silence } from '../../../audio/pcm.ts';
import { beep, dtmf, holdPattern, pulsingTone, ramped, sine } from '../../../audio/tones.ts';
import { isWebClient } from '../../../lib/phone/agent-address.ts';
import type { AudioSource, Frame, Line } from '../../ports/call-audio.ts';
import type { Party } from '../../ports/voice.ts';
import { isMachine } from '../magic-numbers.ts';
import { endOf, type Hold, isHeardIn, type Leg, type Period, type Sound, type Span } from './call.ts';

type Synthesize = (text: string) => Promise<Pcm>;

/** The tone that a party sends while it does not speak. */
const PARTY_TONE_HZ = { customer: 440, agent: 620 } as const;
const TONE_AMPLITUDE = 4_096;

/** Audio that was played live (mu-law), and the time of its start. */
export type LiveAudio = { readonly starts_at: Date; readonly audio: Uint8Array };

/** A party, and the times when it is audible. */
export type Voice = { readonly leg: Leg; readonly spans: readonly Span[] };

type CallSounds = {
  /** The legs whose audio is rendered. */
  readonly legs: readonly Leg[];
  readonly voices: readonly Voice[];
  readonly sounds: readonly Sound[];
  readonly live?: readonly LiveAudio[];
};

/** The functions that make audio. */
export type SoundMakers = {
  readonly synthesize: Synthesize;
  /** Returns hold audio by its ref, mu-law at 8 kHz; undefined plays the built-in pattern. */
  readonly readHoldAudio?: ReadHoldAudio | undefined;
};
export type ReadHoldAudio = (audioRef: string) => Promise<Uint8Array | undefined>;

/** Renders a span of a call: its voices, mixed with the sounds for the legs. */
export async function renderLegs(
  makers: SoundMakers,
  { legs, voices, sounds, live = [] }: CallSounds,
  span: Span,
): Promise<Pcm> {
  const startMs = span.startsAt.getTime();
  const refs = new Set(legs.map((leg) => leg.leg_ref));
  const pcm = silence(Math.max(0, span.endsAt.getTime() - startMs));
  const mixSound = async (sound: Sound, spans: readonly Span[]) => {
    if (!spans.some((heardSpan) => isHeardIn(sound, heardSpan))) return;
    const made = (await renderSound(makers, sound)).subarray(0, samplesOf(sound.duration_ms));
    for (const { startsAt, endsAt } of spans) {
      const from = Math.max(startsAt.getTime(), sound.starts_at.getTime());
      const [skipped, lasts] = [from - sound.starts_at.getTime(), endsAt.getTime() - from].map(samplesOf);
      if ((lasts as number) <= 0) continue;
      mixFrom(pcm, made.subarray(skipped as number, (skipped as number) + (lasts as number)), from - startMs);
    }
  };
  for (const sound of sounds) if (sound.played_to.some((ref) => refs.has(ref))) await mixSound(sound, [span]);
  for (const { starts_at, audio } of live) mixFrom(pcm, decodeMulaw(audio), starts_at.getTime() - startMs);
  for (const { leg, spans } of voices) {
    const spokenSounds = sounds.filter((sound) => sound.said_by === leg.leg_ref);
    const within = spans.flatMap((heardSpan) => overlapOf(heardSpan, span));
    for (const sound of spokenSounds) await mixSound(sound, within);
    for (const heard of within) mixTone(pcm, leg, { spokenSounds, heard, startsAt: span.startsAt });
  }
  for (const hold of legs.flatMap(({ holds }) => holds)) await mixHold(pcm, makers, { hold, span });
  return pcm;
}

const NEVER_MS = 8.64e15;

/** Returns the span of a period. If the period has not ended, the span has no end. */
function spanOf({ from, until }: Period): Span {
  return { startsAt: from, endsAt: until ?? new Date(NEVER_MS) };
}

function overlapOf(span: Span, other: Span): Span[] {
  const startsAt = new Date(Math.max(span.startsAt.getTime(), other.startsAt.getTime()));
  const endsAt = new Date(Math.min(span.endsAt.getTime(), other.endsAt.getTime()));
  return startsAt < endsAt ? [{ startsAt, endsAt }] : [];
}

/**
 * Returns the parties in the audio of `legRefs`. A customer in `legRefs` is always audible. With such a customer, every
 * other party is audible while the customer hears it. Without one, a party is audible while any of `legRefs` hears it.
 * An agent in `legRefs` is also audible before its first bridge. So agents that talk while the customer is on hold are
 * not audible.
 */
export function voicesOf(legs: readonly Leg[], legRefs: readonly string[]): Voice[] {
  const customers = legs.filter(({ leg_ref, party }) => party === 'customer' && legRefs.includes(leg_ref));
  const hearers = customers.length > 0 ? customers.map(({ leg_ref }) => leg_ref) : legRefs;
  return legs.flatMap((leg) => {
    const isOwn = legRefs.includes(leg.leg_ref);
    if (isOwn && leg.party === 'customer') return [alwaysHeard(leg)];
    const spans = leg.heard.filter(({ by }) => hearers.includes(by)).map(spanOf);
    const before = { startsAt: new Date(0), endsAt: leg.heard[0]?.from ?? new Date(NEVER_MS) };
    const all = isOwn ? [before, ...spans] : spans;
    return all.length === 0 ? [] : [{ leg, spans: all }];
  });
}

export function alwaysHeard(leg: Leg): Voice {
  return { leg, spans: [{ startsAt: new Date(0), endsAt: new Date(NEVER_MS) }] };
}

async function mixHold(pcm: Pcm, makers: SoundMakers, { hold, span }: { hold: Hold; span: Span }): Promise<void> {
  for (const { startsAt, endsAt } of overlapOf(spanOf(hold), span)) {
    const audio = concat((await readHold(makers, hold)).map(decodeMulaw));
    const skipped = samplesOf(startsAt.getTime() - hold.from.getTime());
    const samples = samplesOf(endsAt.getTime() - startsAt.getTime());
    const looped = Int16Array.from({ length: samples }, (_, i) => audio[(skipped + i) % audio.length] as number);
    mixFrom(pcm, looped, startsAt.getTime() - span.startsAt.getTime());
  }
}

const PATTERN = toMulawFrames(holdPattern());

/** Returns one round of hold audio: the audio of its ref, or the built-in pattern. */
async function readHold({ readHoldAudio }: SoundMakers, { audio_ref }: Hold): Promise<readonly Frame[]> {
  const audio = audio_ref === null ? undefined : await readHoldAudio?.(audio_ref);
  return audio === undefined || audio.length === 0 ? PATTERN : framesOf(audio);
}

/** Makes the hold audio of a line. It is audible while `isHeld` is true. */
export async function holdSource(
  makers: SoundMakers,
  hold: Hold,
  { line, isHeld, firstTick }: { line: Line; isHeld: () => boolean; firstTick: number },
): Promise<AudioSource> {
  const frames = await readHold(makers, hold);
  return {
    into: [line],
    read: (tick) => (isHeld() ? frames[Math.max(0, tick - firstTick) % frames.length] : undefined),
  };
}

/** Mixes in audio at a time. Leaves out the part before the start of the span. */
function mixFrom(pcm: Pcm, made: Pcm, atMs: number): void {
  const at = samplesOf(atMs);
  mixInto(pcm, made.subarray(Math.max(0, -at)), Math.max(0, at));
}

/** Returns the audio of a sound. If the audio of a message was removed, it is silence. */
export async function renderSound(
  { synthesize, readHoldAudio }: SoundMakers,
  { kind, content, duration_ms }: Pick<Sound, 'kind' | 'content' | 'duration_ms'>,
): Promise<Pcm> {
  switch (kind) {
    case 'digits':
      return dtmf(content);
    case 'beep':
      return beep();
    case 'tone':
      return ramped(sine({ frequencyHz: Number(content), samples: samplesOf(duration_ms) }));
    case 'audio':
      return decodeMulaw((await readHoldAudio?.(content)) ?? new Uint8Array());
    default:
      return await synthesize(content);
  }
}

type ToneSpan = { readonly spokenSounds: readonly Sound[]; readonly heard: Span; readonly startsAt: Date };

/** Mixes in the tone of a party while it is audible, from its answer to its end, except while it speaks. */
function mixTone(pcm: Pcm, leg: Leg, { spokenSounds, heard, startsAt }: ToneSpan): void {
  // A person at a web client has a voice from the start, and so no tone.
  if (leg.answered_at === null || leg.leaves_message || isWebClient(leg.address) || isMachine(leg.address)) return;
  const from = Math.max(leg.answered_at.getTime(), heard.startsAt.getTime());
  const ends = [leg.ended_at, leg.voice_from, heard.endsAt].flatMap((end) => end?.getTime() ?? []);
  const to = Math.min(...ends);
  if (to <= from) return;
  const spoken = spokenSounds
    .map((sound) => [sound.starts_at.getTime(), endOf(sound)] as const)
    .sort((a, b) => a[0] - b[0]);
  let at = from;
  for (const [begins, endsMs] of [...spoken, [to, to] as const]) {
    if (begins > at) {
      const tone = pulsingTone({
        frequencyHz: PARTY_TONE_HZ[leg.party],
        samples: samplesOf(Math.min(begins, to) - at),
        amplitude: TONE_AMPLITUDE,
        from: samplesOf(at - leg.answered_at.getTime()),
      });
      mixInto(pcm, tone, samplesOf(at - startsAt.getTime()));
    }
    at = Math.max(at, endsMs);
    if (at >= to) return;
  }
}

const tone = (frequencyHz: number) =>
  toMulawFrames(pulsingTone({ frequencyHz, samples: SAMPLE_RATE_HZ, amplitude: TONE_AMPLITUDE }));

/** One second of each tone. The frequencies are whole numbers, so repeats have no break. */
const TONES = { customer: tone(PARTY_TONE_HZ.customer), agent: tone(PARTY_TONE_HZ.agent) } as const;

type ToneParts = { readonly isSilent: (tick: number) => boolean; readonly into?: () => readonly Line[] };

/**
 * Makes the tone of a party. `isSilent` is true while the party is absent, or speaks; `into` returns the lines that
 * carry the party.
 */
export function toneSource(party: Party, { isSilent, into }: ToneParts): AudioSource {
  const usual: readonly Line[] = [party === 'customer' ? 'inbound' : 'outbound'];
  const frames = TONES[party];
  let firstTick: number | undefined;
  return {
    get into() {
      return into?.() ?? usual;
    },
    // While a stream's client plays audio to the customer, the customer hears only that audio.
    yields: party === 'agent',
    isFiller: true,
    read: (tick) => {
      if (isSilent(tick)) return undefined;
      firstTick ??= tick;
      return frames[(tick - firstTick) % frames.length];
    },
  };
}

export type PlayedSound = AudioSource & {
  /** Ends the sound after it has lasted this long. */
  cut(durationMs: number): void;
  /** True while the sound is audible. */
  isHeard(tick: number): boolean;
};

/** Makes a sound that starts at a tick. If the tick is over, the beginning of the sound is left out. */
export function soundSource(
  pcm: Pcm,
  { into, firstTick, durationMs, isOpen = () => true, onStart }: Placing,
): PlayedSound {
  const frames = toMulawFrames(pcm);
  let length = Math.ceil(durationMs / FRAME_MS);
  let hasStarted = false;
  return {
    into,
    cut: (lastsMs) => {
      length = Math.ceil(lastsMs / FRAME_MS);
    },
    isHeard: (tick) => tick >= firstTick && tick < firstTick + length,
    read: (tick) => {
      if (tick < firstTick || tick >= firstTick + length) return undefined;
      if (!hasStarted) onStart?.();
      hasStarted = true;
      return isOpen() ? frames[tick - firstTick] : undefined;
    },
  };
}

type Placing = {
  readonly into: readonly Line[];
  readonly firstTick: number;
  readonly durationMs: number;
  /** False while the sound plays without being audible. */
  readonly isOpen?: () => boolean;
  /** Runs once, before the first frame of the sound is sent. */
  readonly onStart?: () => void;
};
