/** The archive of an export whose files cannot be read. */
import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { makeHistory } from '../../../../test/support/person-history.ts';
import type { BlobStore } from '../../../blobs/blob-store.ts';
import { withArchive } from './archive.ts';

const harness = await useHarness({ startWorkers: false });
const { db, blobs } = harness.context;

test('a file of the store that ends with an error fails the archive with that error, and closes no other file', async () => {
  const own = await makeLine(harness);
  const number = newPerson();
  await makeHistory(harness, own, number);
  const [row] = await sql<{ ledger_id: number }>(db, 'select ledger_id from tenants where id = $1', [own.tenantId]);
  const person = { ledgerId: row?.ledger_id as number, tenantId: own.tenantId, number };
  async function* cutOff() {
    yield Buffer.alloc(100_000, 'a');
    throw new Error('the store has hung up');
  }
  const cut: BlobStore = {
    ...blobs,
    get: async (key) => {
      const blob = await blobs.get(key);
      blob?.stream.destroy();
      return blob && { ...blob, stream: Readable.from(cutOff()) };
    },
  };
  const refusing: BlobStore = { ...blobs, get: () => Promise.reject(new Error('the store is away')) };
  for (const [store, message] of [
    [cut, 'the store has hung up'],
    [refusing, 'the store is away'],
  ] as const) {
    for (let round = 0; round < 20; round++) {
      const failing = withArchive({ db, blobs: store }, person, () => assert.fail('there is no archive'));
      const other = await open(new URL(import.meta.url), 'r');
      await assert.rejects(failing, { message });
      const another = await open(new URL(import.meta.url), 'r');
      // A file that other code has closed throws EBADF.
      for (const file of [other, another]) {
        assert.match((await file.readFile()).toString(), /^\/\*\* The archive/);
        await file.close();
      }
    }
  }
  const read = await withArchive({ db, blobs }, person, async (archive) => {
    const bytes = await text(archive.open());
    assert.equal(bytes.slice(0, 2), 'PK');
    return [archive.size, (await text(archive.open())) === bytes] as const;
  });
  assert.ok(read[0] > 1_000 && read[1]);
});
