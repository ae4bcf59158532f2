/** Computes which part of an agent's speech the customer has heard, from the position of the playback. */
import { decodeMulaw, MULAW_BYTES_PER_MS } from '../../../audio/mulaw.ts';

/** Samples below this are silence at the ends of a spoken sentence. */
const AUDIBLE = 500;

/** A sentence or a file in the audio that was played. Times are on the clock of the playback. */
export type Played = {
  /** The words; empty for a file. */
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
  /** The voice in a sentence, without the silence before and after it. */
  readonly voice: { readonly fromMs: number; readonly untilMs: number };
  /** For a file: its address, and its length when it is played once. */
  readonly file?: { readonly source: string; readonly lengthMs: number };
};

/** The part of a speech that the customer heard before the interruption. */
export type HeardSpeech = {
  readonly text: string;
  readonly durationMs: number;
  /** The file that was being played, and the position in it. */
  readonly file?: { readonly source: string; readonly positionMs: number };
};

/** Returns a sentence that is played from a given moment. */
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

/** Returns a file that is played from a given moment. */
export function playedFile(
  startMs: number,
  { source, audio, times }: { readonly source: string; readonly audio: Uint8Array; readonly times: number },
): Played {
  const lengthMs = audio.length / MULAW_BYTES_PER_MS;
  const endMs = startMs + times * lengthMs;
  return { text: '', startMs, endMs, voice: { fromMs: startMs, untilMs: endMs }, file: { source, lengthMs } };
}

/** Returns the part heard up to a position, in whole words. A word counts once half of it was heard. */
export function heardUntil(played: readonly Played[], heardMs: number): HeardSpeech {
  const texts = played.map((sentence) => wordsOf(sentence, heardMs)).filter((text) => text !== '');
  const startMs = played[0]?.startMs ?? heardMs;
  const durationMs = Math.max(0, Math.round(heardMs - startMs));
  const file = fileAt(played, heardMs);
  return { text: texts.join(' '), durationMs, ...(file !== undefined && { file }) };
}

/** Returns the part of the played speech that was heard, after the rest was dropped. */
export function cutAt(played: readonly Played[], heardMs: number): Played[] {
  return played
    .filter(({ startMs }) => startMs < heardMs)
    .map((sentence) =>
      sentence.endMs <= heardMs ? sentence : { ...sentence, text: wordsOf(sentence, heardMs), endMs: heardMs },
    );
}

function fileAt(played: readonly Played[], heardMs: number): HeardSpeech['file'] {
  const current = played.find(({ startMs, endMs }) => startMs <= heardMs && heardMs < endMs);
  if (current?.file === undefined) return undefined;
  const { source, lengthMs } = current.file;
  return { source, positionMs: Math.round((heardMs - current.startMs) % lengthMs) };
}

/** Returns the words of a sentence up to a moment. The voice takes about the same time for each character. */
function wordsOf({ text, voice, endMs }: Played, heardMs: number): string {
  if (heardMs >= endMs) return text;
  const part = (heardMs - voice.fromMs) / Math.max(1, voice.untilMs - voice.fromMs);
  const until = Math.max(0, Math.min(1, part)) * text.length;
  const words = [...text.matchAll(/\S+/gu)].filter(({ index, 0: word }) => index + word.length / 2 <= until);
  const last = words.at(-1);
  return last === undefined ? '' : text.slice(0, last.index + last[0].length);
}
