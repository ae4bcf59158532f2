import type { Event } from '@dialplane/sdk/resources';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useLive } from './live.tsx';

/** Rare, so the first page does not load it. */
const Notice = lazy(() =>
  import('./emergency-notice.tsx').then(({ EmergencyNotice }) => ({ default: EmergencyNotice })),
);

type Placed = Extract<Event, { type: 'emergency_call.placed' }>;

/** Says on every page that a user has dialled 911, and rings until the person at the page has seen it. */
export function EmergencyAlarms() {
  const { subscribe } = useLive();
  const [placed, setPlaced] = useState<readonly Placed[]>([]);
  useEffect(
    () =>
      subscribe((event) => {
        if (event.type === 'emergency_call.placed') setPlaced((before) => [...before, event]);
      }),
    [subscribe],
  );
  return (
    <Suspense fallback={null}>
      {placed.map(({ id, data }) => (
        <Notice key={id} call={data} onSeen={() => setPlaced((all) => all.filter((each) => each.id !== id))} />
      ))}
    </Suspense>
  );
}
