import type { Lane, LaneHandler } from '../jobs/job.ts';
import type { DueGroup, Share } from './lane-claims.ts';

/** A group is filled again when no more than this share of its slots is in use. */
const REFILL_AT = 0.5;

type Used = { sum: number; readonly byGroup: Map<string, number> };

/**
 * Counts the lanes of one kind that this process has in hand, and deals out what is free: groups take turns, each up to
 * its own bound. Lanes that failed are counted apart where the handler has bounds for them.
 */
export function createLaneSlots(handler: LaneHandler) {
  const well: Used = { sum: 0, byGroup: new Map() };
  const failed: Used = { sum: 0, byGroup: new Map() };
  let turn = '';

  const isApart = (hasFailed: boolean) => hasFailed && handler.failed !== undefined;
  const usedOf = (hasFailed: boolean) => (isApart(hasFailed) ? failed : well);
  const free = () => handler.concurrencyMax - well.sum - failed.sum;
  const freeForFailed = () => (handler.failed?.concurrencyMax ?? 0) - failed.sum;

  const boundOf = ({ groupId, failed: hasFailed }: DueGroup): number => {
    if (!isApart(hasFailed) || handler.failed === undefined) return handler.groupConcurrency(groupId);
    // No group holds more of what is scarce than it leaves to others, and each may hold one.
    return Math.min(handler.failed.groupConcurrency(groupId), Math.max(1, freeForFailed()));
  };

  const inUse = ({ groupId, failed: hasFailed }: DueGroup) => usedOf(hasFailed).byGroup.get(groupId) ?? 0;

  const count = ({ groupId, failed: hasFailed }: DueGroup, by: number) => {
    const used = usedOf(hasFailed);
    used.sum += by;
    const sum = (used.byGroup.get(groupId) ?? 0) + by;
    if (sum > 0) used.byGroup.set(groupId, sum);
    else used.byGroup.delete(groupId);
  };

  const deal = <Group extends DueGroup>(groups: readonly Group[]): (Group & Share)[] => {
    const dealt = startAfter(groups, turn).map((group) => {
      return { ...group, slots: 0, room: boundOf(group) - inUse(group) };
    });
    for (let open = dealt; ; ) {
      open = open.filter(({ room, failed: hasFailed }) => room > 0 && (!isApart(hasFailed) || freeForFailed() > 0));
      if (open.length === 0 || free() <= 0) break;
      for (const group of open.slice(0, free())) {
        if (isApart(group.failed) && freeForFailed() <= 0) continue;
        if (group.slots === 0) turn = group.groupId;
        group.slots++;
        group.room--;
        count(group, 1);
      }
    }
    return dealt.filter(({ slots }) => slots > 0);
  };

  return {
    isFull: () => free() <= 0,
    /** Free slots for these groups. They count as used at once, so that a claim beside keeps within the bounds. */
    share: deal,
    /** Gives back the slots for which no lane was claimed. */
    settle(shares: readonly Share[], lanes: readonly Lane[]): void {
      for (const share of shares) count(share, -share.slots);
      for (const lane of lanes) count(asGroup(lane), 1);
    },
    leave: (lane: Lane) => count(asGroup(lane), -1),
    /** True if the slots of the lane's group should be filled at once, before it runs out of work. */
    isLow: (lane: Lane) => {
      const group = asGroup(lane);
      return inUse(group) <= boundOf(group) * REFILL_AT || well.sum + failed.sum === 0;
    },
  };
}

function asGroup({ groupId, failures }: Lane): DueGroup {
  return { groupId, failed: failures > 0 };
}

/** The list from the first entry after `turn` on, and then its beginning. `groups` may be in any order. */
function startAfter<Group extends DueGroup>(groups: readonly Group[], turn: string): readonly Group[] {
  const sorted = [...groups].sort((a, b) => (a.groupId < b.groupId ? -1 : a.groupId > b.groupId ? 1 : 0));
  const index = sorted.findIndex(({ groupId }) => groupId > turn);
  return index <= 0 ? sorted : [...sorted.slice(index), ...sorted.slice(0, index)];
}
