/** The items of a thread: texts, calls, voicemails and notes. */
import type { Call, Conversation, Message, Note, Voicemail } from '@dialplane/sdk';
import type { Problem } from '../texts/texts.ts';

export type Item = Message | Call | Voicemail | Note;

export type Thread = {
  /** Null for a text to a number without a conversation. */
  readonly conversation: Conversation | null;
  readonly items: readonly Item[];
  readonly cursor: string | null;
  readonly isLoading: boolean;
  readonly problem: Problem | null;
};

/** The moment of an item. A thread is sorted by moments. */
export function momentOf(item: Item): string {
  return item.object === 'call' ? item.started_at : item.created_at;
}

/** Returns the items of both lists, oldest first. If an item is in both, returns the item of the second list. */
export function merge(known: readonly Item[], read: readonly Item[]): Item[] {
  const byId = new Map([...known, ...read].map((item) => [item.id, item]));
  return [...byId.values()].sort(
    (item, other) => momentOf(item).localeCompare(momentOf(other)) || item.id.localeCompare(other.id),
  );
}

/** Returns the known items, except notes that `read`, the latest page of the timeline, no longer has. */
export function dropDeletedNotes(known: readonly Item[], read: readonly Item[]): readonly Item[] {
  const ids = new Set(read.map(({ id }) => id));
  const from = read.map(momentOf).sort()[0] ?? '';
  return known.filter((item) => item.object !== 'note' || momentOf(item) <= from || ids.has(item.id));
}

/** Returns the entry of a call's log that says that its caller asked in a queue to be called back, if it did. */
export function callbackOf({ events }: Call): Call['events'][number] | undefined {
  return events.find(({ type, detail }) => type === 'dequeued' && detail['reason'] === 'callback');
}

/** Returns when the first answered call back to the caller of `call` started; undefined if there is none. */
export function calledBackAt(items: readonly Item[], { started_at }: Call): string | undefined {
  const calls = items.filter((item) => item.object === 'call');
  return calls.find(
    (call) => call.direction === 'outbound' && call.outcome === 'answered' && call.started_at > started_at,
  )?.started_at;
}
