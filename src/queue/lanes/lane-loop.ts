import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { createAlarm } from '../../lib/alarm.ts';
import type { CallObserver, CallResult } from '../jobs/job-runner.ts';
import { createHeartbeat, type Heartbeat } from '../worker/heartbeat.ts';
import { LeaseLostError } from '../worker/lease.ts';
import { backoffMs, leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { type Lane, type LaneHandler, laneName } from './lane.ts';
import { type ClaimedLanes, claimLanes, findDueGroups, findDueLedgerGroups, renewLanes } from './lane-claims.ts';
import { isLaneEnded, postponeLane, releaseLane } from './lanes.ts';
import { createLaneScheduler, type DueGroup } from './scheduler.ts';

export type LaneLoop = {
  readonly kind: string;
  readonly prompt: boolean;
  readonly claims: Heartbeat<Lane>;
  start(): void;
  /** Announces a lane that is due in `delayMs`. */
  wake(delayMs: number): void;
  /** Claims and starts the due lanes of one ledger within the bounds; also while the loop is stopped. */
  claimLedger(ledgerId: number): Promise<number>;
  /** Stops claiming. Running drains continue. */
  stop(): Promise<void>;
};

/** Slots that come free one by one are filled together after this at the latest. */
const REFILL_MS = 6;

type LaneLoopOptions = {
  db: Database;
  log: Logger;
  handler: LaneHandler;
  tokens: () => string;
  settings: WorkerSettings;
  observe?: CallObserver | undefined;
};

/** Claims the lanes of one kind as its scheduler decides, drains them and reports what became of them. */
export function createLaneLoop({ db, log, handler, tokens, settings, observe }: LaneLoopOptions): LaneLoop {
  const { kind } = handler;
  const { heldMaxMs } = settings;
  const leaseMs = leaseMsOf(settings, handler.urgent ?? false);
  const renew = (lanes: Lane[]) => renewLanes(db.reserved, lanes, leaseMs);
  const claims = createHeartbeat<Lane>({ leaseMs, heldMaxMs, log, renew });
  const scheduler = createLaneScheduler(handler);
  let running = false;
  let mayBeDue = false;
  // True if lanes may have become due since the last look at all groups.
  let mustLook = false;
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
    if (!running || !mayBeDue || claiming !== undefined || scheduler.isFull()) return;
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
    if (mustLook || scheduler.openGroups().length === 0) await lookAtAll();
    // Also after the last lane of a group: the look before the claim may have missed the group's next one.
    if ((await claim()) > 0) mayBeDue = true;
  };

  const lookAtAll = async () => {
    mustLook = false;
    const { groups, nextInMs } = await findDueGroups(db, kind);
    if (nextInMs !== undefined) alarm.set(Math.ceil(Math.max(nextInMs, 1)));
    scheduler.setDue(groups);
  };

  const claim = async (groups?: readonly DueGroup[]): Promise<number> => {
    const shares = scheduler.reserve(groups);
    if (shares.length === 0) return 0;
    let claimed: ClaimedLanes | undefined;
    try {
      claimed = await claimLanes(db, kind, { shares, apart: scheduler.countsFailed, leaseMs, leaseToken: tokens() });
    } finally {
      scheduler.settle(shares, claimed);
    }
    for (const lane of claimed.lanes) void drain(lane);
    return claimed.lanes.length;
  };

  const drain = async (lane: Lane) => {
    claims.add(lane);
    const startedAt = performance.now();
    const result = await carryOut(lane);
    claims.delete(lane);
    const next = scheduler.release(lane);
    observe?.({ kind, result, count: 1, durationMs: performance.now() - startedAt });
    if (next === 'now') refill();
    else if (next === 'soon') refillAlarm.set(REFILL_MS);
  };

  handler.onCapacity?.(() => {
    if (scheduler.hadDueGroups()) wake(0);
  });

  const carryOut = async (lane: Lane): Promise<CallResult> => {
    try {
      await handler.drain(lane);
      if (!isLaneEnded(lane)) await db.transaction((tx) => releaseLane(tx, lane));
      return 'done';
    } catch (error) {
      if (error instanceof LeaseLostError) {
        log.info({ kind, reason: error.message }, 'another worker has the lane');
        return 'lost';
      }
      const delayMs = backoffMs(lane.failures + 1, settings);
      log.error(
        { err: error, kind, group: lane.groupId, lane: laneName(lane), failures: lane.failures },
        'lane failed',
      );
      const endClaim = handler.countsItself ? releaseLane : postponeLane;
      await db
        .transaction((tx) => endClaim(tx, lane, { delayMs }))
        .catch((cause: unknown) =>
          log.warn({ err: cause, kind }, 'lane not postponed: its claim is lost or ends with its lease'),
        );
      return 'failed';
    }
  };

  return {
    kind,
    prompt: handler.prompt ?? false,
    claims,
    wake,
    claimLedger: async (ledgerId) => claim(await findDueLedgerGroups(db, ledgerId, kind)),
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
