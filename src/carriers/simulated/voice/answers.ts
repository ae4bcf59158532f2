/**
 * The sound of a number's answer, and the result of the answering machine detector for it. People say "Hello?" if a
 * call detects machines. Machines and faxes have fixed numbers.
 */
import { AnswerDetector } from '../../../audio/answer/answer-detector.ts';
import { toMulawFrames } from '../../../audio/mulaw-frames.ts';
import { durationMsOf, mix, samplesOf } from '../../../audio/pcm.ts';
import { MAGIC } from '../magic-numbers.ts';
import type { HeardAnswer } from './heard-answer.ts';
import { renderSound, type SoundMakers } from './sounds.ts';

const GREETING =
  'Hello. You have reached the voicemail of the person that you called. Nobody can take your call at the moment. Please leave your name, your number and a message after the tone.';

type Part =
  | { readonly kind: 'pause'; readonly ms: number }
  | { readonly kind: 'greeting'; readonly text: string }
  | { readonly kind: 'tone'; readonly hz: number; readonly ms: number };

const pause = (ms: number): Part => ({ kind: 'pause', ms });
const tone = (hz: number, ms: number): Part => ({ kind: 'tone', hz, ms });

const ANSWERS: ReadonlyMap<string, readonly Part[]> = new Map([
  [MAGIC.machine, [pause(500), { kind: 'greeting', text: GREETING }, pause(700), tone(1_000, 400)]],
  [MAGIC.machineWithoutBeep, [pause(500), { kind: 'greeting', text: GREETING }]],
  [MAGIC.fax, [pause(300), tone(2_100, 3_000)]],
  [MAGIC.silent, []],
]);
const PERSON: readonly Part[] = [pause(300), { kind: 'greeting', text: 'Hello?' }];

/** The longest silence that the detector waits for. */
const SILENCE_MS = 6_000;

/** Makes the audio of an answer, and passes it to the detector frame by frame. */
export async function hearAnswer(makers: SoundMakers, address: string): Promise<HeardAnswer> {
  const sounds: HeardAnswer['sounds'][number][] = [];
  const placed = [];
  let atMs = 0;
  for (const part of ANSWERS.get(address) ?? PERSON) {
    if (part.kind === 'pause') {
      atMs += part.ms;
      continue;
    }
    const content = part.kind === 'tone' ? String(part.hz) : part.text;
    const lastsMs = part.kind === 'tone' ? part.ms : 0;
    const pcm = await renderSound(makers, { kind: part.kind, content, duration_ms: lastsMs });
    sounds.push({ kind: part.kind, content, atMs, duration_ms: durationMsOf(pcm) });
    placed.push({ pcm, at: samplesOf(Math.round(atMs)) });
    atMs += durationMsOf(pcm);
  }
  const detector = new AnswerDetector();
  const frames = toMulawFrames(mix(placed, samplesOf(Math.round(atMs) + SILENCE_MS)));
  return { sounds, found: frames.flatMap((frame) => detector.write(frame) ?? []) };
}
