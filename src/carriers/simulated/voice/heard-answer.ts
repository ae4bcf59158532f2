import type { AnswerFinding } from '../../../audio/answer/answer-detector.ts';

/** What is heard when a number answers, from that moment on, and what the detector of machines finds in it. */
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
