import { AsyncLocalStorage } from 'node:async_hooks';

const signals = new AsyncLocalStorage<AbortSignal>();

/**
 * Returns the signal that aborts when the request in progress has run out of time. An adapter hands it to its HTTP
 * client, so that a request that was given up cannot reach the carrier later. Undefined outside of a request.
 * @public
 */
export function requestSignal(): AbortSignal | undefined {
  return signals.getStore();
}

/** Runs `request` with `signal` as its signal. */
export function withRequestSignal<Answer>(signal: AbortSignal, request: () => Answer): Answer {
  return signals.run(signal, request);
}
