/** Concurrent exports, and an export during an erasure, with running workers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { type Line, makeLine, useLine } from '../../../../test/support/numbers.ts';
import { completed, erase, makeHistory } from '../../../../test/support/person-history.ts';
import { until } from '../../../../test/support/until.ts';

const { harness } = await useLine();
const { db, blobs } = harness.context;

const request = (own: Line, person: string) =>
  harness.call('POST', '/v1/person_exports', { body: { tenant_id: own.tenantId, external_number: person } });

const made = (id: string) =>
  until('the export is made', async () => (await read(harness, `/person_exports/${id}`)).status === 'completed');

/** Makes reads of files wait until `open` is called. `reached` resolves with the first read. */
function holdReads() {
  const { get } = blobs;
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  blobs.get = async (key) => {
    reached.resolve();
    await gate.promise;
    return await get.call(blobs, key);
  };
  const open = () => {
    blobs.get = get;
    gate.resolve();
  };
  return { reached: reached.promise, open };
}

test('exports of one tenant are made one after the other, and another tenant does not wait for them', async () => {
  const [own, other] = [await makeLine(harness), await makeLine(harness)];
  const person = newPerson();
  await makeHistory(harness, own, person);
  // Before the first request: workers may run its job at once.
  const held = holdReads();
  const first = (await request(own, person)).body.id;
  const second = (await request(own, newPerson())).body.id;
  const third = (await request(own, newPerson())).body.id;
  const jobs = async () =>
    (await sql<Json>(db, `select payload ->> 'exportId' as id from jobs where kind = 'person.export'`)).map(
      ({ id }) => id,
    );
  await held.reached;
  assert.deepEqual(await jobs(), [first]);
  const elsewhere = (await request(other, newPerson())).body.id;
  await until('the other tenant has its export', async () => {
    return (await read(harness, `/person_exports/${elsewhere}`)).status === 'completed';
  });
  assert.deepEqual(await jobs(), [first]);
  held.open();
  for (const id of [first, second, third]) await made(id);
  assert.deepEqual(await jobs(), []);
});

test('an erasure of the person ends an export that is being made, and nothing of its file stays', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  await makeHistory(harness, own, person);
  const { putFile } = blobs;
  const stored: string[] = [];
  blobs.putFile = async (key, ...rest) => {
    stored.push(key);
    return await putFile.call(blobs, key, ...rest);
  };
  const held = holdReads();
  const { id } = (await request(own, person)).body;
  const waiting = (await request(own, newPerson())).body.id;
  await held.reached;
  const { id: erasure } = (await erase(harness, own, person)).body;
  await until('the erasure has found the export', async () => {
    return (await harness.call('GET', `/v1/person_exports/${id}`)).status === 404;
  });
  held.open();
  await completed(harness, erasure);
  blobs.putFile = putFile;
  await made(waiting);
  assert.ok(stored.some((key) => key.includes(id)));
  await until('the files are removed', async () => {
    await harness.advance(6);
    const sizes = await Promise.all(stored.filter((key) => !key.includes(waiting)).map((key) => blobs.size(key)));
    return sizes.every((size) => size === undefined);
  });
});
