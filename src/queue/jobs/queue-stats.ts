import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Queue } from './job.ts';

/**
 * `depth` counts due jobs that are not claimed, up to `DEPTH_MAX`; `oldestDueMs` is how long the first has been due.
 */
export type QueueStats = { readonly queue: Queue; readonly depth: number; readonly oldestDueMs: number };

/** Counting stops here, so that a large backlog costs little. */
const DEPTH_MAX = 10_000;

const STATS = statement(
  'jobs_stats',
  `select q.queue, due.depth, coalesce(due.oldest_ms, 0) as "oldestDueMs"
   from unnest($1::text[]) as q (queue) cross join lateral (
     select count(*)::int as depth, max(extract(epoch from statement_timestamp() - run_at))::float8 * 1000 as oldest_ms
     from (
       select run_at from jobs j
       where j.queue = q.queue and j.due_at <= statement_timestamp() and j.run_at <= statement_timestamp()
       order by j.due_at limit ${DEPTH_MAX}) first) due`,
);

/** Reads how many jobs are due in each queue, and for how long. */
export function readStats(db: Db, queues: readonly Queue[]): Promise<QueueStats[]> {
  return db.query<QueueStats>(STATS, [queues]);
}
