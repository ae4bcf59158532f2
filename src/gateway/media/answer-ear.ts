/**
 * Passes the voice of a called party to the detector of answering machines, and reports what it finds. It measures
 * loudness and tones, and keeps no audio.
 */
import { AnswerDetector, type AnswerFinding } from '../../audio/answer/answer-detector.ts';
import { FRAME_BYTES } from '../../audio/mulaw-frames.ts';

/** The detector's task. `nothing`: the party's audio arrived too late, so its kind is unknown. */
export type Detects = 'kind' | 'greeting_end' | 'nothing';

export type AnswerEarOptions = {
  readonly detects: Detects;
  /** Stores a finding. Calls `stored` once it is stored. */
  readonly report: (finding: AnswerFinding, stored: () => void) => void;
  /** Called when the detector can find nothing more and every finding is stored. */
  readonly onDone: () => void;
};

export type AnswerEar = {
  /** Takes audio of the party (mu-law), of any length. */
  write(audio: Uint8Array): void;
  /** Stops the detection. Findings that are not stored yet are still stored afterwards. */
  stop(): void;
};

const UNHEARD: AnswerFinding = { found: 'kind', kind: 'unknown', atMs: 0 };

export function createAnswerEar({ detects, report, onDone }: AnswerEarOptions): AnswerEar {
  const detector = detects === 'greeting_end' ? new AnswerDetector('machine') : new AnswerDetector();
  const frames = createFramer();
  let isOver = false;
  let unstored = 0;

  const find = (finding: AnswerFinding) => {
    unstored += 1;
    report(finding, () => {
      unstored -= 1;
      if (isOver && unstored === 0) onDone();
    });
  };
  if (detects === 'nothing') {
    isOver = true;
    find(UNHEARD);
  }
  return {
    write: (audio) => {
      if (isOver) return;
      for (const frame of frames.cut(audio)) {
        const finding = detector.write(frame);
        if (detector.isOver) isOver = true;
        if (finding !== undefined) find(finding);
      }
    },
    stop: () => {
      isOver = true;
    },
  };
}

/** Creates the function that cuts audio of any length into frames. An incomplete frame waits for more audio. */
function createFramer() {
  let rest = new Uint8Array();
  return {
    cut: (audio: Uint8Array): Uint8Array[] => {
      const whole = rest.length === 0 ? audio : Buffer.concat([rest, audio]);
      const count = Math.floor(whole.length / FRAME_BYTES);
      rest = whole.slice(count * FRAME_BYTES);
      return Array.from({ length: count }, (_, n) => whole.subarray(n * FRAME_BYTES, (n + 1) * FRAME_BYTES));
    },
  };
}
