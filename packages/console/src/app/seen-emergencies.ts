import { useSyncExternalStore } from 'react';

/** The emergency calls that the person at this browser has seen. */

const KEY = 'dialplane.console.seen-emergencies';
const KEPT_MAX = 200;
const listeners = new Set<() => void>();

const stored = () => localStorage.getItem(KEY) ?? '';

/** Returns the ids of the events that were seen. */
export function useSeenEmergencies(): ReadonlySet<string> {
  return new Set(useSyncExternalStore(subscribe, stored).split(' '));
}

/** Keeps that an emergency call was seen, for all tabs of this browser. */
export function markSeen(id: string): void {
  localStorage.setItem(KEY, [...stored().split(' '), id].slice(-KEPT_MAX).join(' '));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  // The event comes from another tab of this browser.
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
}
