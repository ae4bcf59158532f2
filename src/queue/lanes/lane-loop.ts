import type { Logger } from 'pino';
import type { ClaimOffer } from '../../db/claim-offers.ts';
import type { Database } from '../../db/database.ts';
import { createAlarm } from '../../lib/time/alarm.ts';
import { monotonicMs } from '../../lib/time/time.ts';
import type { CallObserver, CallResult } from '../jobs/job-runner.ts';
import { ClaimCycle } from '../worker/claim-cycle.ts';
import { createHeartbeat, type Heartbeat } from '../worker/heartbeat.ts';
import { LeaseLostError, type Tokens } from '../worker/lease.ts';
import { createSlotHolder, type HoldSlot } from '../worker/lingering.ts';
import type { ClaimReleaser } from '../worker/release-claims.ts';
import { backoffMs, leaseMsOf, type WorkerSettings } from '../worker/settings.ts';
import { type Lane, type LaneHandler, laneName } from './lane.ts';
import { type ClaimedLanes, claimLanes, findDueGroups, releaseLostLanes, renewLanes } from './lane-claims.ts';
import { isLaneEnded, postponeLane, releaseLane } from './lanes.ts';
import type { ClaimedLane } from './new-lanes.ts';
import { createLaneScheduler, type DueGroup, type LaneScheduler } from './scheduler.ts';

export type LaneLoop = {
  readonly kind: string;
  readonly prompt: boolean;
  readonly retrySlackMs: readonly number[];
  readonly claims: Heartbeat<Lane>;
  start(): void;
  /** Announces a lane that is due in `delayMs`. */
  wake(delayMs: number): void;
  /**
   * Claims and starts due lanes of the groups within the bounds. Works while the loop is stopped, too. Returns how
   * many.
   */
  claimGroups(groups: readonly DueGroup[]): Promise<number>;
  /** Drains a lane that this process made and claimed in one statement; see `LaneHandler.drain`. */
  take(claimed: ClaimedLane): void;
  /** Stops claiming. Running drains continue. */
  stop(): Promise<void>;
};

/** The longest time that a free slot waits for other slots, so that one claim fills them together. */
const REFILL_MS = 6;

type LaneLoopOptions = {
  db: Database;
  log: Logger;
  handler: LaneHandler;
  tokens: Tokens;
  settings: WorkerSettings;
  releaser: ClaimReleaser;
  observe?: CallObserver | undefined;
};

/** Claims the lanes of one kind as its scheduler decides, drains them and reports the results. */
export function createLaneLoop(options: LaneLoopOptions): LaneLoop {
  return new KindLaneLoop(options);
}

class KindLaneLoop implements LaneLoop {
  readonly kind: string;
  readonly prompt: boolean;
  readonly retrySlackMs: readonly number[];
  readonly claims: Heartbeat<Lane>;
  readonly #options: LaneLoopOptions;
  readonly #leaseMs: number;
  readonly #scheduler: LaneScheduler;
  readonly #cycle: ClaimCycle;
  readonly #holdSlot: HoldSlot | undefined;
  readonly #refillAlarm = createAlarm(() => this.#cycle.refill());
  /** True if lanes may have become due since the last look at all groups. */
  #mustLook = false;

  constructor(options: LaneLoopOptions) {
    const { db, log, handler, settings } = options;
    const leaseMs = leaseMsOf(settings, handler.urgent ?? false);
    const renew = (lanes: Lane[]) => renewLanes(db.reserved, lanes, leaseMs);
    this.kind = handler.kind;
    this.prompt = handler.prompt ?? false;
    this.retrySlackMs = handler.retrySlackMs ?? [];
    this.claims = createHeartbeat<Lane>({ leaseMs, heldMaxMs: settings.heldMaxMs, log, renew });
    this.#options = options;
    this.#leaseMs = leaseMs;
    this.#scheduler = createLaneScheduler(handler);
    this.#holdSlot = handler.lingeringMax === undefined ? undefined : createSlotHolder(handler.lingeringMax);
    this.#cycle = new ClaimCycle({
      log,
      pollMs: settings.pollMs,
      claims: { what: 'lanes', of: { kind: handler.kind } },
      hasRoom: () => !this.#scheduler.isFull(),
      claim: () => this.#claimDue(),
      onWake: () => {
        this.#mustLook = true;
      },
    });
    if (handler.claimsNew === true) db.offers.provide(handler.kind, (groupId) => this.#offer(groupId));
    handler.onCapacity?.(() => {
      if (this.#scheduler.hadDueGroups()) this.wake(0);
    });
  }

  start(): void {
    this.#cycle.start();
  }

  wake(delayMs: number): void {
    this.#cycle.wake(delayMs);
  }

  claimGroups(groups: readonly DueGroup[]): Promise<number> {
    return this.#claim(groups);
  }

  take({ lane, items }: ClaimedLane): void {
    const { db, releaser, tokens } = this.#options;
    if (!tokens.made(lane.leaseToken)) return;
    if (this.#cycle.isRunning) {
      this.#scheduler.take(lane);
      void this.#drain(lane, items);
      return;
    }
    // The workers have stopped since the offer.
    void releaser.release({ what: this.kind, leaseMs: lane.leaseMs }, () =>
      db.transaction((tx) => releaseLane(tx, lane)),
    );
  }

  /**
   * Offers a claim if the group has room. It does not count lanes of uncommitted transactions, so the lanes in use may
   * exceed the bound.
   */
  #offer(groupId: string): ClaimOffer | undefined {
    if (!this.#cycle.isRunning || !this.#scheduler.hasRoom(groupId)) return undefined;
    return { leaseToken: this.#options.tokens(), leaseMs: this.#leaseMs, offeredAt: monotonicMs() };
  }

  async stop(): Promise<void> {
    await this.#cycle.stop();
    this.#refillAlarm.clear();
  }

  async #claimDue(): Promise<void> {
    if (this.#mustLook || this.#scheduler.openGroups().length === 0) await this.#lookAtAll();
    // Claims again, even after the last lane of a group: the look before the claim may have missed the group's next
    // lane.
    if ((await this.#claim()) > 0) this.#cycle.noteMore();
  }

  async #lookAtAll(): Promise<void> {
    this.#mustLook = false;
    const { groups, nextInMs } = await findDueGroups(this.#options.db, this.kind);
    if (nextInMs !== undefined) this.#cycle.wakeIn(Math.ceil(Math.max(nextInMs, 1)));
    this.#scheduler.setDue(groups);
  }

  async #claim(groups?: readonly DueGroup[]): Promise<number> {
    const shares = this.#scheduler.reserve(groups);
    if (shares.length === 0) return 0;
    const { db, tokens, releaser } = this.#options;
    const claim = { shares, apart: this.#scheduler.countsFailed, leaseMs: this.#leaseMs, leaseToken: tokens() };
    let claimed: ClaimedLanes | undefined;
    try {
      claimed = await claimLanes(db, this.kind, claim);
    } catch (error) {
      await releaser.release({ what: this.kind, leaseMs: this.#leaseMs }, () => releaseLostLanes(db, this.kind, claim));
      throw error;
    } finally {
      this.#scheduler.settle(shares, claimed);
    }
    for (const lane of claimed.lanes) void this.#drain(lane);
    return claimed.lanes.length;
  }

  async #drain(lane: Lane, items?: unknown): Promise<void> {
    this.claims.add(lane);
    const startedAt = monotonicMs();
    const ended = carryOut(this.#options, lane, items).then((result) => {
      this.claims.delete(lane);
      this.#options.observe?.({ kind: this.kind, result, count: 1, durationMs: monotonicMs() - startedAt });
    });
    await (this.#holdSlot?.({ ended, open: () => 1 }) ?? ended);
    const next = this.#scheduler.release(lane);
    if (next === 'now') this.#cycle.refill();
    else if (next === 'soon' && this.#cycle.isRunning) this.#refillAlarm.set(REFILL_MS);
    // New lanes may have used all slots, so that lanes that became due found no room.
    else this.#cycle.pump();
  }
}

/** Drains a claimed lane and ends its claim. Never throws: a lane that failed is postponed. */
async function carryOut(
  { db, log, handler, settings, releaser }: LaneLoopOptions,
  lane: Lane,
  items: unknown,
): Promise<CallResult> {
  const { kind } = handler;
  try {
    await handler.drain(lane, items);
    if (!isLaneEnded(lane)) await db.transaction((tx) => releaseLane(tx, lane));
    return 'done';
  } catch (error) {
    if (error instanceof LeaseLostError) {
      log.info({ kind, reason: error.message }, 'another worker has the lane');
      return 'lost';
    }
    const delayMs = backoffMs(lane.failures + 1, settings);
    log.error({ err: error, kind, group: lane.groupId, lane: laneName(lane), failures: lane.failures }, 'lane failed');
    const endClaim = handler.countsItself ? releaseLane : postponeLane;
    await releaser.release({ what: kind, leaseMs: lane.leaseMs }, () =>
      db.transaction((tx) => endClaim(tx, lane, { delayMs })),
    );
    return 'failed';
  }
}
