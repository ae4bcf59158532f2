import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inflateRawSync } from 'node:zlib';

import type { Json } from '../../../../test/support/events.ts';
import { failCommits } from '../../../../test/support/failing-commits.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { type Line, makeLine, useLine } from '../../../../test/support/numbers.ts';
import { completed, erase, makeHistory, WORDS } from '../../../../test/support/person-history.ts';
import { talk } from '../../../../test/support/recordings.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';
import { removeExpired } from './export-job.ts';

const { harness } = await useLine({ startWorkers: false });
const { db, blobs } = harness.context;

const request = (own: Line, person: string) =>
  harness.call('POST', '/v1/person_exports', { body: { tenant_id: own.tenantId, external_number: person } });

async function made(id: string, seconds = 6): Promise<Json> {
  for (let rounds = 0; rounds < 20; rounds++) {
    await harness.advance(seconds);
    await runLedgerDue(harness.workers.ledgerWork, 0);
    const row = await read(harness, `/person_exports/${id}`);
    if (row.status !== 'pending') return row;
  }
  return assert.fail('the export is not made');
}

/** Returns the content of an entry of a ZIP file. */
function contentOf(zip: Buffer, name: string): Buffer {
  let at = zip.indexOf('PK\u0001\u0002', 0, 'latin1');
  while (zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)) !== name) {
    at = zip.indexOf('PK\u0001\u0002', at + 4, 'latin1');
    assert.ok(at >= 0, `there is no ${name}`);
  }
  const [method, bytes, local] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20), zip.readUInt32LE(at + 42)];
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const content = zip.subarray(start, start + bytes);
  return method === 0 ? content : inflateRawSync(content);
}

const download = (url: string) => fetch(url.replace('http://localhost', harness.url));

/** Returns the names of the entries of a ZIP file, from its central directory. */
function entriesOf(zip: Buffer): string[] {
  const names: string[] = [];
  for (
    let at = zip.indexOf('PK\u0001\u0002', 0, 'latin1');
    at >= 0;
    at = zip.indexOf('PK\u0001\u0002', at + 4, 'latin1')
  ) {
    names.push(zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28)));
  }
  return names.toSorted();
}

test('an export has the words and the audio of the person, behind a signed link for one hour', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const { keys } = await makeHistory(harness, own, person);
  const reply = await request(own, person);
  assert.deepEqual([reply.status, reply.body.status, reply.body.download_url], [202, 'pending', null]);
  const { status, download_url } = await made(reply.body.id);
  assert.equal(status, 'completed');
  const file = await download(download_url);
  assert.equal(file.status, 200);
  assert.equal(file.headers.get('content-type'), 'application/zip');
  const entries = entriesOf(Buffer.from(await file.arrayBuffer()));
  assert.equal(entries.filter((name) => name.startsWith('audio/')).length, 2);
  assert.equal(entries.filter((name) => name.startsWith('media/')).length, 1);
  assert.deepEqual(
    entries.filter((name) => name.endsWith('.json')),
    [
      'calls.json',
      'contacts.json',
      'conversations.json',
      'messages.json',
      'notes.json',
      'opt_in_submissions.json',
      'opt_outs.json',
      'report.json',
      'voicemails.json',
    ],
  );
  assert.equal(keys.length, 3);
  assert.equal((await download(download_url.replace(/signature=.{6}/, 'signature=1.xxxx'))).status, 401);
});

test('a killed export is made again, and its file is gone after seven days and after an erasure', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  await arrive(harness, person, own.number.phone_number, WORDS.inbound);
  const kill = failCommits(db, 'person_exports_settle', 1);
  const [old, erased] = [(await request(own, person)).body.id, (await request(own, person)).body.id];
  await made(old);
  await made(erased);
  assert.equal(kill.failed, 1);
  const files = () => sql<Json>(db, 'select id, blob_key from person_exports where blob_key is not null');
  const keys = (await files()).filter(({ id }) => id === old || id === erased).map(({ blob_key }) => blob_key);
  assert.equal(keys.length, 2);
  await sql(db, `update person_exports set created_at = created_at - interval '8 days' where id = $1`, [old]);
  assert.equal(await removeExpired(db, 10), 1);
  await runLedgerDue(harness.workers.ledgerWork, 0);
  assert.equal((await read(harness, `/person_exports/${old}`)).download_url, null);
  assert.deepEqual(refusal(await harness.call('GET', `/v1/person_exports/${old}/file`)).slice(0, 2), [
    404,
    'person_export_not_found',
  ]);
  await completed(harness, (await erase(harness, own, person)).body.id);
  assert.equal((await harness.call('GET', `/v1/person_exports/${erased}`)).status, 404);
  for (const key of keys) assert.equal(await blobs.size(key), undefined);
});

test('a file that the store has lost is named in the report of the archive, and everything else is there', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  await makeHistory(harness, own, person);
  const [lost] = await sql<Json>(
    db,
    `select r.id, r.blob_key from recordings r join calls c on c.ledger_id = r.ledger_id and c.id = r.call_id
     where c.tenant_id = $1 order by r.id limit 1`,
    [own.tenantId],
  );
  await blobs.remove(lost?.blob_key);
  const { status, download_url } = await made((await request(own, person)).body.id);
  assert.equal(status, 'completed');
  const zip = Buffer.from(await (await download(download_url)).arrayBuffer());
  assert.deepEqual(JSON.parse(contentOf(zip, 'report.json').toString()), { missing_files: [`audio/${lost?.id}.wav`] });
  const entries = entriesOf(zip);
  assert.equal(entries.filter((name) => name.startsWith('audio/')).length, 1);
  assert.equal(entries.filter((name) => name.startsWith('media/')).length, 1);
  assert.notEqual(contentOf(zip, 'messages.json').toString(), '[\n]\n');
});

test('an export that is made while the erasure of its person waits is deleted with the erasure', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const call = await talk(harness, own, { to: person });
  const erasure = (await erase(harness, own, person)).body.id;
  await harness.advance(1);
  const { id } = (await request(own, person)).body;
  // The call continues, and the erasure waits for its end.
  await made(id, 1);
  const [row] = await sql<Json>(db, 'select blob_key from person_exports where id = $1', [id]);
  assert.equal((await read(harness, `/person_erasures/${erasure}`)).status, 'pending');
  await harness.call('POST', `/v1/calls/${call.id}/hangup`, { body: {} });
  await completed(harness, erasure);
  assert.equal((await harness.call('GET', `/v1/person_exports/${id}`)).status, 404);
  assert.equal(await blobs.size(row?.blob_key), undefined);
});
