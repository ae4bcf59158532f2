import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { createAlarm } from '../../lib/alarm.ts';
import type { Lane, LaneHandler } from '../jobs/job.ts';
import type { CallObserver, CallResult } from '../jobs/job-runner.ts';
import { createHeartbeat, type Heartbeat } from '../worker/heartbeat.ts';
import { backoffMs, LeaseLostError, laneName } from '../worker/lease.ts';
import { leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { claimLanes, findDueGroups, findDueLedgerGroups, renewLanes } from './lane-claims.ts';
import { createLaneSlots } from './lane-slots.ts';
import { isLaneEnded, postponeLane, releaseLane } from './lanes.ts';
import { createOpenGroups, type OpenGroup } from './open-groups.ts';

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

/** Slots of a group that come free one by one are filled after so long at the latest. */
const REFILL_MS = 6;

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
  const renew = (lanes: Lane[]) => renewLanes(db.reserved, lanes, leaseMs);
  const inHand = createHeartbeat<Lane>({ leaseMs, heldMaxMs, log, renew });
  const taken = createLaneSlots(handler);
  const apart = handler.failed !== undefined;
  const open = createOpenGroups({ apart });
  let running = false;
  let mayBeDue = false;
  // True if lanes may have become due since the last look at all groups.
  let mustLook = false;
  // True if due lanes were left for want of a slot, so that the end of a drain is a reason to claim again.
  let leftSome = false;
  let claiming: Promise<void> | undefined;
  const alarm = createAlarm(() => wake(0));
  const refillAlarm = createAlarm(() => refill());

  const wake = (delayMs: number) => {
    if (!running) return;
    if (delayMs > 0) {
      alarm.set(delayMs);
    } else {
      mustLook = true;
      refill();
    }
  };

  const refill = () => {
    if (!running) return;
    mayBeDue = true;
    pump();
  };

  const pump = () => {
    if (!running || !mayBeDue || claiming !== undefined || taken.isFull()) return;
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
    if (mustLook || open.isEmpty()) await lookAtAll();
    // Also after the last lane of a group: the look before the claim may have missed the group's next one.
    if ((await claimGroups(open.all())) > 0) mayBeDue = true;
  };

  const lookAtAll = async () => {
    mustLook = false;
    const { groups, nextInMs } = await findDueGroups(db, kind);
    if (nextInMs !== undefined) alarm.set(Math.ceil(Math.max(nextInMs, 1)));
    leftSome = groups.length > 0;
    open.setAll(groups);
  };

  const claimGroups = async (groups: readonly OpenGroup[]): Promise<number> => {
    const shares = taken.share(groups);
    if (shares.length === 0) return 0;
    let lanes: Lane[] = [];
    try {
      const claimed = await claimLanes(db, kind, { shares, apart, leaseMs, leaseToken: tokens() });
      lanes = claimed.lanes;
      open.claimed(shares, claimed.found);
    } finally {
      taken.settle(shares, lanes);
    }
    for (const lane of lanes) void drain(lane);
    return lanes.length;
  };

  const drain = async (lane: Lane) => {
    inHand.add(lane);
    const startedAt = performance.now();
    const result = await carryOut(lane);
    inHand.delete(lane);
    taken.leave(lane);
    observe?.({ kind, result, count: 1, durationMs: performance.now() - startedAt });
    if (leftSome) lookAgain(lane);
  };

  /** Slots that come free one by one are filled together, before the group runs out of work. */
  const lookAgain = (lane: Lane) => {
    if (taken.isLow(lane)) refill();
    else refillAlarm.set(REFILL_MS);
  };

  handler.onRoom?.(() => {
    if (leftSome) wake(0);
  });

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
      await claiming;
      alarm.clear();
      refillAlarm.clear();
    },
  };
}
