/** What the customer has heard of an agent, by the position of the playback. */
import { decodeMulaw, MULAW_BYTES_PER_MS } from '../../../audio/mulaw.ts';

/** Samples below this are silence at the ends of a spoken sentence. */
const AUDIBLE = 500;

/** A sentence or a file in the audio that was played. Times are on the clock of the playback. */
export type Played = {
  /** What it says; empty for a file. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The part of a sentence with a voice. */
  readonly voice: { readonly fromMs: number; readonly untilMs: number };
  /** Of a file: its address, and how long it takes once. */
  readonly file?: { readonly source: string; readonly lengthMs: number };
};

/** What the customer heard of a speech until it was interrupted. */
export type HeardSpeech = {
  readonly text: string;
  readonly durationMs: number;
  /** The file that was being played, and the position in it. */
  readonly file?: { readonly source: string; readonly positionMs: number };
};

/** Returns a sentence that is played from a moment on. */
export function playedSentence(startMs: number, text: string, audio: Uint8Array): Played {
  const isVoice = (sample: number) => Math.abs(sample) >= AUDIBLE;
  const pcm = decodeMulaw(audio);
  const [first, last] = [pcm.findIndex(isVoice), pcm.findLastIndex(isVoice)];
  const endMs = startMs + audio.length / MULAW_BYTES_PER_MS;
  const voice =
    first < 0
      ? { fromMs: startMs, untilMs: endMs }
      : { fromMs: startMs + first / MULAW_BYTES_PER_MS, untilMs: startMs + last / MULAW_BYTES_PER_MS };
  return { text, startMs, endMs, voice };
}

/** Returns a file that is played from a moment on. */
export function playedFile(
  startMs: number,
  { source, audio, times }: { readonly source: string; readonly audio: Uint8Array; readonly times: number },
): Played {
  const lengthMs = audio.length / MULAW_BYTES_PER_MS;
  const endMs = startMs + times * lengthMs;
  return { text: '', startMs, endMs, voice: { fromMs: startMs, untilMs: endMs }, file: { source, lengthMs } };
}

/** Returns what was heard at a position, to the word: a word counts once half of it was heard. */
export function heardUntil(played: readonly Played[], heardMs: number): HeardSpeech {
  const texts = played.map((each) => wordsOf(each, heardMs)).filter((text) => text !== '');
  const startMs = played[0]?.startMs ?? heardMs;
  const durationMs = Math.max(0, Math.round(heardMs - startMs));
  const file = fileAt(played, heardMs);
  return { text: texts.join(' '), durationMs, ...(file !== undefined && { file }) };
}

/** Returns what was played, as far as it was heard: the rest has been dropped. */
export function cutAt(played: readonly Played[], heardMs: number): Played[] {
  return played
    .filter(({ startMs }) => startMs < heardMs)
    .map((each) => (each.endMs <= heardMs ? each : { ...each, text: wordsOf(each, heardMs), endMs: heardMs }));
}

function fileAt(played: readonly Played[], heardMs: number): HeardSpeech['file'] {
  const current = played.find(({ startMs, endMs }) => startMs <= heardMs && heardMs < endMs);
  if (current?.file === undefined) return undefined;
  const { source, lengthMs } = current.file;
  return { source, positionMs: Math.round((heardMs - current.startMs) % lengthMs) };
}

/** Returns the words of a sentence until a moment. The voice takes about as long for each character. */
function wordsOf({ text, voice, endMs }: Played, heardMs: number): string {
  if (heardMs >= endMs) return text;
  const part = (heardMs - voice.fromMs) / Math.max(1, voice.untilMs - voice.fromMs);
  const until = Math.max(0, Math.min(1, part)) * text.length;
  const words = [...text.matchAll(/\S+/gu)].filter(({ index, 0: word }) => index + word.length / 2 <= until);
  const last = words.at(-1);
  return last === undefined ? '' : text.slice(0, last.index + last[0].length);
}
