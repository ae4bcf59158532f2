/**
 * Runs the due work of one ledger to its end, for a clock that is moved by hand. Jobs run one after the other in the
 * order of their due times, and lanes drain concurrently. Then it waits for work that other workers have claimed. The
 * waits for slow work have limits: some seconds for lanes, whose receivers may be dead, and the lease of their worker
 * for jobs.
 */

import { monotonicMs, sleep } from '../lib/time/time.ts';
import { type Active, type ActiveWork, LEASED, type LedgerWork } from '../queue/worker/ledger-work.ts';

/** How long to wait for work, over all calls that share it. */
export type Patience = {
  /** For claimed jobs and prompt lanes. */
  jobsMs: number;
  /** For lanes, and for jobs of kinds that only other processes handle. */
  lanesMs: number;
  /** The part of the extra time that is left for retries. */
  retriesMs: number;
  /** Work that is no longer waited for. */
  readonly ignored: Set<ActiveWork>;
  /** From this moment of the monotonic time on, newly added work waits: writers may never stop adding it. */
  hurriedFromMs: number;
  /** From this moment on, nothing is run: the workers do the remaining work. */
  overFromMs: number;
};

/** How many jobs ran and lanes started. */
export type DueReport = { readonly jobs: number; readonly lanes: number };

const LANES_PATIENCE_MS = 3_000;

/** Each call waits at least this long for lanes of groups that were not slow so far. */
const LANES_PATIENCE_MIN_MS = 250;

/**
 * Lanes that retry after a failure wait longer after each failure, so they cannot keep the clock busy forever. Each
 * gets up to RETRY_MS in addition, and all lanes of an advance together up to RETRIES_MS. So the clock runs all retries
 * of a receiver that fails quickly.
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

/** Prolongs all limits by the time since the last look, as far as retries ended in it. Returns by how much. */
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
 * Runs due work of a ledger until none is left or the time is over. From `hurriedFromMs` on it runs only the work that
 * is due now.
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
  // Only a wait that timed out uses up patience: if the jobs ended in time, the next step can wait as long.
  if (!patience.ignored.has(LEASED)) patience.jobsMs = jobsMsAtStart;
  return { jobs, lanes };
}
