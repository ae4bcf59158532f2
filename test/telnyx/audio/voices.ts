/** The sounds of people, digits, speeches and beeps on emulated lines. Each has different frequencies. */
import { FRAME_MS } from '../../../src/audio/frames.ts';
import { SILENT_FRAME, toMulawFrames } from '../../../src/audio/mulaw-frames.ts';
import { concat, samplesOf, silence } from '../../../src/audio/pcm.ts';
import { resample } from '../../../src/audio/resample.ts';
import { beep, dtmf, ramped, sine } from '../../../src/audio/tones.ts';
import { decodeWav, WavError } from '../../../src/audio/wav.ts';
import { beepOf, talk } from '../../support/answers.ts';
import type { Person } from '../calls/person.ts';
import type { Frames } from './lines.ts';

/** A speech of Telnyx is a steady tone. */
export const SPEECH_HZ = 330;
/** Below 697 Hz, the lowest frequency of DTMF, and no multiple of a speech. */
const PERSON = { lowestHz: 380, stepHz: 20, steps: 15 } as const;
const MS_PER_CHARACTER = 65;
const SPEECH_MS_MIN = 500;

/** Returns the frequency of a person's voice: 380 to 660 Hz, always the same for a number. */
export function voiceHz(phoneNumber: string): number {
  const { lowestHz, stepHz, steps } = PERSON;
  const last = Number(phoneNumber.replace(/\D/g, '').slice(-4));
  return lowestHz + stepHz * (last % steps);
}

/** Returns a tone, in whole frames. */
export function toneFrames(frequencyHz: number, durationMs: number): Frames {
  const samples = samplesOf(Math.ceil(durationMs / FRAME_MS) * FRAME_MS);
  return toMulawFrames(ramped(sine({ frequencyHz, samples })));
}

/** Returns how long a text takes to say: 65 ms a character, half a second at least. */
export function speechMs(text: string): number {
  return Math.max(SPEECH_MS_MIN, text.trim().length * MS_PER_CHARACTER);
}

/** Returns digits as tones, each with a gap after it. */
export function digitFrames(digits: string): Frames {
  return toMulawFrames(dtmf(digits));
}

/** How long the beep before a recording is. */
export const BEEP_MS = 300;

export function beepFrames(): Frames {
  return toMulawFrames(beep());
}

/** Returns one run of a speech or of a file, in its real length. A file that is no WAV sounds like a speech. */
export function playedFrames(content: { readonly text: string } | { readonly audio: Buffer }, runMs: number): Frames {
  const length = Math.max(1, Math.ceil(runMs / FRAME_MS));
  const frames = 'audio' in content ? fileFrames(content.audio) : undefined;
  if (frames === undefined) return toneFrames(SPEECH_HZ, length * FRAME_MS);
  return Array.from({ length }, (_, at) => frames[at] ?? SILENT_FRAME);
}

function fileFrames(file: Buffer): Frames | undefined {
  try {
    const { pcm, sampleRateHz } = decodeWav(file);
    return toMulawFrames(resample(pcm, sampleRateHz));
  } catch (error) {
    if (error instanceof WavError) return undefined;
    throw error;
  }
}

/**
 * Returns the sound of an answer: the long greeting of a machine with its beep, the tone of a fax, or a person.
 * A person says "Hello?" again if nobody replies.
 */
export function answerFrames(is: Person['is']): Frames {
  const first = silence(300);
  if (is === 'person') return toMulawFrames(concat([1, 2, 3].flatMap(() => [first, talk(700), silence(2_000)])));
  if (is === 'machine') return toMulawFrames(concat([first, talk(8_000), silence(400), beepOf(1_000, 400)]));
  return toMulawFrames(concat([first, ramped(sine({ frequencyHz: 2_100, samples: samplesOf(3_000) }))]));
}
