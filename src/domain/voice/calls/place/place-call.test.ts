/** The reads and writes of placing a call. They are within the caller's ledger, and commit together or not at all. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failCommits } from '../../../../../test/support/failing-commits.ts';
import { useHarness } from '../../../../../test/support/harness.ts';
import { sql } from '../../../../../test/support/jobs.ts';
import { LIVE_NUMBER, openLiveLine } from '../../../../../test/support/live-line.ts';
import { newPerson, read, refusal } from '../../../../../test/support/messages.ts';
import { makeLine } from '../../../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });
const { db } = harness.context;
const { number } = await makeLine(harness);
await openLiveLine(harness);
const [live] = (await sql<{ id: string; phone_number: string }>(
  db,
  'select id, phone_number from phone_numbers where id = $1',
  [LIVE_NUMBER.id],
)) as [{ id: string; phone_number: string }];

const place = (from: string, to: string, key = harness.account.test_key) =>
  harness.call('POST', '/v1/calls', { key, body: { from, to, connect_to: newPerson() } });

test('a number of another ledger is not found, by its id or its digits', async () => {
  const NOT_FOUND = [404, 'from_number_not_found', 'from'];
  for (const from of [live.id, live.phone_number]) assert.deepEqual(refusal(await place(from, newPerson())), NOT_FOUND);
  const { live_key } = harness.account;
  for (const from of [number.id, number.phone_number]) {
    assert.deepEqual(refusal(await place(from, newPerson(), live_key)), NOT_FOUND);
  }
  const [byId, byDigits] = [await place(number.id, newPerson()), await place(number.phone_number, newPerson())];
  assert.deepEqual([byId.status, byDigits.status], [201, 201]);
  assert.equal(byId.body.phone_number_id, byDigits.body.phone_number_id);
});

test('a call that is not committed leaves no conversation, event, command or timer', async () => {
  const to = newPerson();
  const counts = `select (select count(*)::int from calls where "to" = $1) as calls,
    (select count(*)::int from conversations where external_number = $1) as conversations,
    (select count(*)::int from events) as events, (select count(*)::int from jobs) as jobs,
    (select count(*)::int from call_commands) as commands`;
  const before = await sql(db, counts, [to]);
  const killed = failCommits(db, 'calls_open_emit', 1);
  assert.equal((await place(number.id, to)).status, 500);
  assert.equal(killed.failed, 1);
  assert.deepEqual(await sql(db, counts, [to]), before);
});

test('calls to one person share a conversation, also if its first calls are concurrent', async () => {
  const to = newPerson();
  const placed = await Promise.all(Array.from({ length: 5 }, () => place(number.id, to)));
  const last = await place(number.id, to);
  placed.push(last);
  const conversations = await sql<{ id: string }>(db, 'select id from conversations where external_number = $1', [to]);
  assert.deepEqual(new Set(placed.map(({ body }) => body.conversation_id)), new Set(conversations.map(({ id }) => id)));
  assert.equal(conversations.length, 1);
  const { id, conversation_id, started_at } = last.body;
  assert.equal((await read(harness, `/calls/${id}`)).conversation_id, conversation_id);
  const { last_activity_at, last_message_preview } = await read(harness, `/conversations/${conversation_id}`);
  assert.ok(last_activity_at >= started_at);
  assert.equal(last_message_preview, 'Call');
});
