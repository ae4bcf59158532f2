import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gate, silentLog, sql, useJobsDatabase } from '../../test/support/jobs.ts';
import { ApiError } from '../lib/errors/errors.ts';
import { withLedgerLock } from './ledger-lock.ts';

const open = await useJobsDatabase();

test('advances of one process wait in memory, and time out', async () => {
  const connected = async () => {
    const text = `select count(*)::int as n from pg_stat_activity
      where datname = current_database() and application_name = 'dialplane clock'`;
    return (await sql<{ n: number }>(open.db, text))[0]?.n;
  };
  const { opened: released, open: release } = gate();
  const { opened: begun, open: begin } = gate();
  const { db, ledgerId } = open;
  const options = { db, log: silentLog, ledgerId, waitMs: 1_500 };
  const first = withLedgerLock(options, async () => {
    begin();
    await released;
  });
  await begun;
  const waiting = Array.from({ length: 20 }, () => withLedgerLock(options, async () => 'had it'));
  const settled = Promise.allSettled(waiting);
  assert.equal(await connected(), 1, 'only the running advance has a connection');
  const isRefused = (error: unknown) => error instanceof ApiError && error.code === 'rate_limited';
  for (const outcome of await settled) assert.ok(outcome.status === 'rejected' && isRefused(outcome.reason));
  const elsewhere = withLedgerLock({ ...options, db: open.openOther() }, async () => 'had it');
  await assert.rejects(elsewhere, isRefused, 'waiting for another process times out too');
  release();
  await first;
  assert.equal(await withLedgerLock(options, async () => 'had it'), 'had it');
});
