import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import { createAlarm } from './alarm.ts';
import { createHeartbeat, type Heartbeat } from './heartbeat.ts';
import type { Lane, LaneHandler } from './job.ts';
import type { CallObserver, CallResult } from './job-runner.ts';
import { claimLanes, findDueGroups, findDueLedgerGroups, renewLanes } from './lane-claims.ts';
import { isLaneEnded, postponeLane, releaseLane } from './lanes.ts';
import { backoffMs, LeaseLostError, laneName } from './lease.ts';
import { leaseMsOf, type WorkerSettings } from './settings.ts';

export type LaneLoop = {
  readonly kind: string;
  readonly prompt: boolean;
  readonly inHand: Heartbeat<Lane>;
  start(): void;
  /** There may be a due lane in `delayMs`. */
  wake(delayMs: number): void;
  /** Claims what is due in one ledger within the bounds, and starts it; also while the loop is stopped. */
  claimLedger(ledgerId: number): Promise<number>;
  /** Claims no more. Drains at work go on. */
  stop(): Promise<void>;
};

/** Free slots of a group are filled when no more than this share of them is in use, or after so long. */
const REFILL_AT = 0.75;
const REFILL_MS = 3;

type LaneLoopOptions = {
  db: Database;
  log: Logger;
  handler: LaneHandler;
  tokens: () => string;
  settings: WorkerSettings;
  observe?: CallObserver | undefined;
};

/**
 * Claims and drains the lanes of one kind. Groups with due lanes share the free slots in turns, each up to its own
 * bound; a group at its bound costs nothing until one of its lanes ends.
 */
export function createLaneLoop({ db, log, handler, tokens, settings, observe }: LaneLoopOptions): LaneLoop {
  const { kind } = handler;
  const { heldMaxMs } = settings;
  const leaseMs = leaseMsOf(settings, handler.urgent ?? false);
  const renew = (lanes: Lane[]) => renewLanes(db.aside, lanes, leaseMs);
  const inHand = createHeartbeat<Lane>({ leaseMs, heldMaxMs, log, renew });
  const usedByGroup = new Map<string, number>();
  let used = 0;
  let turn = '';
  let running = false;
  let mayBeDue = false;
  // True if due lanes were left for want of a slot, so that the end of a drain is a reason to look again.
  let leftSome = false;
  let claiming: Promise<void> | undefined;
  const alarm = createAlarm(() => wake(0));

  const wake = (delayMs: number) => {
    if (!running) return;
    if (delayMs > 0) {
      alarm.set(delayMs);
    } else {
      mayBeDue = true;
      pump();
    }
  };

  const pump = () => {
    if (!running || !mayBeDue || claiming !== undefined || used >= handler.concurrencyMax) return;
    mayBeDue = false;
    claiming = claimDue()
      .catch((error: unknown) => log.warn({ err: error, kind }, 'claiming lanes failed; the poll tries again'))
      .finally(() => {
        claiming = undefined;
        alarm.set(settings.pollMs);
        pump();
      });
  };

  const claimDue = async () => {
    const { groupIds, nextInMs } = await findDueGroups(db, kind);
    if (nextInMs !== undefined) alarm.set(Math.ceil(Math.max(nextInMs, 1)));
    leftSome = groupIds.length > 0;
    // Also after the last lane of a group: the look before the claim may have missed the group's next one.
    if ((await claimGroups(groupIds)) > 0) mayBeDue = true;
  };

  const claimGroups = async (groupIds: readonly string[]): Promise<number> => {
    const slots = shareSlots(startAfter(groupIds, turn));
    if (slots.size === 0) return 0;
    turn = [...slots.keys()].at(-1) ?? '';
    // Counted as used before the claim, so that a claim for one ledger beside it keeps within the bounds.
    for (const [groupId, count] of slots) use(groupId, count);
    let lanes: Lane[] = [];
    try {
      lanes = await claimLanes(db, kind, { slots, leaseMs, leaseToken: tokens() });
    } finally {
      const unused = new Map(slots);
      for (const lane of lanes) unused.set(lane.groupId, (unused.get(lane.groupId) ?? 0) - 1);
      for (const [groupId, count] of unused) use(groupId, -count);
    }
    for (const lane of lanes) void drain(lane);
    return lanes.length;
  };

  /** Deals the free slots out to the groups in turns. */
  const shareSlots = (groupIds: readonly string[]): Map<string, number> => {
    const slots = new Map<string, number>();
    let free = handler.concurrencyMax - used;
    let open = groupIds.map((groupId) => ({
      groupId,
      room: handler.groupConcurrency(groupId) - (usedByGroup.get(groupId) ?? 0),
    }));
    while (free > 0) {
      open = open.filter((group) => group.room > 0);
      if (open.length === 0) break;
      for (const group of open.slice(0, free)) {
        slots.set(group.groupId, (slots.get(group.groupId) ?? 0) + 1);
        group.room--;
        free--;
      }
    }
    return slots;
  };

  const use = (groupId: string, count: number) => {
    used += count;
    const sum = (usedByGroup.get(groupId) ?? 0) + count;
    if (sum > 0) usedByGroup.set(groupId, sum);
    else usedByGroup.delete(groupId);
  };

  const drain = async (lane: Lane) => {
    inHand.add(lane);
    const startedAt = performance.now();
    const result = await carryOut(lane);
    inHand.delete(lane);
    use(lane.groupId, -1);
    observe?.({ kind, result, count: 1, durationMs: performance.now() - startedAt });
    if (leftSome) lookAgain(lane.groupId);
  };

  /** Slots that come free one by one are filled together, before the group runs out of work. */
  const lookAgain = (groupId: string) => {
    const inUse = usedByGroup.get(groupId) ?? 0;
    const isLow = inUse <= handler.groupConcurrency(groupId) * REFILL_AT;
    if (isLow || used === 0) wake(0);
    else alarm.set(REFILL_MS);
  };

  const carryOut = async (lane: Lane): Promise<CallResult> => {
    try {
      await handler.drain(lane);
      if (!isLaneEnded(lane)) await db.transaction((tx) => releaseLane(tx, lane));
      return 'done';
    } catch (error) {
      if (error instanceof LeaseLostError) {
        log.info({ kind, reason: error.message }, 'lane passed to another worker');
        return 'lost';
      }
      const delayMs = backoffMs(lane.failures + 1, settings);
      log.error(
        { err: error, kind, group: lane.groupId, lane: laneName(lane), failures: lane.failures },
        'lane failed',
      );
      const putBack = handler.countsItself ? releaseLane : postponeLane;
      await db
        .transaction((tx) => putBack(tx, lane, { delayMs }))
        .catch((cause: unknown) =>
          log.warn({ err: cause, kind }, 'lane not postponed: its claim is over or ends with its lease'),
        );
      return 'failed';
    }
  };

  return {
    kind,
    prompt: handler.prompt ?? false,
    inHand,
    wake,
    claimLedger: async (ledgerId) => claimGroups(await findDueLedgerGroups(db, ledgerId, kind)),
    start: () => {
      running = true;
      wake(0);
    },
    stop: async () => {
      running = false;
      alarm.clear();
      await claiming;
      alarm.clear();
    },
  };
}

/** The list from the first entry after `turn` on, and then its beginning. `groupIds` may be in any order. */
function startAfter(groupIds: readonly string[], turn: string): readonly string[] {
  const sorted = [...groupIds].sort();
  const index = sorted.findIndex((groupId) => groupId > turn);
  return index <= 0 ? sorted : [...sorted.slice(index), ...sorted.slice(0, index)];
}
