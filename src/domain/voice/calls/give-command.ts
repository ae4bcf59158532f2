/** Gives one command to the carrier, and finds out what became of it. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VoiceOrder, VoicePort, VoiceRefusal } from '../../../carriers/voice-port.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';

/**
 * - done: the carrier has it.
 * - refused: it never will.
 * - away: it certainly has not; try again.
 * - open: it may have, and does not know itself; ask again.
 */
export type Given =
  | { readonly is: 'done' }
  | { readonly is: 'refused'; readonly reason: VoiceRefusal }
  | { readonly is: 'away'; readonly retryAfterMs?: number }
  | { readonly is: 'open' };

/** A carrier that has not answered by then may or may not have acted. Well within the lease of a lane. */
const ANSWER_MS_MAX = 8_000;

type Giving = { readonly ledger: Ledger; readonly order: VoiceOrder; readonly unsure: boolean };

/** With `unsure` the carrier is asked first whether it has the command from an earlier time. Never throws. */
export async function giveCommand(
  { carriers, log }: Pick<Context, 'carriers' | 'log'>,
  { ledger, order, unsure }: Giving,
): Promise<Given> {
  const { callRef: call, commandRef: command } = order;
  let port: VoicePort;
  try {
    port = carriers.voice(ledger);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { is: 'away' };
  }
  const carryOut = async (): Promise<Given> => {
    const answer = await inTime(port.carryOut(ledger, order), { outcome: 'unknown' as const }).catch(
      (error: unknown) => {
        log.error({ err: error, call, command }, 'the carrier adapter threw in carryOut: the outcome is unknown');
        return { outcome: 'unknown' as const };
      },
    );
    if (answer.outcome === 'accepted') return { is: 'done' };
    if (answer.outcome === 'rejected') return { is: 'refused', reason: answer.reason };
    if (answer.outcome === 'unknown') return { is: 'open' };
    return { is: 'away', ...(answer.retryAfterMs !== undefined && { retryAfterMs: answer.retryAfterMs }) };
  };
  const find = async (): Promise<Given> => {
    const answer = await inTime(port.findOrder(ledger, order), { found: 'undecided' as const }).catch(
      (error: unknown) => {
        log.error({ err: error, call, command }, 'the carrier adapter threw in findOrder: it is asked again');
        return { found: 'undecided' as const };
      },
    );
    if (answer.found === 'accepted') return { is: 'done' };
    return answer.found === 'absent' ? { is: 'away' } : { is: 'open' };
  };
  if (unsure) {
    const found = await find();
    if (found.is !== 'away') return found;
  }
  const given = await carryOut();
  return given.is === 'open' ? find() : given;
}

async function inTime<Answer>(answer: Promise<Answer>, late: Answer): Promise<Answer> {
  const ended = new AbortController();
  try {
    return await Promise.race([answer, sleep(ANSWER_MS_MAX, late, { signal: ended.signal, ref: false })]);
  } finally {
    ended.abort();
  }
}
