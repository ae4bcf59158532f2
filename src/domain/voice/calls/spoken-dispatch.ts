/** Dispatches commands to a carrier. A text is spoken first, so that the adapter finds its audio in the cache. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { VoiceCommand, VoicePort } from '../../../carriers/ports/voice.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { ModelError, type Speech } from '../../../speech/port.ts';

export type SpeechOfCommands = Pick<Speech, 'voice'> & {
  /** How long a dispatch waits for a text to be spoken. Other commands to the leg wait with it. */
  readonly speechMsMax?: number;
};

/** Below the lease of a call's lane. With its retries a text has as long as the voice may take. */
const SPEECH_MS_MAX = 4_000;

type Dispatch = { readonly port: VoicePort; readonly ledger: Ledger; readonly command: VoiceCommand };
type Answer = Awaited<ReturnType<VoicePort['dispatch']>>;

/**
 * Returns a function that dispatches a command. A text that cannot be spoken is rejected with speech_unavailable; one
 * that takes too long is `unavailable`, and a retry finds it spoken.
 */
export function createSpokenDispatch(
  { voice: voiceOf, speechMsMax = SPEECH_MS_MAX }: SpeechOfCommands,
  log: Logger,
): (dispatch: Dispatch) => Promise<Answer> {
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
    // The one that lost the race fails without a listener.
    for (const other of [work, late]) other.catch(() => undefined);
  }
}
