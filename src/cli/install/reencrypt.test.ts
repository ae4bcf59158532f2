// own process: a command reads the environment of its process.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CliOutcome, runHere } from '../../../test/support/cli-process.ts';
import { BRAND } from '../../../test/support/compliance.ts';
import { register, testLedger } from '../../../test/support/events.ts';
import { TEST_SECRET, useHarness } from '../../../test/support/harness.ts';
import type { Db } from '../../db/database.ts';
import { secretContext } from '../../domain/events/index.ts';
import { createCipher } from '../../lib/crypto/cipher.ts';
import { BATCH_ROWS, readSealed, storeSealed } from '../../server/sealed/queries.ts';
import { countByKey, reencrypt } from '../../server/sealed/reencrypt.ts';
import { SEALED_COLUMNS } from '../../server/sealed/sealed-columns.ts';

const NEW_SECRET = 'the secret that replaces that of the tests';
const BOTH = `${NEW_SECRET},${TEST_SECRET}`;
/** The number of secrets of one endpoint. They need more than two batches. */
const SECRETS = 2 * BATCH_ROWS + 7;

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;
const old = createCipher(TEST_SECRET);
const only = createCipher(NEW_SECRET);

function dialplane(secret: string, ...words: string[]): Promise<CliOutcome> {
  return runHere([...words, '--json'], { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: secret, PORT: '0' });
}

type Found = { check: string; state: string; found: string };

async function findingOf(secret: string, wanted: string): Promise<Found | undefined> {
  const { out } = await dialplane(secret, 'doctor');
  return (JSON.parse(out) as Found[]).find(({ check }) => check === wanted);
}

/** Decrypts all values of a column with only the new secret. */
async function openAll(name: string): Promise<string[]> {
  const column = SEALED_COLUMNS.find((each) => each.name === name) ?? assert.fail(name);
  const texts: string[] = [];
  for (let rows = await readSealed(db, column, undefined); rows.length > 0; ) {
    for (const { key, sealed } of rows) {
      if (sealed !== null) texts.push(only.decrypt(sealed, column.contextOf(key)).toString());
    }
    rows = await readSealed(db, column, rows.at(-1)?.key);
  }
  return texts;
}

/** Encrypts more secrets of an endpoint with the old secret, until it has `SECRETS` secrets. @returns their texts */
async function addSecrets(ledgerId: number, endpointId: string, prefix: string): Promise<string[]> {
  const ids = Array.from({ length: SECRETS - 1 }, (_, index) => `${prefix}${String(index).padStart(25, '0')}`);
  await db.query(
    {
      name: '',
      text: `insert into webhook_secrets (ledger_id, endpoint_id, id, secret, expires_at)
             select $1::int, $2::text, i, s, now() from unnest($3::text[], $4::bytea[]) as n (i, s)`,
    },
    [ledgerId, endpointId, ids, ids.map((each) => old.encrypt(each, secretContext(ledgerId, endpointId, each)))],
  );
  return ids;
}

test('after reencrypt an installation needs its newest secret alone', async () => {
  const ledgerId = await testLedger(harness);
  const { id } = await register(harness, { url: 'https://platform.example/hooks' });
  const ids = await addSecrets(ledgerId, id, 'whs_0');
  const brand = await harness.call('POST', '/v1/brands', {
    body: BRAND,
  });
  assert.equal(brand.status, 201);

  const before = await findingOf(BOTH, 'old secrets');
  assert.equal(before?.state, 'note');
  assert.match(before.found, new RegExp(`${SECRETS} webhook secrets, 1 EINs of brands`));

  const alone = await dialplane(NEW_SECRET, 'reencrypt');
  assert.equal(alone.code, 1, 'without the old secret it says that values are left');
  assert.equal((await findingOf(NEW_SECRET, 'old secrets'))?.state, 'bad');

  const { code, out, err } = await dialplane(BOTH, 'reencrypt');
  assert.equal(code, 0, err);
  const { reencrypted, left } = JSON.parse(out);
  const countOf = (name: string) => reencrypted.find((each: { name: string }) => each.name === name).count;
  assert.deepEqual([countOf('webhook secrets'), countOf('EINs of brands'), left], [SECRETS, 1, []]);
  assert.deepEqual(
    (await openAll('webhook secrets')).filter((text) => text.startsWith('whs_')),
    ids,
  );
  assert.deepEqual(await openAll('EINs of brands'), ['123456789']);
  assert.equal((await findingOf(NEW_SECRET, 'old secrets'))?.state, 'good');
  const again = JSON.parse((await dialplane(BOTH, 'reencrypt')).out);
  assert.ok(again.reencrypted.every(({ count }: { count: number }) => count === 0));
});

test('a value that the server replaces in the meantime keeps what the server stored', async () => {
  const { id } = await register(harness, { url: 'https://platform.example/replaced' });
  const column = SEALED_COLUMNS.find(({ table }) => table === 'webhook_secrets') ?? assert.fail();
  const key = [String(await testLedger(harness)), id];
  const [row] = await readSealed(db, column, [...key, '']);
  assert.ok(row?.sealed);
  const { key: place, sealed: before } = row;
  const set = (value: Buffer) =>
    db.query({ name: '', text: 'update webhook_secrets set secret = $2 where endpoint_id = $1' }, [id, value]);
  const replaced = Buffer.from('what the server stored');
  await set(replaced);
  assert.equal(await storeSealed(db, column, [{ key: place, before, after: Buffer.from('older') }]), 0);
  assert.ok((await readSealed(db, column, [...key, '']))[0]?.sealed?.equals(replaced));
  await set(before);
  assert.equal(await storeSealed(db, column, [{ key: place, before, after: Buffer.from('newer') }]), 1);
});

test('a run that is interrupted loses nothing, and the next one completes it', async () => {
  const { id } = await register(harness, { url: 'https://platform.example/interrupted' });
  const ids = await addSecrets(await testLedger(harness), id, 'whs_1');
  const both = createCipher([NEW_SECRET, TEST_SECRET]);
  const secretsByKey = async () => {
    const counts = await countByKey(db, both);
    return counts.find(({ name }) => name === 'webhook secrets') ?? assert.fail();
  };
  const before = await secretsByKey();
  let stores = 0;
  const interrupted: Db = {
    ...db,
    query: (statement, values) => {
      if (statement.name.endsWith('_sealed_store') && ++stores === 2) throw new Error('interrupted');
      return db.query(statement, values);
    },
  };
  await assert.rejects(reencrypt(interrupted, both), /interrupted/);
  const halfway = await secretsByKey();
  assert.ok(halfway.current > before.current && halfway.older > 0, JSON.stringify(halfway));
  assert.deepEqual([halfway.current + halfway.older, halfway.unknown], [before.current + before.older, before.unknown]);
  await reencrypt(db, both);
  assert.equal((await secretsByKey()).older, 0);
  const column = SEALED_COLUMNS.find(({ table }) => table === 'webhook_secrets') ?? assert.fail();
  const opened: string[] = [];
  const first = [String(await testLedger(harness)), id, ''];
  for (let rows = await readSealed(db, column, first); rows.length > 0; ) {
    const own = rows.filter(({ key }) => key[1] === id);
    opened.push(
      ...own.map(({ key, sealed }) => only.decrypt(sealed ?? assert.fail(), column.contextOf(key)).toString()),
    );
    rows = own.length < rows.length ? [] : await readSealed(db, column, rows.at(-1)?.key);
  }
  assert.deepEqual(
    opened.filter((text) => text.startsWith('whs_1')),
    ids,
  );
});
