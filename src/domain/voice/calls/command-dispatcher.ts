/**
 * Dispatches commands to the carrier and finds out their outcome. How long a carrier has to answer is decided by the
 * guard of its connection (src/carriers/connections/guard.ts).
 * A text is spoken first, so that the adapter finds its audio in the cache.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { VoiceCommand, VoicePort, VoiceRefusal } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { ModelError, type Speech } from '../../../speech/port.ts';

/**
 * - dispatched: the carrier has the command.
 * - refused: the carrier will never carry it out.
 * - unavailable: the carrier does not have it; try again.
 * - unknown: the carrier may have it; look it up again.
 */
export type DispatchResult =
  | { readonly outcome: 'dispatched' }
  | { readonly outcome: 'refused'; readonly reason: VoiceRefusal }
  | { readonly outcome: 'unavailable'; readonly retryAfterMs?: number }
  | { readonly outcome: 'unknown' };

type Dispatch = {
  readonly ledger: Ledger;
  /** The connection of the call. */
  readonly connectionId: ConnectionId;
  readonly command: VoiceCommand;
  /** The carrier may have the command from an earlier dispatch: it is looked up first. */
  readonly unsure: boolean;
};

type Answer = Awaited<ReturnType<VoicePort['dispatch']>>;

export type CommandDispatcher = {
  /** Dispatches a command. Never throws. */
  dispatch(dispatch: Dispatch): Promise<DispatchResult>;
  /**
   * Returns true while the request of this process is in progress, also after it ran out of time: the command may reach
   * the carrier at any time.
   */
  isPending(commandRef: string): boolean;
};

type SpeechOfCommands = Pick<Speech, 'voice'> & {
  /** How long a dispatch waits for a text to be spoken. Other commands to the leg wait with it. */
  readonly speechMsMax?: number;
};

/** Below the lease of a call's lane. With its retries a text has as long as the voice may take. */
const SPEECH_MS_MAX = 4_000;

/** Creates the dispatcher of this process. */
export function createCommandDispatcher(
  { carriers, log }: Pick<Context, 'carriers' | 'log'>,
  speech: SpeechOfCommands,
): CommandDispatcher {
  const pending = new Map<string, Promise<Answer>>();
  const dispatchSpoken = createSpokenDispatch(speech, log);
  const logThrown =
    (what: string, { callRef: call, commandRef: command }: VoiceCommand) =>
    (error: unknown) => {
      log.error({ err: error, call, command }, `carrier adapter threw in ${what}; the outcome is unknown`);
    };

  const start = (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<Answer> => {
    const { commandRef } = command;
    const answer = dispatchSpoken({ port, ledger, command }).catch((error: unknown): Answer => {
      logThrown('dispatch', command)(error);
      return { outcome: 'unknown' };
    });
    pending.set(commandRef, answer);
    void answer
      .then((known) => (known.outcome === 'unknown' ? known.ended : undefined))
      .finally(() => pending.delete(commandRef));
    return answer;
  };

  /** Sends the command to the carrier. If it is pending already, its first answer counts and it is not sent again. */
  const send = async (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<DispatchResult> => {
    const answer = await (pending.get(command.commandRef) ?? start(port, ledger, command));
    if (answer.outcome === 'accepted') return { outcome: 'dispatched' };
    if (answer.outcome === 'rejected') return { outcome: 'refused', reason: answer.reason };
    if (answer.outcome === 'unknown') return { outcome: 'unknown' };
    const { retryAfterMs } = answer;
    return { outcome: 'unavailable', ...(retryAfterMs !== undefined && { retryAfterMs }) };
  };

  const find = async (port: VoicePort, ledger: Ledger, command: VoiceCommand): Promise<DispatchResult> => {
    const answer = await port.findCommand(ledger, command).catch((error: unknown) => {
      logThrown('findCommand', command)(error);
      return { found: 'undecided' as const };
    });
    if (answer.found === 'accepted') return { outcome: 'dispatched' };
    // A pending command may still reach a carrier that does not have it yet.
    const isAbsent = answer.found === 'absent' && !pending.has(command.commandRef);
    return { outcome: isAbsent ? 'unavailable' : 'unknown' };
  };

  return {
    isPending: (commandRef) => pending.has(commandRef),
    dispatch: async ({ ledger, connectionId, command, unsure }) => {
      let port: VoicePort;
      try {
        port = carriers.voice(ledger, connectionId);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        return { outcome: 'unavailable' };
      }
      // The gateway cuts the utterances of this carrier's calls.
      if (command.instruction.do === 'start_transcription' && port.fetchUtterance === undefined) {
        return { outcome: 'dispatched' };
      }
      if (unsure && !pending.has(command.commandRef)) {
        const found = await find(port, ledger, command);
        if (found.outcome !== 'unavailable') return found;
      }
      const sent = await send(port, ledger, command);
      return sent.outcome === 'unknown' ? find(port, ledger, command) : sent;
    },
  };
}

type SpokenDispatch = { readonly port: VoicePort; readonly ledger: Ledger; readonly command: VoiceCommand };

/**
 * Returns a function that dispatches a command. A text that cannot be spoken is rejected with speech_unavailable; one
 * that takes too long is `unavailable`, and a retry finds it spoken.
 */
function createSpokenDispatch(
  { voice: voiceOf, speechMsMax = SPEECH_MS_MAX }: SpeechOfCommands,
  log: Logger,
): (dispatch: SpokenDispatch) => Promise<Answer> {
  return async ({ port, ledger, command }) => {
    const { callRef: call, instruction } = command;
    const voice = instruction.do === 'speak' ? voiceOf(ledger) : undefined;
    if (instruction.do !== 'speak' || voice === undefined) return await port.dispatch(ledger, command);
    try {
      if (!(await isDoneWithin(voice.synthesize(instruction.text), speechMsMax))) return { outcome: 'unavailable' };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      log.error({ err: error, call, purpose: instruction.purpose }, 'text cannot be spoken; the call goes on without');
      return { outcome: 'rejected', reason: 'speech_unavailable' };
    }
    return await port.dispatch(ledger, command);
  };
}

/** Returns false if the work takes longer. Throws what the work throws in that time. */
async function isDoneWithin(work: Promise<unknown>, limitMs: number): Promise<boolean> {
  const ended = new AbortController();
  const late = sleep(limitMs, false, { signal: ended.signal });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    ended.abort();
    // A rejection of the promise that did not settle first has no listener.
    for (const other of [work, late]) other.catch(() => undefined);
  }
}
