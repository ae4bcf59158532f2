/** What a webhook receiver was told, read as the story of each resource. */
import assert from 'node:assert/strict';
import type { Received } from './receiver.ts';

export type Story = ReadonlyMap<string, readonly Received[]>;

/** Everything received, by resource; fails if anything came twice or out of order. */
export function webhookHistory(received: readonly Received[]): Story {
  assert.equal(new Set(received.map(({ event }) => event.id)).size, received.length, 'an event came twice');
  const story = Map.groupBy(received, ({ event }) => event.resource_id);
  for (const [resource, events] of story) {
    const places = events.map(({ event }) => event.sequence);
    assert.deepEqual(
      places,
      places.map((_, index) => index + 1),
      resource,
    );
  }
  return story;
}

/** The statuses that a resource went through, the first one included; fails unless each begins where one ended. */
export function statusesIn(story: Story, resource: string): string[] {
  const moves: string[] = [];
  for (const { event } of story.get(resource) ?? []) {
    const { previous_status: before, status } = event.data;
    if (moves.length === 0) moves.push(String(before));
    assert.equal(before, moves.at(-1), resource);
    moves.push(String(status));
  }
  return moves;
}

/** How often each type of event came. */
export function countTypes(received: readonly Received[]): Record<string, number> {
  const groups = Map.groupBy(received, ({ event }) => event.type);
  return Object.fromEntries([...groups].map(([type, { length }]) => [type, length]));
}
