import { valueAt } from '../json-object.ts';

const UNSENT: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** True if a request failed because no connection was made, so the other side certainly did not receive it. */
export function isUnsent(error: unknown): boolean {
  const errors: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return errors.length > 0 && errors.every((failure) => UNSENT.has(valueAt(failure, 'code')));
}
