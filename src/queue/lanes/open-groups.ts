import type { DueGroup, Found, Share } from './lane-claims.ts';

/** A group that has due lanes as far as is known, all of them due since then (epoch, ms). */
export type OpenGroup = DueGroup & { readonly sinceMs?: number };

/**
 * The groups that the last look found, less those in which a claim has since found fewer lanes than it asked for. Slots
 * that come free are filled from these without another look, and behind the lanes that were claimed before. What becomes
 * due meanwhile wakes the loop, which then looks at all groups again.
 *
 * @param apart whether lanes that failed are groups of their own
 */
export function createOpenGroups({ apart }: { apart: boolean }) {
  const groups = new Map<string, OpenGroup>();
  const toGroup = ({ groupId, failed }: DueGroup): DueGroup => ({ groupId, failed: apart && failed });
  const keyOf = ({ groupId, failed }: DueGroup) => `${failed} ${groupId}`;

  return {
    /** Forgets what was known: these are the groups with due lanes. */
    setAll(due: readonly DueGroup[]): void {
      groups.clear();
      for (const group of due.map(toGroup)) groups.set(keyOf(group), group);
    },
    all: (): OpenGroup[] => [...groups.values()],
    isEmpty: () => groups.size === 0,
    /** Takes note of a claim. */
    claimed(shares: readonly Share[], found: readonly Found[]): void {
      const foundIn = new Map(found.map((each) => [keyOf(each), each]));
      for (const { groupId, failed, slots } of shares) {
        const key = keyOf({ groupId, failed });
        const { count = 0, untilMs = 0 } = foundIn.get(key) ?? {};
        if (count < slots) groups.delete(key);
        else if (groups.has(key)) groups.set(key, { groupId, failed, sinceMs: untilMs });
      }
    },
  };
}
