/**
 * Speech that a request of the API needs. It is made before the request changes anything. If the speech cannot be made,
 * the request fails. Otherwise the carrier finds the audio in the cache.
 */
import type { Tx } from '../../../db/database.ts';
import type { PreparedPhases } from '../../../http/writes/phases.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Scope } from '../../../lib/scope.ts';
import { ModelError, type Speech } from '../../../speech/port.ts';

/** `Retry-After` of a request whose voice server failed, in seconds. */
const RETRY_AFTER_S = 10;

export type SpeakingWrite<Result> = {
  readonly text: string;
  /** Returns false if the write will be refused for another reason. No speech is made for it then. */
  isNeeded(): Promise<boolean>;
  /**
   * Carries out the write. `requireSpeech` throws speech_unavailable if the text cannot be spoken. It is called after
   * the checks of the write, so that their errors come first.
   */
  commit(tx: Tx, requireSpeech: () => void): Promise<Result>;
};

/** Returns the phases of a write that speaks. If the carrier has a voice, nothing is prepared. */
export function speakingPhases<Result>(
  speech: Pick<Speech, 'voice'>,
  scope: Scope,
  { text, isNeeded, commit }: SpeakingWrite<Result>,
): PreparedPhases<ModelError | undefined, Result> | ((tx: Tx) => Promise<Result>) {
  const voice = speech.voice(scope);
  if (voice === undefined) return (tx) => commit(tx, () => undefined);
  return {
    prepare: async () => ((await isNeeded()) ? await speakAhead(voice, [text]) : undefined),
    commit: (tx, failure) => commit(tx, () => requireSpoken(failure)),
  };
}

/** Makes the speech of texts, so that their audio is in the cache. Returns the error if it fails. */
export async function speakAhead(
  voice: NonNullable<ReturnType<Speech['voice']>>,
  texts: readonly string[],
): Promise<ModelError | undefined> {
  try {
    for (const text of texts) await voice.synthesize(text);
    return undefined;
  } catch (error) {
    if (error instanceof ModelError) return error;
    throw error;
  }
}

/** Throws speech_unavailable if a text could not be spoken. */
export function requireSpoken(failure: ModelError | undefined): void {
  if (failure === undefined) return;
  throw new ApiError('speech_unavailable', { retryAfterS: RETRY_AFTER_S, cause: failure });
}
