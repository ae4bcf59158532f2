/** The events that a webhook receiver received, grouped by resource. */
import assert from 'node:assert/strict';
import type { Received } from './receiver.ts';

export type WebhookHistory = ReadonlyMap<string, readonly Received[]>;

/** Groups events by resource. Fails if an event arrived twice or out of order. */
export function webhookHistory(received: readonly Received[]): WebhookHistory {
  assert.equal(new Set(received.map(({ event }) => event.id)).size, received.length, 'an event arrived twice');
  const history = Map.groupBy(received, ({ event }) => event.resource_id);
  for (const [resource, events] of history) {
    const sequence = events.map(({ event }) => event.sequence);
    assert.deepEqual(
      sequence,
      sequence.map((_, index) => index + 1),
      resource,
    );
  }
  return history;
}

/**
 * Returns the statuses of a resource, including the first. Fails unless each change begins with the status before it.
 */
export function statusesIn(history: WebhookHistory, resource: string): string[] {
  const statuses: string[] = [];
  for (const { event } of history.get(resource) ?? []) {
    const { previous_status: before, status } = event.data;
    if (statuses.length === 0) statuses.push(String(before));
    assert.equal(before, statuses.at(-1), resource);
    statuses.push(String(status));
  }
  return statuses;
}

/** Counts the events of each type. */
export function countTypes(received: readonly Received[]): Record<string, number> {
  const groups = Map.groupBy(received, ({ event }) => event.type);
  return Object.fromEntries([...groups].map(([type, { length }]) => [type, length]));
}
