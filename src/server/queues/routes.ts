/** The operators' view of background work: figures by kind, jobs that are late or fail, and endpoints that fail. */
import type { RoutePlugin } from '../../http/edge/types.ts';
import { ListOf, PAGE_ROWS_MAX } from '../../http/schemas/schemas.ts';
import { QUEUES } from '../../queue/jobs/job.ts';
import { KINDS_MAX, listJobs, readJobFigures, readLaneFigures } from '../../queue/jobs/job-figures.ts';
import { readAttempts } from './attempt-queries.ts';
import { listFailingEndpoints } from './queries.ts';
import { FailingEndpoint, Job, JobQuery, Queues } from './schema.ts';

const tags = ['Queues'];
const config = { access: 'operator' } as const;
/** The most failing endpoints that are shown. If more fail, the installation itself probably reaches no server. */
const FAILING_SHOWN = 100;
/** The routes of queues and jobs, in the console's own API. */
export const queueRoutes: RoutePlugin = (api, { db }) => {
  api.get(
    '/queues',
    { config, schema: { tags, summary: 'Get the figures of the queues', response: { 200: Queues } } },
    async () => {
      const [jobs, lanes] = [await readJobFigures(db, QUEUES), await readLaneFigures(db)];
      const { since, attempts } = await readAttempts(db, KINDS_MAX);
      return { object: 'queues' as const, jobs, lanes, attempts_since: since, attempts };
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

  const failing = { response: { 200: ListOf(FailingEndpoint, FAILING_SHOWN) } };
  api.get(
    '/failing_endpoints',
    { config, schema: { tags, summary: 'List failing webhook endpoints', ...failing } },
    async () => {
      const rows = await listFailingEndpoints(db, FAILING_SHOWN);
      return { data: rows.map((row) => ({ object: 'failing_endpoint' as const, ...row })) };
    },
  );
};
