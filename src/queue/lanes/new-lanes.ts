/**
 * Lanes that are claimed by the statement that makes them. The process that stores the first items of a lane has them
 * in memory, so it drains the lane at once. The claim has a lease, and every statement on the lane checks its token, as
 * for any claim. If the process dies, or the answer of its commit is lost, the lane is due when the lease ends.
 */
import type { ClaimOffer } from '../../db/claim-offers.ts';
import type { Db, Signal } from '../../db/database.ts';
import type { Lane, LaneKey } from './lane.ts';

const TOPIC = 'claimed-lanes';

/** A claimed lane, and its items as the process has stored them. */
export type ClaimedLane = { readonly lane: Lane; readonly items: unknown };

/** Returns the lane that was made with the claim of an offer. */
export function laneOfOffer(key: LaneKey, { leaseToken, leaseMs }: ClaimOffer): Lane {
  return { ...key, failures: 0, leaseToken, leaseMs };
}

/** Starts the drain of a claimed lane; within a transaction, after its commit. */
export function drainNewLane(db: Pick<Db, 'signal'>, claimed: ClaimedLane): void {
  db.signal({ topic: TOPIC, payload: claimed });
}

/** Returns the claimed lane that a signal passes on, if it is such a signal. */
export function toClaimedLane({ topic, payload }: Signal): ClaimedLane | undefined {
  return topic === TOPIC ? (payload as ClaimedLane) : undefined;
}
