/** Callers who asked in a queue to be called back. */
import type { Call, TimelineItem } from '@dialplane/sdk/resources';

/** Returns the entry of a call's log that says that its caller asked to be called back, if it did. */
export function callbackOf({ events }: Call): Call['events'][number] | undefined {
  return events.find(({ type, detail }) => type === 'dequeued' && detail['reason'] === 'callback');
}

/** Returns when the first answered call back to the caller of a call started, if any. `items` are newest first. */
export function calledBackAt(items: readonly TimelineItem[], { started_at }: Call): string | undefined {
  const calls = items.filter((item) => item.object === 'call');
  return calls.findLast(
    (call) => call.direction === 'outbound' && call.outcome === 'answered' && call.started_at > started_at,
  )?.started_at;
}
