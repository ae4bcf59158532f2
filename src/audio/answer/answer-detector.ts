/**
 * Judges who has answered a call by its first seconds, as a function of its frames. A person says something short and
 * waits; a machine talks without a pause; a fax whistles. After it finds a machine, it waits for the end of the
 * greeting: a beep, or a long silence. A business that answers with a sentence is a person, so a machine is found only
 * after some seconds of talk. If in doubt, the verdict is a person.
 */
import { FRAME_MS } from '../frames.ts';
import { decodeMulaw } from '../mulaw.ts';
import { SILENT_FRAME } from '../mulaw-frames.ts';
import { createActivityMeter } from '../speech-activity.ts';
import { createToneTracker, type HeardTone } from './tone-tracker.ts';

export type AnswerKind = 'person' | 'machine' | 'fax' | 'unknown';

/** A finding of the detector, made with a frame. `atMs` is the time from the answer to the end of that frame. */
export type AnswerFinding =
  | { readonly found: 'kind'; readonly kind: AnswerKind; readonly atMs: number }
  | { readonly found: 'greeting_ended'; readonly beep: boolean; readonly atMs: number };

/** A pause of this length ends the speech of a person. Greetings have shorter pauses between their sentences. */
const PERSON_PAUSE_MS = 1_000;
/** After talk of this length a beep may follow, so only a longer pause means a person. */
const LONG_TALK = { talkMs: 2_600, pauseMs: 1_800 } as const;
/** Talk of this length, with short pauses, comes from a machine. A business says less when it answers. */
const MACHINE_TALK_MS = 5_800;
/** The least speech in the talk of a machine. The rest may be noise and pauses. */
const MACHINE_SPEECH_MS = 3_000;
/** Shorter speech is a click or a cough. */
const SPEECH_MS_MIN = 160;
/** Without speech for this time the verdict is `unknown`. */
const SILENCE_MS_MAX = 5_000;
/** Without a verdict for this time, such as in loud noise, the verdict is `unknown`. */
const VERDICT_MS_MAX = 12_000;
/** If a machine is silent for this time after its greeting, there is no beep. */
const NO_BEEP_MS = 4_000;
/** Beeps of voice mail systems last a tenth of a second to a second. */
const BEEP_MS_MIN = 120;
const BEEP_MS_MAX = 2_500;
/** A beep counts after this many frames without speech. A vowel that is held like a tone continues into a word. */
const AFTER_BEEP_FRAMES = 3;
/** The answer tone of a fax (ITU-T T.30: CED 2,100 Hz for 2.6 s and more) and its calling tone (CNG 1,100 Hz). */
const FAX = { answerHz: 2_100, answerMs: 1_200, callingHz: 1_100, callingMs: { min: 420, max: 580 } } as const;
const FAX_TOLERANCE_HZ = 38;

/** A frame of speech is this many decibels above the noise, and at least at this level (about -53 dBFS). */
const SPEECH_DB = 7;
const SPEECH_LEVEL_DB_MIN = 37;

export class AnswerDetector {
  readonly #measure = createActivityMeter();
  readonly #tones = createToneTracker();
  #atMs = 0;
  #kind: AnswerKind | undefined;
  #isOver = false;
  /** Start of the talk, and end of the latest speech in it; undefined before speech. */
  #talk: { readonly fromMs: number; untilMs: number; speechMs: number } | undefined;
  /** End of the latest sound of the machine. */
  #soundUntilMs = 0;
  /**
   * Frames since the end of a tone that may be a beep. Undefined if there was none, or if speech or another tone
   * followed it.
   */
  #sinceBeep: number | undefined;

  /** @param kind `machine` if a machine has certainly answered: only the end of its greeting is searched */
  constructor(kind?: 'machine') {
    this.#kind = kind;
  }

  /** True when the detector can find nothing more. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Takes the next frame: 160 bytes of mu-law. Returns the finding, if any. */
  write(frame: Uint8Array): AnswerFinding | undefined {
    this.#atMs += FRAME_MS;
    if (this.#isOver) return undefined;
    const { aboveNoiseDb, levelDb } = this.#measure(frame);
    const tone = this.#tones.write(frame === SILENT_FRAME ? undefined : decodeMulaw(frame));
    const isSpeech = aboveNoiseDb >= SPEECH_DB && levelDb >= SPEECH_LEVEL_DB_MIN && !tone.isTone;
    if (isSpeech || tone.isTone) this.#soundUntilMs = this.#atMs;
    if (isSpeech) this.#addSpeech();
    this.#noteBeep(tone, isSpeech);
    if (this.#kind === 'machine') return this.#awaitEnd(tone);
    const kind = this.#judge(tone);
    if (kind === undefined) return undefined;
    this.#kind = kind;
    this.#isOver = kind !== 'machine';
    return { found: 'kind', kind, atMs: this.#atMs };
  }

  #addSpeech(): void {
    const started = { fromMs: this.#atMs - FRAME_MS, untilMs: this.#atMs, speechMs: 0 };
    this.#talk ??= started;
    const { untilMs, speechMs } = this.#talk;
    // A click long before the first word is not the start of the talk.
    if (speechMs < SPEECH_MS_MIN && this.#atMs - untilMs > PERSON_PAUSE_MS) this.#talk = started;
    this.#talk.untilMs = this.#atMs;
    this.#talk.speechMs += FRAME_MS;
  }

  #noteBeep({ ended, running }: HeardTone, isSpeech: boolean): void {
    if (isBeep(ended)) this.#sinceBeep = 0;
    else if (isSpeech || running !== undefined) this.#sinceBeep = undefined;
    else if (this.#sinceBeep !== undefined) this.#sinceBeep += 1;
  }

  get #hasBeeped(): boolean {
    return this.#sinceBeep !== undefined && this.#sinceBeep >= AFTER_BEEP_FRAMES;
  }

  #judge({ ended, running }: HeardTone): AnswerKind | undefined {
    const talk = this.#talk !== undefined && this.#talk.speechMs >= SPEECH_MS_MIN ? this.#talk : undefined;
    if (talk === undefined && isFax(ended, running)) return 'fax';
    if (this.#hasBeeped) return 'machine';
    if (running !== undefined && running.lastsMs >= BEEP_MS_MIN) return undefined;
    if (talk === undefined) return this.#atMs >= SILENCE_MS_MAX ? 'unknown' : undefined;
    const [talkMs, pauseMs] = [talk.untilMs - talk.fromMs, this.#atMs - talk.untilMs];
    if (pauseMs >= (talkMs >= LONG_TALK.talkMs ? LONG_TALK.pauseMs : PERSON_PAUSE_MS)) return 'person';
    if (talkMs >= MACHINE_TALK_MS && talk.speechMs >= MACHINE_SPEECH_MS) return 'machine';
    return this.#atMs >= VERDICT_MS_MAX ? 'unknown' : undefined;
  }

  #awaitEnd({ running }: HeardTone): AnswerFinding | undefined {
    const isSilent = running === undefined && this.#atMs - this.#soundUntilMs >= NO_BEEP_MS;
    if (!this.#hasBeeped && !isSilent) return undefined;
    this.#isOver = true;
    return { found: 'greeting_ended', beep: this.#hasBeeped, atMs: this.#atMs };
  }
}

type Tone = { readonly hz: number; readonly lastsMs: number };

function isBeep(tone: Tone | undefined): tone is Tone {
  return tone !== undefined && tone.lastsMs >= BEEP_MS_MIN && tone.lastsMs <= BEEP_MS_MAX;
}

function isFax(ended: Tone | undefined, running: Tone | undefined): boolean {
  if (running !== undefined && isNear(running.hz, FAX.answerHz) && running.lastsMs >= FAX.answerMs) return true;
  const { min, max } = FAX.callingMs;
  return ended !== undefined && isNear(ended.hz, FAX.callingHz) && ended.lastsMs >= min && ended.lastsMs <= max;
}

function isNear(hz: number, wanted: number): boolean {
  return Math.abs(hz - wanted) <= FAX_TOLERANCE_HZ;
}
