import { LeaseLostError } from '../worker/lease.ts';

/**
 * A claimed lane. A lane is a serial queue; one per resource or per call. One worker at a time, across all processes,
 * carries out its items in order. Lanes belong to groups (such as an endpoint), which share the workers fairly.
 */
export type Lane = {
  readonly ledgerId: number;
  readonly kind: string;
  readonly groupId: string;
  readonly laneKey: string;
  /** Failures since the last success. */
  readonly failures: number;
  readonly leaseToken: string;
  /** How long each renewal of the claim lasts. */
  readonly leaseMs: number;
};

/** The key of a lane. */
export type LaneKey = Pick<Lane, 'ledgerId' | 'kind' | 'groupId' | 'laneKey'>;

/** Bounds for lanes whose last attempt failed. */
type FailedLaneBounds = {
  /** Most failed lanes claimed in one process. */
  readonly concurrencyMax: number;
  /** Most failed lanes of this group claimed now. */
  groupConcurrency(groupId: string): number;
};

/** Carries out lanes of one kind. */
export type LaneHandler = {
  readonly kind: string;
  /** Most lanes of this kind claimed in one process. */
  readonly concurrencyMax: number;
  /** True for groups whose lanes are claimed before the lanes of other groups. Absent, groups take turns. */
  hasPrecedence?(groupId: string): boolean;
  /** Most lanes claimed of this group now; lets a slow group shrink so that it cannot starve the others. */
  groupConcurrency(groupId: string): number;
  /**
   * Separate bounds for lanes whose last attempt failed. So they take no slot from the healthy lanes of their group,
   * even if many of them fail slowly. Absent, all lanes share `groupConcurrency`. Both count towards `concurrencyMax`.
   */
  readonly failed?: FailedLaneBounds;
  /**
   * For handlers that wait for another system. A slow drain gives its slot to the next lane and continues outside the
   * slots, so lanes that wait for a hung system delay no other lanes. The value is the maximum number of lanes that may
   * run outside the slots in one process; further drains keep their slots. Absent, every drain keeps its slot until its
   * end.
   */
  readonly lingeringMax?: number;
  /**
   * For handlers that wait for another system. A slow drain gives its slot to the next lane and continues outside the
   * slots, so lanes that wait for a hung system delay no other lanes. The value is the maximum number of lanes that may
   * run outside the slots in one process; more drains keep their slots. Absent, every drain keeps its slot until its
   * end.
   */
  onCapacity?(listener: () => void): void;
  /** True if the lease is short, so that another worker soon continues the lanes of a dead worker. */
  readonly urgent?: boolean;
  /**
   * True if drains depend on nothing outside: a clock that is moved by hand then waits for them as it does for jobs.
   */
  readonly prompt?: boolean;
  /**
   * The longest delay of a due lane while a clock is moved by hand and many lanes wait. With a delay, the clock stops
   * once for lanes with close due times. Entry n is for lanes that failed n + 1 times. Absent, the clock stops for each
   * lane.
   */
  readonly retrySlackMs?: readonly number[];
  /** True if `failures` counts only delays that the drain asks for, and not its errors. */
  readonly countsItself?: boolean;
  /** True if a statement that makes a lane of this kind also claims it (`new-lanes.ts`). */
  readonly claimsNew?: boolean;
  /**
   * Carries out the items in order. Ends by releasing the lane in the transaction of its last effect.
   * @param items the first items as they were stored, if the statement that made the lane has also claimed it
   */
  drain(lane: Lane, items?: unknown): Promise<void>;
};

/**
 * Returns how logs and errors name a lane. The part of its key after a colon may be a phone number, so it is left out.
 */
export function laneName({ kind, laneKey }: Pick<Lane, 'kind' | 'laneKey'>): string {
  return `${kind} ${laneKey.split(':', 1)[0]}`;
}

/** Returns the error for a lane whose claim another worker has. */
export function laneLost(lane: Lane): LeaseLostError {
  return new LeaseLostError(`lane ${laneName(lane)}`);
}
