/**
 * The job of an erasure. Each run does one step in one transaction, which also plans the next run. A killed process
 * leaves the job as it was before the step, so another process continues there.
 */
import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { isDroppingBlobs } from '../../../queue/jobs/drop-blobs.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../../queue/jobs/job.ts';
import { completeJobs, rescheduleJob } from '../../../queue/jobs/job-claims.ts';
import { completeErasure, keepCounts, lockPending, nextErasures } from './queries.ts';
import type { ErasureCounts } from './schema.ts';
import type { StepContext, StepPosition } from './step.ts';
import { STEPS } from './steps.ts';

const ERASE_PERSON = 'person.erase';
/** `step` is an index of STEPS; one beyond them waits for the removal of audio. */
type ErasePerson = {
  readonly erasureId: string;
  readonly step: number;
  readonly position?: StepPosition | undefined;
};

/** Maximum erasures of one tenant that run concurrently. Other erasures wait for their turn. */
const RUNNING_MAX = 3;
/** The wait for a running call, for a text on its way, or for a store that does not answer. */
const WAIT_MS = 5_000;

/**
 * Plans the jobs of the tenant's next erasures, if there is room. Called by the transactions that add or complete an
 * erasure.
 */
export async function startErasures(tx: Tx, ledger: { readonly ledgerId: number }, tenantId: string): Promise<void> {
  const ids = await nextErasures(tx, ledger, { tenantId, rows: RUNNING_MAX });
  const jobOf = (erasureId: string) => {
    const payload: ErasePerson = { erasureId, step: 0 };
    return { ledgerId: ledger.ledgerId, id: `${ERASE_PERSON}:${erasureId}`, queue: 'default', payload } as const;
  };
  // A running erasure keeps its job unchanged.
  await enqueue(
    tx,
    ids.map((id) => ({ ...jobOf(id), kind: ERASE_PERSON })),
  );
}

/** Returns the handler of the steps. */
export function createEraser(context: StepContext & Pick<Context, 'db'>): JobHandler<ErasePerson> {
  return {
    kind: ERASE_PERSON,
    queue: 'default',
    run: async ([job]) => {
      if (job !== undefined) await context.db.transaction((tx) => runStep(context, tx, job));
    },
  };
}

async function runStep(context: StepContext, tx: Tx, job: Job<ErasePerson>): Promise<void> {
  const { ledgerId, payload } = job;
  const { erasureId, step, position } = payload;
  const erasure = await lockPending(tx, { ledgerId }, erasureId);
  if (erasure === undefined) return completeJobs(tx, [job]);
  const { tenant_id: tenantId, external_number: number, until, counts } = erasure;
  const run = STEPS[step];
  if (run === undefined) {
    if (await isDroppingBlobs(tx, erasureId)) return rescheduleJob(tx, job, { delayMs: WAIT_MS });
    await completeErasure(tx, { ledgerId }, erasureId);
    await completeJobs(tx, [job]);
    return startErasures(tx, { ledgerId }, tenantId);
  }
  const person = { ledgerId, tenantId, number, until };
  const done = await run(context, tx, { erasureId, person, position });
  if (done.counts !== undefined) await keepCounts(tx, { ledgerId }, erasureId, add(counts, done.counts));
  const next = done.next === 'step' ? { erasureId, step: step + 1 } : { erasureId, step, position: done.position };
  await rescheduleJob(tx, job, { delayMs: done.next === 'wait' ? WAIT_MS : 0, payload: next });
}

function add(counts: ErasureCounts, more: Partial<ErasureCounts>): ErasureCounts {
  const names = Object.keys(counts) as (keyof ErasureCounts)[];
  return Object.fromEntries(names.map((name) => [name, counts[name] + (more[name] ?? 0)])) as ErasureCounts;
}
