import { AsyncLocalStorage } from 'node:async_hooks';
import { timeoutSignal } from '../../lib/time/time.ts';

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Returns a signal that aborts when the running request has exceeded its time. An adapter passes it to its HTTP client,
 * so that an abandoned request cannot reach the carrier later. Undefined outside of a request.
 * @public
 */
export function requestSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/** Returns a signal that aborts after `ms`, or earlier if the running request exceeds its time. */
export function requestSignalWithin(ms: number): AbortSignal {
  const timeout = timeoutSignal(ms);
  const guard = requestSignal();
  return guard === undefined ? timeout : AbortSignal.any([timeout, guard]);
}

/** Runs `request` with `signal` as its signal. */
export function withRequestSignal<Answer>(signal: AbortSignal, request: () => Answer): Answer {
  return signals.run(signal, request);
}
