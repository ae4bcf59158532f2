import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { cloneDatabase } from '../../test/support/database.ts';
import { silentLog, sql } from '../../test/support/jobs.ts';
import { openDatabase } from '../db/database.ts';
import { createSpokenTextStore } from './speech-queries.ts';

const { url } = await cloneDatabase();
const db = openDatabase({ url, connectionsMax: 2, log: silentLog });
after(() => db.close());
const store = createSpokenTextStore(db);
const keyOf = (text: string) => createHash('sha256').update(text).digest();
const counted = async () => (await sql<{ n: number }>(db, 'select count(*)::int as n from spoken_texts'))[0]?.n;

test('a text is found as it was kept; a second one under its key changes nothing', async () => {
  await store.keep(keyOf('a'), Uint8Array.of(1, 2, 3));
  await store.keep(keyOf('a'), Uint8Array.of(4));
  assert.deepEqual(new Uint8Array((await store.find(keyOf('a'))) ?? []), Uint8Array.of(1, 2, 3));
  assert.equal(await store.find(keyOf('b')), undefined);
});

test('long audio is not kept', async () => {
  await store.keep(keyOf('long'), new Uint8Array(500_001));
  assert.equal(await store.find(keyOf('long')), undefined);
});

test('the cache is full at 1,000 texts, and drops the one that was not used for longest', async () => {
  await sql(
    db,
    `insert into spoken_texts (key, audio, used_at)
     select sha256(convert_to('old ' || n, 'UTF8')), 'x', now() - interval '1 hour' * (n + 24) from generate_series(1, 999) n`,
  );
  // The time of use is written once a day.
  await store.find(keyOf('old 999'));
  await store.keep(keyOf('new'), Uint8Array.of(1));
  assert.equal(await counted(), 1_000);
  const isKept = async (text: string) => (await store.find(keyOf(text))) !== undefined;
  assert.deepEqual(await Promise.all(['a', 'new', 'old 1', 'old 999', 'old 998'].map(isKept)), [
    true,
    true,
    true,
    true,
    false,
  ]);
});
