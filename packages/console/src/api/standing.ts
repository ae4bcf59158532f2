/** Why the console cannot work: the server does not answer, the session has ended, or its pages are outdated. */
import { DialplaneError } from '@dialplane/sdk/resources';
import { useSyncExternalStore } from 'react';

export type Standing = {
  /** No request reaches the server. */
  readonly isAway: boolean;
  readonly isSignedOut: boolean;
  /** The server has another version than the pages of this tab. */
  readonly isOutdated: boolean;
};

let standing: Standing = { isAway: false, isSignedOut: false, isOutdated: false };
let firstVersion: string | undefined;
const listeners = new Set<() => void>();

export function changeStanding(change: Partial<Standing>): void {
  const changed = Object.entries(change).some(([name, value]) => standing[name as keyof Standing] !== value);
  if (!changed) return;
  standing = { ...standing, ...change };
  for (const listener of listeners) listener();
}

/** Records what the failure of a request shows about the server and the session. */
export function noteFailure(error: unknown): void {
  if (isAway(error)) changeStanding({ isAway: true });
  if (DialplaneError.is(error) && error.code === 'not_signed_in') changeStanding({ isSignedOut: true });
}

/** Records the version of the server. The first version is the version of the pages in this tab. */
export function noteVersion(version: string): void {
  firstVersion ??= version;
  if (version !== firstVersion) changeStanding({ isOutdated: true });
}

/** True if the server was not reached: there was no reply, or a proxy replied. */
export function isAway(error: unknown): boolean {
  if (!DialplaneError.is(error)) return false;
  const { code, status } = error;
  return code === 'connection_failed' || (code === 'unexpected_reply' && (status ?? 0) >= 502);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useStanding(): Standing {
  return useSyncExternalStore(subscribe, () => standing);
}
