import { AsyncLocalStorage } from 'node:async_hooks';
import { timeoutSignal } from '../../lib/time/time.ts';

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Returns the signal that aborts when the request in progress has run out of time. An adapter hands it to its HTTP
 * client, so that a request that was given up cannot reach the carrier later. Undefined outside of a request.
 * @public
 */
export function requestSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/** Returns a signal that aborts after `ms`, and before that if the request in progress has run out of time. */
export function requestSignalWithin(ms: number): AbortSignal {
  const timeout = timeoutSignal(ms);
  const guard = requestSignal();
  return guard === undefined ? timeout : AbortSignal.any([timeout, guard]);
}

/** Runs `request` with `signal` as its signal. */
export function withRequestSignal<Answer>(signal: AbortSignal, request: () => Answer): Answer {
  return signals.run(signal, request);
}
