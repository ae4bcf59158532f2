import { lazy, Suspense } from 'react';
import { useRead } from '../api/queries.ts';
import { openBrowserText } from '../lib/browser-text.ts';
import type { EmergencyCall } from './emergency-notice.tsx';

/** The notice is rare, so it is not loaded with the first page. */
const Notice = lazy(() =>
  import('./emergency-notice.tsx').then(({ EmergencyNotice }) => ({ default: EmergencyNotice })),
);

const QUERY = { type: 'emergency_call.placed', limit: 20 } as const;
/** If a browser has not seen a call for this long, the call raises no alarm in it. */
const OPEN_MS = 24 * 60 * 60 * 1000;

/**
 * Shows on every page that a user has dialled 911, and rings until the person at the page has seen it. Reads the calls
 * when the page opens, when its event socket opens, and after each event of such a call.
 */
export function EmergencyAlarms() {
  const { data } = useRead(['emergency_calls'], (api) => api.events.list(QUERY));
  const seen = useSeenEmergencies();
  const open = (data?.data ?? []).filter(
    ({ id, created_at }) => !seen.has(id) && Date.now() - Date.parse(created_at) < OPEN_MS,
  );
  return (
    <Suspense fallback={null}>
      {open.reverse().map(({ id, data: call }) => (
        <Notice key={id} call={call as EmergencyCall} onSeen={() => markSeen(id)} />
      ))}
    </Suspense>
  );
}

/** The emergency calls that the person at this browser has seen. */
const seen = openBrowserText('seen-emergencies');
const KEPT_MAX = 200;

/** Returns the ids of the events that were seen. */
function useSeenEmergencies(): ReadonlySet<string> {
  return new Set(seen.use().split(' '));
}

/** Records that an emergency call was seen, for all tabs of this browser. */
function markSeen(id: string): void {
  seen.write([...seen.read().split(' '), id].slice(-KEPT_MAX).join(' '));
}
