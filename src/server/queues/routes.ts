/** What operators see of the background work: figures by kind, and the jobs that are late or fail. */
import type { RoutePlugin } from '../../http/edge/types.ts';
import { ListOf, PAGE_ROWS_MAX } from '../../http/schemas/schemas.ts';
import { QUEUES } from '../../queue/jobs/job.ts';
import { listJobs, readJobFigures, readLaneFigures } from '../../queue/jobs/job-figures.ts';
import { Job, JobQuery, Queues } from './schema.ts';

const tags = ['Queues'];
const config = { access: 'operator' } as const;

/** The routes of queues and jobs, in the console's own API. */
export const queueRoutes: RoutePlugin = (api, { db }) => {
  api.get(
    '/queues',
    { config, schema: { tags, summary: 'Get the figures of the queues', response: { 200: Queues } } },
    async () => {
      const [jobs, lanes] = [await readJobFigures(db, QUEUES), await readLaneFigures(db)];
      return { object: 'queues' as const, jobs, lanes };
    },
  );

  api.get(
    '/jobs',
    {
      config,
      schema: { tags, summary: 'List jobs', querystring: JobQuery, response: { 200: ListOf(Job, PAGE_ROWS_MAX) } },
    },
    async ({ query: { queue, kind = null, state = null, limit = 25 } }) => {
      const queues = queue === undefined ? QUEUES : [queue];
      const rows = await listJobs(db, { queues, kind, state, rows: limit });
      return { data: rows.map((row) => ({ object: 'job' as const, ...row })) };
    },
  );
};
