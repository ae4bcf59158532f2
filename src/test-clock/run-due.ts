/**
 * Runs the due work of one ledger to its end, for a clock that is moved by hand. Jobs run one after the other in the
 * order of their due times, and lanes drain concurrently. Then it waits for work that other workers have claimed. The
 * waits for slow work have limits: some seconds for lanes, whose receivers may be dead, and the lease of their worker
 * for jobs.
 */

import { monotonicMs, sleep } from '../lib/time/time.ts';
import { type Active, type ActiveWork, LEASED, type LedgerWork } from '../queue/worker/ledger-work.ts';

/** How long to wait for work. All calls with the same object share the time. */
export type Patience = {
  /** The remaining time for claimed jobs and prompt lanes. */
  jobsMs: number;
  /** The remaining time for lanes, and for jobs that only other processes can handle. */
  lanesMs: number;
  /** The extra time that is left for retries. */
  retriesMs: number;
  /** Kinds of work that this no longer waits for. */
  readonly ignored: Set<ActiveWork>;
  /** After this moment (monotonic time), newly added work is left waiting, because writers may never stop adding it. */
  hurriedFromMs: number;
  /** After this moment nothing is run here. The workers do the remaining work. */
  overFromMs: number;
};

/** How many jobs ran and lanes started. */
export type DueReport = { readonly jobs: number; readonly lanes: number };

const LANES_PATIENCE_MS = 3_000;

/** The least time that each call waits for lanes, unless their group was slow before. */
const LANES_PATIENCE_MIN_MS = 250;

/**
 * A lane waits longer after each failure, so its retries cannot keep the clock busy forever. Each retry adds up to
 * RETRY_MS to the limits, and all retries of an advance up to RETRIES_MS. So the clock runs all retries of a receiver
 * that fails quickly.
 */
const RETRY_MS = 10;
const RETRIES_MS = 30_000;

const UNHURRIED_MS = 10_000;
const HURRIED_MS = 10_000;

const LOOK_MIN_MS = 2;
const LOOK_MAX_MS = 50;

/** Returns the patience of one advance of the clock. */
export function createPatience({ leaseMs }: Pick<LedgerWork, 'leaseMs'>): Patience {
  return {
    jobsMs: leaseMs + 1_000,
    lanesMs: LANES_PATIENCE_MS,
    retriesMs: RETRIES_MS,
    ignored: new Set(),
    ...newLimits(),
  };
}

function newLimits(): Pick<Patience, 'hurriedFromMs' | 'overFromMs'> {
  const hurriedFromMs = monotonicMs() + UNHURRIED_MS;
  return { hurriedFromMs, overFromMs: hurriedFromMs + HURRIED_MS };
}

export const isHurried = ({ hurriedFromMs }: Patience): boolean => monotonicMs() >= hurriedFromMs;

type Retries = { readonly before: Active; readonly active: Active; readonly tookMs: number };

/**
 * Extends all limits by the time since the last check, but only for retries that ended in that time. Returns the
 * extension.
 */
function grantRetries(patience: Patience, { before, active, tookMs }: Retries): number {
  const ended = before.entries().reduce((sum, [name, count]) => sum + Math.max(0, count - (active.get(name) ?? 0)), 0);
  const grantedMs = Math.min(tookMs, ended * RETRY_MS, patience.retriesMs);
  patience.retriesMs -= grantedMs;
  patience.lanesMs = Math.min(patience.lanesMs + grantedMs, LANES_PATIENCE_MS);
  patience.hurriedFromMs += grantedMs;
  patience.overFromMs += grantedMs;
  return grantedMs;
}

/** Restores the full patience for added work, because the clock moves well. */
export function calm(patience: Patience): void {
  Object.assign(patience, newLimits());
}

/**
 * Runs due work of a ledger until none is left or the time is over. After `hurriedFromMs` it runs only work that is due
 * at the moment of the call.
 */
export async function runLedgerDue(
  work: LedgerWork,
  ledgerId: number,
  patience: Patience = createPatience(work),
): Promise<DueReport> {
  const jobsMsAtStart = patience.jobsMs;
  let lanesMs = Math.max(patience.lanesMs, LANES_PATIENCE_MIN_MS);
  let lookMs = LOOK_MIN_MS;
  let jobs = 0;
  let lanes = 0;
  let cutMs: number | undefined;
  let looked: { active: Active; atMs: number } | undefined;
  while (monotonicMs() < patience.overFromMs) {
    if (isHurried(patience)) cutMs ??= monotonicMs();
    const ranJobs = await work.runJobs(ledgerId, cutMs === undefined ? 0 : monotonicMs() - cutMs);
    const startedLanes = await work.startLanes(ledgerId);
    jobs += ranJobs;
    lanes += startedLanes;
    if (ranJobs > 0) continue;
    if (cutMs !== undefined) break;
    const active = await work.listActive(ledgerId, patience.ignored);
    const atMs = monotonicMs();
    if (looked !== undefined) {
      lanesMs += grantRetries(patience, { before: looked.active, active, tookMs: atMs - looked.atMs });
    }
    looked = { active, atMs };
    if (active.size === 0) break;
    const waitsForLease = active.has(LEASED);
    if (waitsForLease ? patience.jobsMs <= 0 : lanesMs <= 0) {
      for (const name of active.keys()) patience.ignored.add(name);
      looked = undefined;
      continue;
    }
    if (startedLanes > 0) lookMs = LOOK_MIN_MS;
    const startedAt = monotonicMs();
    await sleep(lookMs);
    lookMs = Math.min(lookMs * 2, LOOK_MAX_MS);
    const waitedMs = monotonicMs() - startedAt;
    // Waiting for a slow job is no flood of added work. That wait has the limits below.
    if (jobs + lanes === 0) calm(patience);
    if (waitsForLease) {
      patience.jobsMs -= waitedMs;
    } else {
      lanesMs -= waitedMs;
      patience.lanesMs -= waitedMs;
    }
  }
  // Only a wait that timed out reduces the patience. If the jobs ended in time, the next step can wait for the same
  // time.
  if (!patience.ignored.has(LEASED)) patience.jobsMs = jobsMsAtStart;
  return { jobs, lanes };
}
