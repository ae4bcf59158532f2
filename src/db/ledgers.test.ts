import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql, useJobsDatabase } from '../../test/support/jobs.ts';
import { LEDGER_NOW } from './ledgers.ts';

const { db, ledgerId } = await useJobsDatabase();

test('a statement has one present, in whatever places it names it', async () => {
  const text = `select now.at as first, pg_sleep(0.002), now.at as second from ${LEDGER_NOW}`;
  const [row] = await sql<{ first: Date; second: Date }>(db, text, [ledgerId]);
  assert.deepEqual(row?.first, row?.second);
});
