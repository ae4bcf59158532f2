import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useHarness } from '../../../test/support/harness.ts';
import { deleteExpiredKeys } from './idempotency-queries.ts';

// The harness runs no workers, so no sweep deletes the keys.
const harness = await useHarness({ startWorkers: false });

const create = (name: string, key: string) =>
  harness.call('POST', '/v1/tenants', { body: { name }, headers: { 'idempotency-key': key } });

async function storedKeys(): Promise<string[]> {
  const text = 'select key from idempotency_keys order by key';
  const rows = await harness.context.db.query<{ key: string }>({ name: 'test_stored_keys', text }, []);
  return rows.map((row) => row.key);
}

async function age(key: string, interval: string): Promise<void> {
  const text = 'update idempotency_keys set created_at = created_at - $2::interval where key = $1';
  await harness.context.db.query({ name: 'test_age_key', text }, [key, interval]);
}

test('a key is deleted after 24 hours, not before', async () => {
  await create('One', 'a-old');
  await create('Two', 'b-young');
  await age('a-old', '24 hours');
  await age('b-young', '23 hours 59 minutes');
  assert.equal(await deleteExpiredKeys(harness.context.db, 100), 1);
  assert.deepEqual(await storedKeys(), ['b-young']);
});

test('one call deletes at most the number of keys asked for', async () => {
  for (const key of ['c1', 'c2', 'c3']) {
    await create(key, key);
    await age(key, '2 days');
  }
  assert.equal(await deleteExpiredKeys(harness.context.db, 2), 2);
  assert.equal(await deleteExpiredKeys(harness.context.db, 2), 1);
});

test('the 24 hours are counted in ledger time', async () => {
  await create('Later', 'd-moved');
  assert.equal(await deleteExpiredKeys(harness.context.db, 100), 0);
  await harness.advance(86_400);
  await deleteExpiredKeys(harness.context.db, 100);
  assert.ok(!(await storedKeys()).includes('d-moved'));
  await create('After', 'e-new');
  assert.equal(await deleteExpiredKeys(harness.context.db, 100), 0);
});
