/** The emergency calls that the person at this browser has seen. */
import { openBrowserText } from '../lib/browser-text.ts';

const seen = openBrowserText('seen-emergencies');
const KEPT_MAX = 200;

/** Returns the ids of the events that were seen. */
export function useSeenEmergencies(): ReadonlySet<string> {
  return new Set(seen.use().split(' '));
}

/** Records that an emergency call was seen, for all tabs of this browser. */
export function markSeen(id: string): void {
  seen.write([...seen.read().split(' '), id].slice(-KEPT_MAX).join(' '));
}
