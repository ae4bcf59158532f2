import type { Lane, LaneHandler } from './job.ts';
import type { DueGroup, GroupSlots } from './lane-claims.ts';

/** What one claim may take: `failed` where lanes that failed have bounds of their own. */
export type Shares = { readonly slots: GroupSlots; readonly failed: GroupSlots | undefined };

/** A group is filled again when no more than this share of its slots is in use. */
const REFILL_AT = 0.75;

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

  const deal = (groups: readonly DueGroup[]): Shares => {
    const slots = new Map<string, number>();
    const failedSlots = new Map<string, number>();
    let open = startAfter(groups, turn).map((group) => ({ ...group, room: boundOf(group) - inUse(group) }));
    for (;;) {
      open = open.filter(({ room, failed: hasFailed }) => room > 0 && (!isApart(hasFailed) || freeForFailed() > 0));
      if (open.length === 0 || free() <= 0) break;
      for (const group of open.slice(0, free())) {
        if (isApart(group.failed) && freeForFailed() <= 0) continue;
        const shares = isApart(group.failed) ? failedSlots : slots;
        if (!shares.has(group.groupId)) turn = group.groupId;
        shares.set(group.groupId, (shares.get(group.groupId) ?? 0) + 1);
        group.room--;
        count(group, 1);
      }
    }
    return { slots, failed: handler.failed && failedSlots };
  };

  return {
    isFull: () => free() <= 0,
    /** Free slots for these groups. They count as used at once, so that a claim beside keeps within the bounds. */
    share: (groups: readonly DueGroup[]): Shares => deal(handler.failed === undefined ? eachOnce(groups) : groups),
    /** Gives back the slots for which no lane was claimed. */
    settle({ slots, failed: failedSlots = new Map() }: Shares, lanes: readonly Lane[]): void {
      for (const [groupId, by] of slots) count({ groupId, failed: false }, -by);
      for (const [groupId, by] of failedSlots) count({ groupId, failed: true }, -by);
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

function eachOnce(groups: readonly DueGroup[]): DueGroup[] {
  return [...new Set(groups.map(({ groupId }) => groupId))].map((groupId) => ({ groupId, failed: false }));
}

/** The list from the first entry after `turn` on, and then its beginning. `groups` may be in any order. */
function startAfter(groups: readonly DueGroup[], turn: string): readonly DueGroup[] {
  const sorted = [...groups].sort((a, b) => (a.groupId < b.groupId ? -1 : a.groupId > b.groupId ? 1 : 0));
  const index = sorted.findIndex(({ groupId }) => groupId > turn);
  return index <= 0 ? sorted : [...sorted.slice(index), ...sorted.slice(0, index)];
}
