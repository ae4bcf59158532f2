/**
 * Decides which groups of lanes a worker may claim next, and how many lanes of each. Groups take turns, each up to its
 * bound, and groups with precedence come first. If the handler has bounds for failed lanes, they are counted
 * separately, so that they take no slot from healthy lanes. It uses no database: the loop reports the lanes that it
 * found, claimed and finished.
 *
 * Free slots are filled from the groups that the last look found, without another look. Each claim takes only lanes
 * that were due after the lanes claimed before. A group leaves this list when a claim finds fewer lanes than it asked
 * for. A lane that becomes due after that wakes the loop, and the loop looks at all groups again.
 */
import type { Lane, LaneHandler } from './lane.ts';

/** A group with due lanes: lanes whose last attempt failed, or healthy ones. */
export type DueGroup = { readonly groupId: string; readonly failed: boolean };

/** A group known to have due lanes. If `sinceMs` (epoch) is set, all of them were due at that time or later. */
export type OpenGroup = DueGroup & { readonly sinceMs?: number };

/** The most lanes to claim in a group. */
export type Share = DueGroup & {
  readonly slots: number;
  /** Lanes that were due before this (epoch, ms) are not claimed. */
  readonly sinceMs?: number | undefined;
};

/** How many lanes a claim found in a group, and when the last of them was due (epoch, ms, rounded down). */
export type Found = DueGroup & { readonly count: number; readonly untilMs: number };

/**
 * When to fill the slot of a lane that ended: immediately, together with other slots that become free soon, or not at
 * all.
 */
export type Refill = 'now' | 'soon' | 'none';

export type LaneBounds = Pick<LaneHandler, 'concurrencyMax' | 'groupConcurrency' | 'failed' | 'hasPrecedence'>;

export type LaneScheduler = ReturnType<typeof createLaneScheduler>;

/** A group is filled again when no more than this share of its slots is in use. */
const REFILL_AT = 0.5;

/** Lanes in use, in all and by group. */
type Pool = { sum: number; readonly byGroup: Map<string, number> };

/** Returns a group's bound in a pool with `free` slots: no group takes more than it leaves to the others. */
export function fairBound(groupMax: number, free: number): number {
  return Math.min(groupMax, free);
}

export function createLaneScheduler(bounds: LaneBounds) {
  const { toGroup, groupOf, inUse, boundOf, count, free, freeForFailed, isEmpty, ofNewLanes } = createUsage(bounds);
  const open = new Map<string, OpenGroup>();
  let lastServed = '';
  let hadDueGroups = false;

  /** Distributes the free slots one by one, a group after the other. Begins after the group that was served last. */
  const dealAmong = (groups: readonly OpenGroup[]): Share[] => {
    const shares = startAfter(groups, lastServed).map((group) => {
      return { ...group, slots: 0, room: boundOf(group) - inUse(group) };
    });
    for (let unfilled = shares; ; ) {
      unfilled = unfilled.filter(({ room, failed }) => room > 0 && (!failed || freeForFailed() > 0));
      if (unfilled.length === 0 || free() <= 0) break;
      for (const share of unfilled.slice(0, free())) {
        if (share.failed && freeForFailed() <= 0) continue;
        if (share.slots === 0) lastServed = share.groupId;
        share.slots++;
        share.room--;
        count(share, 1);
      }
    }
    return shares.filter(({ slots }) => slots > 0).map(({ room: _, ...share }) => share);
  };
  const deal = (groups: readonly OpenGroup[]) => splitByPrecedence(groups, bounds).flatMap(dealAmong);

  return {
    ...ofNewLanes,
    isFull: (): boolean => free() <= 0,
    /** Whether claims count failed lanes separately. */
    countsFailed: bounds.failed !== undefined,
    /** The groups that are known to have due lanes. */
    openGroups: (): OpenGroup[] => [...open.values()],
    /** Replaces the known groups with the groups that the last look has found. */
    setDue(groups: readonly DueGroup[]): void {
      hadDueGroups = groups.length > 0;
      open.clear();
      for (const group of groups.map(toGroup)) open.set(keyOf(group), group);
    },

    /**
     * Returns how many lanes to claim in the known groups, or in the given `groups`. The slots count as used until
     * `settle`, so that a concurrent claim keeps within the bounds.
     */
    reserve(groups?: readonly DueGroup[]): Share[] {
      if (groups === undefined) return deal([...open.values()]);
      return deal([...new Map(groups.map(toGroup).map((group) => [keyOf(group), group])).values()]);
    },

    /** Records the result or the failure of a claim of reserved slots, and frees the slots without a lane. */
    settle(shares: readonly Share[], claim: { lanes: readonly Lane[]; found: readonly Found[] } | undefined): void {
      for (const share of shares) count(share, -share.slots);
      if (claim === undefined) return;
      for (const lane of claim.lanes) count(groupOf(lane), 1);
      const foundIn = new Map(claim.found.map((group) => [keyOf(group), group]));
      for (const { groupId, failed, slots } of shares) {
        const key = keyOf({ groupId, failed });
        const { count: found = 0, untilMs = 0 } = foundIn.get(key) ?? {};
        if (found < slots) open.delete(key);
        else if (open.has(key)) open.set(key, { groupId, failed, sinceMs: untilMs });
      }
    },

    /** Frees the slot of a lane that ended. */
    release(lane: Lane): Refill {
      const group = groupOf(lane);
      count(group, -1);
      if (!hadDueGroups) return 'none';
      return inUse(group) <= boundOf(group) * REFILL_AT || isEmpty() ? 'now' : 'soon';
    },

    /** Whether the last look found due groups. If so, a bound that has grown is a reason to look again. */
    hadDueGroups: (): boolean => hadDueGroups,
  };
}

/** Counts the lanes in use against the bounds. */
function createUsage(bounds: LaneBounds) {
  const healthyPool: Pool = { sum: 0, byGroup: new Map() };
  const failedPool: Pool = { sum: 0, byGroup: new Map() };
  const poolOf = ({ failed }: DueGroup): Pool => (failed ? failedPool : healthyPool);

  /** Without separate bounds, failed and healthy lanes are one group. */
  const toGroup = ({ groupId, failed }: DueGroup): DueGroup => ({
    groupId,
    failed: failed && bounds.failed !== undefined,
  });
  const freeForFailed = (): number => (bounds.failed?.concurrencyMax ?? 0) - failedPool.sum;

  const inUse = (group: DueGroup): number => poolOf(group).byGroup.get(group.groupId) ?? 0;
  const free = (): number => bounds.concurrencyMax - healthyPool.sum - failedPool.sum;
  const groupOf = ({ groupId, failures }: Lane): DueGroup => toGroup({ groupId, failed: failures > 0 });
  const count = (group: DueGroup, by: number): void => {
    const pool = poolOf(group);
    pool.sum += by;
    const sum = (pool.byGroup.get(group.groupId) ?? 0) + by;
    if (sum > 0) pool.byGroup.set(group.groupId, sum);
    else pool.byGroup.delete(group.groupId);
  };

  return {
    toGroup,
    groupOf,
    free,
    freeForFailed,
    isEmpty: (): boolean => healthyPool.sum + failedPool.sum === 0,
    inUse,
    count,

    boundOf: ({ groupId, failed }: DueGroup): number => {
      if (!failed || bounds.failed === undefined) return bounds.groupConcurrency(groupId);
      // Each group may have its own bound.
      return fairBound(bounds.failed.groupConcurrency(groupId), Math.max(1, freeForFailed()));
    },

    /** Lanes that are claimed as they are made. */
    ofNewLanes: {
      /** Whether the group has room for one more lane. */
      hasRoom: (groupId: string): boolean =>
        free() > 0 && inUse(toGroup({ groupId, failed: false })) < bounds.groupConcurrency(groupId),
      /** Counts the lane. */
      take: (lane: Lane): void => count(groupOf(lane), 1),
    },
  };
}

function keyOf({ groupId, failed }: DueGroup): string {
  return `${failed} ${groupId}`;
}

/** Returns the groups with precedence, and then the others. */
function splitByPrecedence<Group extends DueGroup>(groups: readonly Group[], { hasPrecedence }: LaneBounds): Group[][] {
  if (hasPrecedence === undefined) return [[...groups]];
  const isFirst = ({ groupId }: Group) => hasPrecedence(groupId);
  return [groups.filter(isFirst), groups.filter((group) => !isFirst(group))];
}

/** Returns the groups in order of their ids, rotated to begin after `lastServed`. */
function startAfter<Group extends DueGroup>(groups: readonly Group[], lastServed: string): readonly Group[] {
  const sorted = [...groups].sort((a, b) => (a.groupId < b.groupId ? -1 : a.groupId > b.groupId ? 1 : 0));
  const index = sorted.findIndex(({ groupId }) => groupId > lastServed);
  return index <= 0 ? sorted : [...sorted.slice(index), ...sorted.slice(0, index)];
}
