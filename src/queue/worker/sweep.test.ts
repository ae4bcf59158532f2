import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, sql, until, useJobsDatabase } from '../../../test/support/jobs.ts';
import { defineSweep, planSweeps } from './sweep.ts';
import { createWorkers } from './workers.ts';

const open = await useJobsDatabase();

test('a sweep planned by several processes is one recurring job, due at once while more is left', async () => {
  let rounds = 0;
  const sweep = defineSweep({ db: open.db, name: 'old', everyMs: 3_600_000, run: async () => ++rounds < 3 });
  await Promise.all([planSweeps(open.db, [sweep]), planSweeps(open.openOther(), [sweep])]);
  const workers = createWorkers({
    db: open.db,
    log: silentLog,
    handlers: [sweep.handler],
    queues: { default: 2 },
  });
  workers.start();
  await until('the next round is due in an hour', async () => {
    const rows = await sql<{ waits: boolean }>(open.db, `select run_at > now() + interval '50 min' as waits from jobs`);
    return rows.length === 1 && rows[0]?.waits === true;
  });
  await planSweeps(open.db, [sweep]);
  await workers.stop();
  assert.equal(rounds, 3);
});
