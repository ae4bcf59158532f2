import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { failCommits } from '../../../../test/support/failing-commits.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, read, sendText } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import * as history from '../../../../test/support/person-history.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';

const { harness } = await useLine({ startWorkers: false });
const { db, blobs } = harness.context;

const erase = (own: { readonly tenantId: string }, person: string) => history.erase(harness, own, person);
const completed = (id: string) => history.completed(harness, id);

test('another person of the tenant, and the person at another tenant, keep everything', async () => {
  const [own, other] = [await makeLine(harness), await makeLine(harness)];
  const [person, neighbour] = [newPerson(), newPerson()];
  await sendText(harness, own.number.id, person, 'one');
  const kept = [
    await sendText(harness, own.number.id, neighbour, 'two'),
    await sendText(harness, other.number.id, person, 'three'),
  ];
  await harness.advance(5);
  await completed((await erase(own, person)).body.id);
  for (const { id, body } of kept) assert.equal((await read(harness, `/messages/${id}`)).body, body);
});

test('what happens after the request is kept', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const { conversation_id } = await sendText(harness, own.number.id, person, 'before');
  await harness.advance(5);
  const { id } = (await erase(own, person)).body;
  const after = await arrive(harness, person, own.number.phone_number, 'after');
  await completed(id);
  const { data } = await read(harness, `/messages?tenant_id=${own.tenantId}`);
  assert.deepEqual(
    data.map((message: Json) => message.id),
    [after.id],
  );
  assert.equal((await read(harness, `/conversations/${conversation_id}`)).last_message_preview, 'after');
});

const STATEMENTS = [
  'transactions_settled',
  'messages_delete',
  'person_group_texts_find',
  'calls_erase',
  'conversation_notes_delete_of_person',
  'person_conversations_delete',
  'person_submissions_find',
  'idempotency_read_answers',
  'request_log_forget_keys',
  'carrier_inbox_erase',
  'carrier_requests_erase',
  'jobs_any_with_prefix',
  'person_erasures_complete',
];

test('an erasure that is killed once in each of its steps continues there', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const { keys } = await history.makeHistory(harness, own, person);
  const kills = STATEMENTS.map((statement) => ({ statement, count: failCommits(db, statement, 1) }));
  const { id } = (await erase(own, person)).body;
  const { counts } = await history.completed(harness, id, 60);
  for (const { statement, count } of kills) assert.equal(count.failed, 1, statement);
  assert.deepEqual([counts.messages, counts.calls, counts.recordings], [5, 2, 2]);
  assert.deepEqual(await history.tablesWith(harness, history.writings(person)), {});
  for (const key of keys) assert.equal(await blobs.size(key), undefined);
});

test('an erasure is not completed while the store keeps the audio', async () => {
  const own = await makeLine(harness);
  const person = newPerson();
  const { keys } = await history.makeHistory(harness, own, person);
  const { remove } = blobs;
  blobs.remove = () => Promise.reject(new Error('the store does not answer'));
  try {
    const { id } = (await erase(own, person)).body;
    for (let rounds = 0; rounds < 4; rounds++) {
      await harness.advance(6);
      await runLedgerDue(harness.workers.ledgerWork, 0);
    }
    assert.equal((await read(harness, `/person_erasures/${id}`)).status, 'pending');
    blobs.remove = remove;
    await sql(db, `update jobs set run_at = clock_timestamp(), due_at = clock_timestamp() where kind = 'drop-blobs'`);
    await completed(id);
    for (const key of keys) assert.equal(await blobs.size(key), undefined);
  } finally {
    blobs.remove = remove;
  }
});
