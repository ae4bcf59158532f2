/** The number of rows that a run reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import pg from 'pg';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, trySend } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { PLANNING } from '../../../db/connection-pool.ts';
import { type Bound, bind } from '../../../db/statement.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { claimJobs } from '../../../queue/jobs/worker-claims.ts';
import { createReleaseHandler } from './release-texts.ts';

const { harness, number } = await useLine({ startWorkers: false });
const { context } = harness;
const { db } = context;
const TEXTS = 320;
/** The most rows that one step of a plan may read. A run sends 24 of the waiting texts. */
const ROWS_MAX = 256;

/** Runs the moment's job once. Returns the statements of the run. */
async function runOnce(): Promise<Bound[]> {
  const runs: Bound[] = [];
  const watch = <Queried extends Pick<typeof db, 'query'>>(on: Queried): Queried => ({
    ...on,
    query: (statement, values) => {
      runs.push(bind(statement, values));
      return on.query(statement, values);
    },
  });
  const watched = {
    ...watch(db),
    transaction: ((work) => db.transaction((tx) => work(watch(tx)))) as typeof db.transaction,
  };
  await sql(db, `update jobs set run_at = now() where kind = 'message.release'`);
  const claim = { kinds: ['message.release'], leaseMs: 30_000, leaseToken: 'one', jobsMax: 1 };
  const { jobs } = await claimJobs(db, 'messaging', claim);
  assert.equal(jobs.length, 1);
  await createReleaseHandler({ ...context, db: watched }).run(jobs as unknown as Job<never>[]);
  return runs;
}

/** Returns the most rows that a node of the plan reads from a table or compares. */
function mostRead(plan: Json): number {
  const removed = Object.entries(plan).filter(([name]) => name.startsWith('Rows Removed'));
  const dropped = removed.reduce((sum, [, rows]) => sum + Number(rows), 0);
  const own = (Number(plan['Actual Rows']) + dropped) * Number(plan['Actual Loops']);
  return Math.max(own, ...(plan['Plans'] ?? []).map(mostRead));
}

test('a run reads its own texts alone, however many wait for the moment', async () => {
  const { now } = await read(harness, '/test/clock');
  const send_at = new Date(Date.parse(now) + 3_600_000).toISOString();
  const people = Array.from({ length: 160 }, newPerson);
  await Promise.all(
    people.map(async (to) => {
      for (let n = 0; n < TEXTS / people.length; n++) {
        const reply = await trySend(harness, { from: number.id, to, body: 'Later', send_at });
        assert.equal(reply.status, 201, JSON.stringify(reply.body));
      }
    }),
  );
  await runOnce();
  const runs = await runOnce();
  assert.ok(runs.some(({ name }) => name === 'messages_release'));
  const client = new pg.Client(harness.databaseUrl);
  await client.connect();
  try {
    await client.query(PLANNING);
    await client.query('analyze');
    const excess: string[] = [];
    for (const { name, text, values } of runs) {
      await client.query('begin');
      const explained = await client.query(`explain (analyze, format json) ${text}`, values);
      await client.query('rollback');
      const most = mostRead(explained.rows[0]['QUERY PLAN'][0].Plan);
      if (most > ROWS_MAX) excess.push(`${name} reads ${most} rows`);
    }
    assert.deepEqual(excess, []);
  } finally {
    await client.end();
  }
});
