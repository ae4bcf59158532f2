import type { AnswerFinding } from '../../../audio/answer/answer-detector.ts';

/** The sound of a number's answer, from the answer on, and the machine detector's result for it. */
export type HeardAnswer = {
  readonly sounds: readonly AnswerSound[];
  readonly found: readonly AnswerFinding[];
};

type AnswerSound = {
  readonly kind: 'greeting' | 'tone';
  /** The text, or the frequency. */
  readonly content: string;
  readonly atMs: number;
  readonly duration_ms: number;
};
