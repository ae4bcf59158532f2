/** The sound of a number's answer, and the result of the answering machine detector. */

import type { AnswerFinding } from '../../../../audio/answer/answer-detector.ts';
import { isMachine } from '../../magic-numbers.ts';
import { isByHand, type Leg } from '../call.ts';
import type { HeardAnswer } from '../heard-answer.ts';
import { addSound, plan, report, stayUntil, type Transition } from './transition.ts';

/** How long a machine records. */
const RECORDS_MS = 30_000;

/** The names of the actions that report the result, without their leg. */
export const REPORTED_ANSWERS = ['report_answer:kind', 'report_answer:greeting_ended'] as const;

/** Plays the sound of a leg's answer, from its answer on. A person that a test plays makes no sound automatically. */
export function greet(transition: Transition, leg: Leg, { sounds, found }: HeardAnswer): void {
  const { leg_ref: said_by, address, answered_at } = leg;
  const answeredMs = (answered_at ?? transition.now).getTime();
  let endsAtMs = answeredMs;
  for (const [index, { atMs, ...sound }] of isByHand(transition.call, leg) ? [] : sounds.entries()) {
    const starts_at = new Date(answeredMs + atMs);
    addSound(transition, { ...sound, ref: `answer:${said_by}:${index}`, said_by, starts_at, reported: true });
    endsAtMs = starts_at.getTime() + sound.duration_ms;
  }
  if (isMachine(address)) stayUntil(transition, said_by, endsAtMs + RECORDS_MS);
  if (!leg.detects_machine) return;
  for (const finding of found) {
    const inMs = Math.max(answeredMs + finding.atMs - transition.now.getTime(), 0);
    plan(transition, { do: 'report_answer', legRef: said_by, finding }, inMs);
  }
}

/** Reports the detector's result. */
export function reportAnswer(transition: Transition, { leg_ref: legRef }: Leg, finding: AnswerFinding): void {
  const { call_ref: callRef } = transition.call;
  if (finding.found === 'kind') report(transition, { type: 'leg.classified', callRef, legRef, kind: finding.kind });
  else report(transition, { type: 'leg.greeting_ended', callRef, legRef, beep: finding.beep });
}
