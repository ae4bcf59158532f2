/** Callers who asked in a queue to be called back. */
import type { Call, TimelineItem } from '@dialplane/sdk/resources';

/** Returns the entry in a call's log about the caller's request to be called back; undefined if there is none. */
export function callbackOf({ events }: Call): Call['events'][number] | undefined {
  return events.find(({ type, detail }) => type === 'dequeued' && detail['reason'] === 'callback');
}

/**
 * Returns when the first answered call back to the caller started; undefined if there is none. `items` are newest
 * first.
 */
export function calledBackAt(items: readonly TimelineItem[], { started_at }: Call): string | undefined {
  const calls = items.filter((item) => item.object === 'call');
  return calls.findLast(
    (call) => call.direction === 'outbound' && call.outcome === 'answered' && call.started_at > started_at,
  )?.started_at;
}
