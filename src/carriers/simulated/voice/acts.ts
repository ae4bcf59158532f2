/**
 * What is still to happen on simulated calls, as durable jobs: a party answers, presses a key, hangs up. Each act is
 * carried out under the lock of its call, in one transaction with its end and with what comes of it in the domain: so
 * it happens once, whoever crashes or stands still meanwhile, and what it says is never lost.
 */
import type { Tx } from '../../../db/database.ts';
import { wake } from '../../../queue/worker/wake.ts';
import type { PlannedAct } from './books.ts';

export type Act =
  | { readonly act: 'ring' | 'answer' | 'hang_up'; readonly legRef: string }
  /** Looks whether a web client on the call is still logged in. */
  | { readonly act: 'check_web_client'; readonly legRef: string; readonly misses: number }
  | { readonly act: 'press'; readonly legRef: string; readonly digit: string }
  /** Says a line, unless somebody has spoken already. */
  | { readonly act: 'small_talk'; readonly legRef: string; readonly text: string }
  /** What was said, or that a speech is over, is reported. */
  | { readonly act: 'report_sound'; readonly ref: string }
  | { readonly act: 'follow_script'; readonly step: number; readonly attempt: number };

export const ACT_KIND = 'simulated.act';

export type ActPayload = { readonly callRef: string; readonly act: Act };

export const actId = (callRef: string, name: string) => `${ACT_KIND}:${callRef}:${name}`;

/** Ids, payloads and delays, for a statement that writes acts of one call. */
export function actValues(callRef: string, planned: readonly PlannedAct[]): [string[], string[], number[]] {
  return [
    planned.map(({ name }) => actId(callRef, name)),
    planned.map(({ act }) => JSON.stringify({ callRef, act } satisfies ActPayload)),
    planned.map(({ inMs }) => inMs),
  ];
}

export function wakePerformers(tx: Tx, planned: readonly PlannedAct[]): void {
  if (planned.length > 0) wake(tx, 'jobs', 'voice', Math.min(...planned.map(({ inMs }) => Math.max(inMs, 0))));
}
