import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { hasPartner } from './in-flight.ts';
import { skipWhile } from './stepping-time.ts';
import { startStopwatch } from './stopwatch.ts';
import { describeState } from './unmet.ts';

/** The first checks follow each other closely, and later ones less: a check may be a request or a statement. */
const LOOK_AFTER_MS = 2;
const LOOK_EVERY_MS_MAX = 25;
const GROWTH = 1.3;
/**
 * The most time that one check counts towards the limit, so that a stalled or busy machine does not use the limit up.
 */
const LOOK_COUNTS_MS_MAX = 250;
/** The shortest limit while other programs run. Time is real then, and a busy machine slows these programs. */
const LIMIT_WITH_PROGRAMS_MS = 60_000;

/**
 * Waits until the condition is true. During the wait, the clock skips the waits of the product, by `limitMs` at most.
 * Fails after that time, plus as much real time without stalls. `what` names the condition. The limit is for conditions
 * that never become true. Do not use it to assert how long something takes.
 */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<void> {
  if (await holds()) return;
  let looking: Promise<boolean> | undefined;
  let isMet = false;
  // Checks run one at a time, because a condition may have effects.
  const look = (): Promise<boolean> => {
    looking ??= (async () => isMet || (await holds()))()
      .then((met) => {
        isMet = met;
        return met;
      })
      .finally(() => {
        looking = undefined;
      });
    return looking;
  };
  await skipWhile(untilTrue(what, look, limitMs), limitMs, { hasCome: look });
}

async function untilTrue(what: string, look: () => Promise<boolean>, limitMs: number): Promise<void> {
  const readSpentMs = startStopwatch(LOOK_COUNTS_MS_MAX);
  for (let lookMs = LOOK_AFTER_MS; !(await look()); lookMs = Math.min(lookMs * GROWTH, LOOK_EVERY_MS_MAX)) {
    const spentMs = readSpentMs();
    if (spentMs > limitMs && (spentMs > LIMIT_WITH_PROGRAMS_MS || !hasPartner()))
      assert.fail(`not within ${limitMs} ms: ${what}${await describeState()}`);
    await pause(lookMs);
  }
}
