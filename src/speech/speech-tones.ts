/**
 * Speech-like tones, for machines without a speech program: a short voiced tone for each syllable and pauses between
 * words. They take about the time of the spoken text. The same text always sounds the same; different texts almost
 * never do.
 */
import { concat, mix, type Pcm, samplesOf } from '../audio/pcm.ts';
import { ramped, sine } from '../audio/tones.ts';

const MS_PER_CHARACTER = 65;
const DURATION_MS_MIN = 500;
/** Pitches of a calm voice. Its harmonics end below 697 Hz, the lowest frequency of DTMF. */
const PITCH_HZ_MIN = 110;
const PITCHES = 50;
const HARMONIC_AMPLITUDES = [3_500, 2_500, 1_500, 800] as const;
const SYLLABLE = /[^aeiouy]*[aeiouy]+(?:[^aeiouy]*$)?/giu;

/** Returns the tones of a text: 65 ms a character, 500 ms at least. */
export function tonesFor(text: string): Pcm {
  const spoken = text.trim().replaceAll(/\s+/g, ' ');
  const parts = spoken.split(/( )/).flatMap((part) => (part === ' ' ? [pause()] : wordTones(part)));
  const tones = concat(parts);
  const missing = samplesOf(DURATION_MS_MIN) - tones.length;
  if (missing <= 0) return tones;
  // A very short text has one tone, which lasts for the minimum duration.
  return spoken === '' ? new Int16Array(samplesOf(DURATION_MS_MIN)) : tone(spoken, samplesOf(DURATION_MS_MIN));
}

function pause(): Pcm {
  return new Int16Array(samplesOf(MS_PER_CHARACTER));
}

function wordTones(word: string): Pcm[] {
  const syllables = word.match(SYLLABLE) ?? [word];
  // Characters that the pattern does not match (a word without vowels, digits at the end) belong to the last syllable.
  const rest = word.length - syllables.join('').length;
  return syllables.map((syllable, i) => {
    const characters = syllable.length + (i === syllables.length - 1 ? rest : 0);
    return tone(`${word} ${i}`, samplesOf(characters * MS_PER_CHARACTER));
  });
}

function tone(seed: string, samples: number): Pcm {
  const pitchHz = PITCH_HZ_MIN + (hash(seed) % PITCHES);
  const harmonics = HARMONIC_AMPLITUDES.map((amplitude, i) => ({
    pcm: sine({ frequencyHz: pitchHz * (i + 1), samples, amplitude }),
    at: 0,
  }));
  return ramped(mix(harmonics));
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of Buffer.from(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}
