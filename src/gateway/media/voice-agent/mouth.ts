/**
 * What the customer hears of the agent: its text, sentence by sentence, and its files, in the order of its messages.
 * The rest of a text that the customer has interrupted is dropped.
 */
import type { Playback } from '../types.ts';
import type { AgentFrame } from './frames.ts';
import type { HeardSpeech } from './heard-speech.ts';
import { SentenceCutter } from './sentences.ts';
import { type Sound, Speaker } from './speaker.ts';
import type { FetchedFile, Speaking } from './types.ts';

/** Characters that wait to be spoken: some ten minutes of speech. */
const UNSPOKEN_CHARS_MAX = 8_000;
/** Sentences and files that wait, and files among them. */
const SOUNDS_MAX = 500;
const FILES_MAX = 20;

type Text = Extract<AgentFrame, { type: 'text' }>;
type Play = Extract<AgentFrame, { type: 'play' }>;

export type MouthOptions = {
  readonly playback: Playback;
  /** Whether the customer interrupts what does not say it. */
  readonly interruptible: boolean;
  /** The language of what does not name one, at first, and the voice for it; null for that of the installation. */
  readonly language: string;
  readonly voice: string | null;
  readonly speak: (text: string, speaking: Speaking) => Promise<Uint8Array>;
  readonly fetchFile: (url: string) => Promise<FetchedFile>;
  /** @param description what could not be heard, for the agent */
  readonly onFailure: (description: string) => void;
};

/** How a sentence is spoken. */
type How = Pick<Text, 'interruptible' | 'preemptible' | 'lang'>;

export class Mouth {
  /** The language of the next texts that do not name one. */
  language: string;
  readonly #options: MouthOptions;
  readonly #cutter = new SentenceCutter();
  readonly #speaker: Speaker;
  #isTexting = false;
  #isDropping = false;
  /** How the part of a sentence that waits for its end is spoken. */
  #how: How = { preemptible: false };

  constructor(options: MouthOptions) {
    const { playback, onFailure } = options;
    this.#options = options;
    this.language = options.language;
    this.#speaker = new Speaker({ playback, onFailure: (error, sound) => onFailure(describe(error, sound)) });
  }

  /** True while something is heard, or is about to be. */
  get isBusy(): boolean {
    return this.#speaker.isBusy;
  }

  /** True in the middle of a text, before its last part. */
  get isTexting(): boolean {
    return this.#isTexting;
  }

  /** True if more waits than can be spoken. */
  get isOverfull(): boolean {
    const { characters, sounds, files } = this.#speaker.waiting;
    return characters + this.#cutter.waiting > UNSPOKEN_CHARS_MAX || sounds > SOUNDS_MAX || files > FILES_MAX;
  }

  /** Says a text of the platform. */
  say(text: string): void {
    this.#add(text, { preemptible: false });
  }

  /** Takes a part of a text of the agent. Returns false if it is dropped. */
  takeText(part: Text): boolean {
    const isFirst = !this.#isTexting;
    this.#isTexting = !part.last;
    if (this.#isDropping) {
      this.#isDropping = !part.last;
      return false;
    }
    if (isFirst) this.#speaker.preempt();
    const { interruptible, preemptible, lang = this.language } = part;
    if (lang !== this.#how.lang) this.finishText();
    this.#how = { preemptible, lang, ...(interruptible !== undefined && { interruptible }) };
    for (const sentence of this.#cutter.add(part.token)) this.#add(sentence, this.#how);
    if (part.last) this.finishText();
    return true;
  }

  /** Takes a file. It is heard after what the agent has sent before. Returns false if it is dropped. */
  takeFile({ source, times, ...how }: Play): boolean {
    if (this.#isDropping) return false;
    this.#speaker.preempt();
    this.finishText();
    const make = async () => {
      const fetched = await this.#options.fetchFile(source);
      if ('problem' in fetched) throw new FileProblem(fetched.problem);
      return fetched.audio;
    };
    this.#speaker.add({ ...this.#soundOf('', how), source, times, make });
    return true;
  }

  /** Says what the agent has sent of a sentence: more does not follow. */
  finishText(): void {
    for (const sentence of this.#cutter.flush()) this.#add(sentence, this.#how);
  }

  /** Stops at once. Returns what was heard; undefined if nothing is to be heard, or it may not be interrupted. */
  interrupt(): HeardSpeech | undefined {
    const heard = this.#speaker.interrupt();
    if (heard === undefined) return undefined;
    this.#cutter.flush();
    this.#isDropping = this.#isTexting;
    return heard;
  }

  /** What the agent sends from now on answers words of the customer, and is not dropped. */
  hearAgain(): void {
    this.#isDropping = false;
  }

  tick(): void {
    this.#speaker.tick();
  }

  close(): void {
    this.#speaker.close();
  }

  #add(text: string, { lang: language = this.language, ...how }: How): void {
    const { speak, voice, language: voiceLanguage } = this.#options;
    const make = () => speak(text, { language, voice, voiceLanguage });
    this.#speaker.add({ ...this.#soundOf(text, how), make });
  }

  #soundOf(text: string, { interruptible, preemptible }: How) {
    return { text, isInterruptible: interruptible ?? this.#options.interruptible, isPreemptible: preemptible };
  }
}

/** Why a file cannot be played, in a sentence for the agent. */
class FileProblem extends Error {}

function describe(error: unknown, { source }: Sound): string {
  if (error instanceof FileProblem) return `The file could not be played: ${error.message}`;
  return source === undefined ? 'A text could not be spoken.' : 'The file could not be played.';
}
