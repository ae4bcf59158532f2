import type { EventRef } from './queries.ts';

/** Most events in one message. Its text then stays below the limit of the bus (7,400 bytes). */
const REFS_MAX = 150;

const ID_PREFIX = 'evt_';

/**
 * Packs references into messages for other processes, in the form `ledger:id,id|ledger:id`. A message holds ids and no
 * rows: a row may be larger than a notification, and most processes do not need it.
 */
export function packRefs(refs: readonly EventRef[]): string[] {
  const messages: string[] = [];
  for (let from = 0; from < refs.length; from += REFS_MAX) {
    const byLedger = Map.groupBy(refs.slice(from, from + REFS_MAX), (ref) => ref.ledgerId);
    const groups = [...byLedger].map(
      ([ledgerId, group]) => `${ledgerId}:${group.map((ref) => ref.id.slice(ID_PREFIX.length)).join(',')}`,
    );
    messages.push(groups.join('|'));
  }
  return messages;
}

/** Returns the references in a message of `packRefs`. */
export function unpackRefs(message: string): EventRef[] {
  return message.split('|').flatMap((group) => {
    const colon = group.indexOf(':');
    const ledgerId = Number(group.slice(0, colon));
    const ids = group.slice(colon + 1).split(',');
    return ids.map((id) => ({ ledgerId, id: ID_PREFIX + id }));
  });
}
