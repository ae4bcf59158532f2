/** Gives commands to the carrier, and finds out what became of them. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { VoiceCommand, VoicePort, VoiceRefusal } from '../../../carriers/ports/voice.ts';
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

/** A carrier that has not answered by then may or may not have acted, and may still. */
const ANSWER_MS_MAX = 8_000;

type Giving = { readonly ledger: Ledger; readonly command: VoiceCommand; readonly unsure: boolean };

type Answer = Awaited<ReturnType<VoicePort['dispatch']>>;

export type CommandDispatcher = {
  /** With `unsure` the carrier is asked first whether it has the command from an earlier time. Never throws. */
  give(giving: Giving): Promise<Given>;
  /** True while the carrier owes this process its answer: the command may reach it at any moment. */
  isUnderWay(commandRef: string): boolean;
};

export function createCommandDispatcher({ carriers, log }: Pick<Context, 'carriers' | 'log'>): CommandDispatcher {
  const underWay = new Map<string, Promise<Answer>>();
  const unknownAfter =
    (what: string, { callRef: call, commandRef: command }: VoiceCommand) =>
    (error: unknown) => {
      log.error({ err: error, call, command }, `the carrier adapter threw in ${what}: the outcome is unknown`);
    };

  const begin = (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<Answer> => {
    const answer = port
      .dispatch(ledger, command)
      .catch((error: unknown): Answer => {
        unknownAfter('dispatch', command)(error);
        return { outcome: 'unknown' };
      })
      .finally(() => underWay.delete(command.commandRef));
    underWay.set(command.commandRef, answer);
    return answer;
  };

  /** One that is still under way is waited for, instead of being given beside itself. */
  const dispatch = async (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<Given> => {
    const begun = underWay.get(command.commandRef) ?? begin(port, ledger, command);
    const answer = await inTime(begun, { outcome: 'unknown' as const });
    if (answer.outcome === 'accepted') return { is: 'done' };
    if (answer.outcome === 'rejected') return { is: 'refused', reason: answer.reason };
    if (answer.outcome === 'unknown') return { is: 'open' };
    return { is: 'away', ...(answer.retryAfterMs !== undefined && { retryAfterMs: answer.retryAfterMs }) };
  };

  const find = async (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<Given> => {
    const undecided = { found: 'undecided' as const };
    const answer = await inTime(port.findCommand(ledger, command), undecided).catch((error: unknown) => {
      unknownAfter('findCommand', command)(error);
      return undecided;
    });
    if (answer.found === 'accepted') return { is: 'done' };
    // What the carrier does not have yet it may have in a moment, as long as the question is on its way there.
    return answer.found === 'absent' && !underWay.has(command.commandRef) ? { is: 'away' } : { is: 'open' };
  };

  return {
    isUnderWay: (commandRef) => underWay.has(commandRef),
    give: async ({ ledger, command, unsure }) => {
      let port: VoicePort;
      try {
        port = carriers.voice(ledger);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { is: 'away' };
      }
      if (unsure && !underWay.has(command.commandRef)) {
        const found = await find(port, ledger, command);
        if (found.is !== 'away') return found;
      }
      const given = await dispatch(port, ledger, command);
      return given.is === 'open' ? find(port, ledger, command) : given;
    },
  };
}

async function inTime<Answer>(answer: Promise<Answer>, late: Answer): Promise<Answer> {
  const ended = new AbortController();
  try {
    return await Promise.race([answer, sleep(ANSWER_MS_MAX, late, { signal: ended.signal, ref: false })]);
  } finally {
    ended.abort();
  }
}
