import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { skip } from '../../../test/support/stepping-time.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { createAttemptCounter } from './attempt-counter.ts';

const harness = await useHarness();

test('workers count the attempts of their jobs in the table of all processes', async () => {
  await until('an attempt is counted', async () => {
    const rows = await sql(harness.context.db, 'select kind from attempt_counts where attempts > 0', []);
    return rows.length > 0;
  });
});

test('a counter that was closed while the database was away tries no more', async () => {
  const { db, log } = harness.context;
  let tries = 0;
  const away: typeof db = {
    ...db,
    query: async () => {
      tries++;
      throw new ApiError('database_unavailable');
    },
  };
  const { count, close, flush } = createAttemptCounter({ db: away, log });
  count({ kind: 'message.submit', result: 'done' });
  await close();
  await flush();
  const before = tries;
  assert.ok(before > 0);
  await skip(60_000);
  assert.equal(tries, before);
});
