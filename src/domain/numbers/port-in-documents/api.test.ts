import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { databaseMs, sql } from '../../../../test/support/jobs.ts';
import { refusal } from '../../../../test/support/messages.ts';
import { makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { addDocument, JPEG, makePortIn, PDF, PNG } from '../../../../test/support/port-ins.ts';
import { sampleBytes } from '../../../../test/support/sample-bytes.ts';
import { BlobError } from '../../../blobs/blob-store.ts';
import type { PortInOrder } from '../../../carriers/ports/porting.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });
const { db, blobs } = harness.context;

const upload = (portInId: string, body: unknown, { kind = 'invoice', headers = {} } = {}) =>
  harness.call('POST', `/v1/port_ins/${portInId}/documents?kind=${kind}`, { body, headers });
const list = async (portInId: string): Promise<Json[]> =>
  (await harness.call('GET', `/v1/port_ins/${portInId}/documents`)).body.data;
const get = async (id: string): Promise<Json> => (await harness.call('GET', `/v1/port_ins/${id}`)).body;
const submit = (id: string) => harness.call('POST', `/v1/port_ins/${id}/submit`);
const newPortIn = async (change: object = {}): Promise<string> => (await makePortIn(harness, tenantId, change)).id;

async function keyOf(documentId: string): Promise<string> {
  const [row] = await sql<{ blob_key: string }>(db, 'select blob_key from port_in_documents where id = $1', [
    documentId,
  ]);
  return row?.blob_key ?? assert.fail('no such document');
}

/** Runs the jobs that remove blobs, except jobs that are not due. */
const removeBlobs = () => runLedgerDue(harness.workers.ledgerWork, 0);

test('a document is kept as it was sent, with the type that its bytes have', async () => {
  const id = await newPortIn();
  const file = Buffer.concat([PNG, sampleBytes(300_000)]);
  const beforeMs = await databaseMs(harness.context.db);
  const { status, body } = await upload(id, file, { headers: { 'content-type': 'application/pdf' } });
  assert.equal(status, 201);
  const { id: documentId, created_at, ...rest } = body;
  assert.match(documentId, /^doc_/);
  assert.ok(Date.parse(created_at) >= beforeMs && Date.parse(created_at) <= (await databaseMs(harness.context.db)));
  const facts = { kind: 'invoice', content_type: 'image/png', size_bytes: file.length };
  assert.deepEqual(rest, { object: 'port_in_document', port_in_id: id, ...facts });
  const letter = await addDocument(harness, id, 'letter_of_authorization', { file: JPEG });
  assert.deepEqual(await list(id), [body, letter]);
});

test('any media type may be stated, and none', async () => {
  const id = await newPortIn();
  for (const type of ['application/octet-stream', 'text/plain', 'application/x-www-form-urlencoded', 'image/gif']) {
    assert.equal((await upload(id, PDF, { headers: { 'content-type': type } })).status, 201, type);
  }
  assert.equal((await upload(id, PDF)).status, 201);
});

test('a file of another type, or none, is unsupported_document; an unknown kind is named', async () => {
  const id = await newPortIn();
  for (const body of [Buffer.from('GIF89a'), '{"kind":"invoice"}', Buffer.alloc(0), undefined]) {
    assert.deepEqual(refusal(await upload(id, body)).slice(0, 2), [400, 'unsupported_document']);
  }
  assert.deepEqual(refusal(await upload(id, PDF, { kind: 'passport' })), [400, 'invalid_body', 'kind']);
  const without = await harness.call('POST', `/v1/port_ins/${id}/documents`, { body: PDF });
  assert.deepEqual(refusal(without), [400, 'missing_fields', 'kind']);
  assert.deepEqual(await list(id), []);
});

test('a file has at most 10 MiB, and a client that sends more reads its refusal', async () => {
  const id = await newPortIn();
  const largest = Buffer.alloc(10 * 1024 * 1024);
  PDF.copy(largest);
  assert.equal((await upload(id, largest)).status, 201);
  assert.deepEqual(refusal(await upload(id, Buffer.concat([largest, Buffer.alloc(1)]))).slice(0, 2), [
    413,
    'unreadable_body',
  ]);
  assert.equal(refusal(await upload(id, Buffer.concat([largest, largest, largest])))[0], 413);
  assert.equal((await list(id)).length, 1);
});

test('an upload that breaks off stores nothing and keeps no place', async () => {
  const id = await newPortIn();
  for (let times = 0; times < 5; times++) {
    const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
    const head = `POST /v1/port_ins/${id}/documents?kind=invoice HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n`;
    socket.end(`${head}Authorization: Bearer ${harness.account.test_key}\r\n\r\n%PDF-1.7`);
    assert.match(await text(socket), /^HTTP\/1.1 400 /);
  }
  assert.equal((await upload(id, PDF)).status, 201);
  assert.equal((await list(id)).length, 1);
});

test('an upload to a port-in that does not exist is answered before its file arrives', async () => {
  const socket = connect(Number(new URL(harness.url).port), '127.0.0.1');
  const head = `POST /v1/port_ins/port_none/documents?kind=invoice HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n`;
  socket.write(`${head}Connection: close\r\nAuthorization: Bearer ${harness.account.test_key}\r\n\r\n%PDF-1.7`);
  assert.match(await text(socket), /^HTTP\/1\.1 404 .*port_in_not_found/s);
});

test('many uploads at the same time all succeed', async () => {
  const ids = await Promise.all([newPortIn(), newPortIn()]);
  const file = Buffer.concat([PDF, Buffer.alloc(1_000_000)]);
  const replies = await Promise.all(Array.from({ length: 16 }, (_, index) => upload(ids[index % 2] as string, file)));
  assert.deepEqual(new Set(replies.map(({ status }) => status)), new Set([201]));
});

test('of uploads to one port-in at the same time, ten are kept', async () => {
  const id = await newPortIn();
  const replies = await Promise.all(Array.from({ length: 13 }, () => upload(id, PDF)));
  const refused = replies.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refused.map((reply) => refusal(reply)[1]),
    Array(3).fill('too_many_documents'),
  );
  assert.equal((await list(id)).length, 10);
});

test('a repeat with an Idempotency-Key adds no second document; another file or kind is another request', async () => {
  const id = await newPortIn();
  const headers = { 'idempotency-key': randomUUID() };
  const first = await upload(id, PDF, { headers });
  const repeat = await upload(id, PDF, { headers });
  assert.deepEqual([repeat.status, repeat.body], [201, first.body]);
  for (const other of [upload(id, PNG, { headers }), upload(id, PDF, { kind: 'letter_of_authorization', headers })]) {
    assert.deepEqual(refusal(await other).slice(0, 2), [422, 'idempotency_key_reuse']);
  }
  assert.deepEqual(await list(id), [first.body]);
});

test('a document can be deleted, with its file', async () => {
  const id = await newPortIn();
  const document = await addDocument(harness, id, 'invoice');
  const key = await keyOf(document.id);
  assert.equal(await blobs.size(key), PDF.length);
  const path = `/v1/port_ins/${id}/documents/${document.id}`;
  const elsewhere = `/v1/port_ins/${await newPortIn()}/documents/${document.id}`;
  assert.deepEqual(refusal(await harness.call('DELETE', elsewhere)).slice(0, 2), [404, 'document_not_found']);
  assert.equal((await harness.call('DELETE', path)).status, 204);
  assert.deepEqual(await list(id), []);
  await removeBlobs();
  assert.equal(await blobs.size(key), undefined);
  assert.deepEqual(refusal(await harness.call('DELETE', path)).slice(0, 2), [404, 'document_not_found']);
});

test('documents change only while the port-in can be corrected', async () => {
  const id = await newPortIn();
  const document = await addDocument(harness, id, 'invoice');
  await submit(id);
  assert.deepEqual(refusal(await upload(id, PDF)).slice(0, 2), [409, 'port_in_not_submittable']);
  const removed = await harness.call('DELETE', `/v1/port_ins/${id}/documents/${document.id}`);
  assert.deepEqual(refusal(removed).slice(0, 2), [409, 'port_in_not_submittable']);
  assert.deepEqual(await list(id), [document]);
});

test('the file of a refused upload is removed', async () => {
  const id = await newPortIn();
  const { put } = blobs;
  let key = '';
  blobs.put = async (...stored: Parameters<typeof put>) => {
    [key] = stored;
    await put(...stored);
    await submit(id);
  };
  try {
    assert.deepEqual(refusal(await upload(id, PDF)).slice(0, 2), [409, 'port_in_not_submittable']);
  } finally {
    blobs.put = put;
  }
  assert.equal(await blobs.size(key), PDF.length);
  await sql(db, `update jobs set run_at = now() where kind = 'drop-blobs' and payload::text like '%' || $1 || '%'`, [
    key,
  ]);
  await removeBlobs();
  assert.equal(await blobs.size(key), undefined);
});

test('without the store of files an upload is storage_unavailable, and nothing is added', async () => {
  const id = await newPortIn();
  const { put } = blobs;
  blobs.put = () => Promise.reject(new BlobError('unavailable', 'the store is away'));
  try {
    assert.deepEqual(refusal(await upload(id, PDF)).slice(0, 2), [503, 'storage_unavailable']);
  } finally {
    blobs.put = put;
  }
  assert.deepEqual(await list(id), []);
});

test('a submission hands its tenant and the documents to the carrier, which can read them', async () => {
  const id = await newPortIn();
  const letter = await addDocument(harness, id, 'letter_of_authorization', { file: PNG });
  await addDocument(harness, id, 'invoice');
  await submit(id);
  const orders: PortInOrder[] = [];
  await withPort(
    harness,
    'porting',
    (real) => ({
      ...real,
      submitPortIn: async (ledger, order) => {
        orders.push(order);
        return real.submitPortIn(ledger, order);
      },
    }),
    async () => runLedgerDue(harness.workers.ledgerWork, await testLedger(harness)),
  );
  const order = orders.find(({ ref }) => ref === id);
  assert.deepEqual(order?.tenant, { id: tenantId, name: 'Tenant' });
  const [sent] = order?.documents ?? [];
  const { read, ...facts } = sent ?? assert.fail('no document was sent');
  assert.deepEqual(facts, {
    ref: letter.id,
    kind: 'letter_of_authorization',
    contentType: 'image/png',
    sizeBytes: PNG.length,
  });
  assert.deepEqual(Buffer.from(await read()), PNG);
  await harness.advance(10);
  assert.equal((await get(id)).status, 'completed');
});

test('some documents without the others need action, and status_detail names the missing ones', async () => {
  const id = await newPortIn();
  await addDocument(harness, id, 'letter_of_authorization');
  await submit(id);
  await harness.advance(5);
  const stopped = await get(id);
  assert.equal(stopped.status, 'action_needed');
  assert.match(stopped.status_detail, /Missing documents: invoice\.$/);
  await addDocument(harness, id, 'invoice');
  await submit(id);
  await harness.advance(10);
  assert.deepEqual([(await get(id)).status, (await get(id)).status_detail], ['completed', null]);
});

test('a port-in without documents completes; where it needs action, they are named', async () => {
  const plain = await newPortIn();
  const id = await newPortIn({ phone_numbers: ['+15005550005'] });
  for (const each of [plain, id]) await submit(each);
  await harness.advance(4);
  assert.match((await get(id)).status_detail, /PIN.* Missing documents: letter_of_authorization, invoice\.$/);
  await submit(id);
  await harness.advance(10);
  for (const each of [plain, id]) assert.equal((await get(each)).status, 'completed');
});

test('the documents of a port-in are deleted 30 days after it has ended', async () => {
  const id = await newPortIn();
  const key = await keyOf((await addDocument(harness, id, 'invoice')).id);
  await harness.call('POST', `/v1/port_ins/${id}/cancel`);
  await harness.advance(30 * 86_400 - 60);
  assert.equal((await list(id)).length, 1);
  await harness.advance(120);
  assert.deepEqual(await list(id), []);
  await removeBlobs();
  assert.equal(await blobs.size(key), undefined);
});

test("a tenant's documents are deleted with it", async () => {
  const owner = await makeTenant(harness);
  const { id } = await makePortIn(harness, owner);
  const key = await keyOf((await addDocument(harness, id, 'invoice')).id);
  assert.equal((await harness.call('DELETE', `/v1/tenants/${owner}`)).status, 204);
  assert.deepEqual(await sql(db, 'select 1 from port_in_documents where tenant_id = $1', [owner]), []);
  await removeBlobs();
  assert.equal(await blobs.size(key), undefined);
});

test('a reset removes the files of the ledger', async () => {
  const { test_key: key } = await harness.secondAccount();
  const owner = (await harness.call('POST', '/v1/tenants', { key, body: { name: 'T' } })).body.id;
  const { id } = await makePortIn(harness, owner, {}, key);
  const path = `/v1/port_ins/${id}/documents?kind=invoice`;
  const { body } = await harness.call('POST', path, { key, body: PDF });
  const blob = await keyOf(body.id);
  assert.equal((await harness.call('POST', '/v1/test/reset', { key })).status, 200);
  await removeBlobs();
  assert.equal(await blobs.size(blob), undefined);
});
