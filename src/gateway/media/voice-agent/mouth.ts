/**
 * The audio that the customer hears from the agent: texts, sentence by sentence, and files, in the order of the agent's
 * messages. When the customer interrupts a text, its rest is dropped.
 */
import type { Playback } from '../types.ts';
import type { AgentFrame } from './frames.ts';
import type { HeardSpeech } from './heard-speech.ts';
import { SentenceCutter } from './sentences.ts';
import { type Sound, Speaker } from './speaker.ts';
import type { FetchedFile, Speaking } from './types.ts';

/** The most waiting characters: about ten minutes of speech. */
const UNSPOKEN_CHARS_MAX = 8_000;
/** The most waiting sentences and files, and the most files among them. */
const SOUNDS_MAX = 500;
const FILES_MAX = 20;

type Text = Extract<AgentFrame, { type: 'text' }>;
type Play = Extract<AgentFrame, { type: 'play' }>;

export type MouthOptions = {
  readonly playback: Playback;
  /** Whether the customer interrupts a text or a file. Used if the message of the text or file does not say. */
  readonly interruptible: boolean;
  /**
   * The language of texts that name no language. The agent can change it. `voice`: null for the installation's voice.
   */
  readonly language: string;
  readonly voice: string | null;
  readonly speak: (text: string, speaking: Speaking) => Promise<Uint8Array>;
  readonly fetchFile: (url: string) => Promise<FetchedFile>;
  /** @param description the text or file that could not be played; the agent receives it */
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
  /** The settings of the incomplete sentence. */
  #how: How = { preemptible: false };

  constructor(options: MouthOptions) {
    const { playback, onFailure } = options;
    this.#options = options;
    this.language = options.language;
    this.#speaker = new Speaker({ playback, onFailure: (error, sound) => onFailure(describe(error, sound)) });
  }

  /** True while audio is playing or waiting to be played. */
  get isBusy(): boolean {
    return this.#speaker.isBusy;
  }

  /** True in the middle of a text, before its last part. */
  get isTexting(): boolean {
    return this.#isTexting;
  }

  /** True if more texts are waiting than can be spoken. */
  get isOverfull(): boolean {
    const { characters, sounds, files } = this.#speaker.waiting;
    return characters + this.#cutter.waiting > UNSPOKEN_CHARS_MAX || sounds > SOUNDS_MAX || files > FILES_MAX;
  }

  /** Speaks a text of the platform. */
  say(text: string): void {
    this.#add(text, { preemptible: false });
  }

  /** Adds a part of a text of the agent. Returns false if it is dropped. */
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

  /** Adds a file. It is played after everything that the agent has sent before. Returns false if it is dropped. */
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

  /** Speaks the incomplete sentence without waiting for its rest. */
  finishText(): void {
    for (const sentence of this.#cutter.flush()) this.#add(sentence, this.#how);
  }

  /**
   * Stops immediately. Returns the part that was heard. Returns undefined if nothing was about to be played, or if it
   * may not be interrupted.
   */
  interrupt(): HeardSpeech | undefined {
    const heard = this.#speaker.interrupt();
    if (heard === undefined) return undefined;
    this.#cutter.flush();
    this.#isDropping = this.#isTexting;
    return heard;
  }

  /** Accepts messages of the agent again: from now on they answer words of the customer. */
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
