/** The present state of a call, from its log: who listens, and which transfer is under way. */
import type { Call, CreateCallListener } from '@dialplane/sdk/resources';

export type Listener = {
  readonly id: string;
  readonly webClientId: string;
  readonly speaksTo: CreateCallListener['speaks_to'];
};

/** Returns the listeners that have begun and have not ended. */
export function listenersOf({ events }: Pick<Call, 'events'>): readonly Listener[] {
  const listeners = new Map<string, Listener>();
  for (const { type, detail } of events) {
    const { listener_id: id, web_client_id: webClientId, speaks_to: speaksTo } = detail as Record<string, string>;
    if (id === undefined) continue;
    if (type === 'listener_started' && webClientId !== undefined) {
      listeners.set(id, { id, webClientId, speaksTo: speaksTo as Listener['speaksTo'] });
    } else if (type === 'listener_ended') listeners.delete(id);
  }
  return [...listeners.values()];
}

/** Returns the mode of the transfer that is under way; undefined if there is none. */
export function transferModeOf({ events }: Pick<Call, 'events'>): 'announce' | 'consult' | undefined {
  const latest = events.findLast(({ type }) => type.startsWith('transfer_'));
  if (latest?.type === 'transfer_answered') return 'consult';
  if (latest?.type !== 'transfer_started') return undefined;
  return (latest.detail as { mode?: 'announce' | 'consult' }).mode ?? 'announce';
}
