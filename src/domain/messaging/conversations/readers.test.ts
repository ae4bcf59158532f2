/** The readers of a conversation, and their unread counts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, playParty, ringing, route } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, read, refusal, sendText } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { EXAMINED_ROWS, EXAMINED_TIMES_MAX, READERS_MAX } from './rules.ts';

const harness = await useHarness();

async function markRead(id: string, reader: string): Promise<void> {
  const reply = await harness.call('POST', `/v1/conversations/${id}/read`, { body: { reader } });
  assert.equal(reply.status, 204, JSON.stringify(reply.body));
}

const unreadOf = async (id: string, reader: string) =>
  (await read(harness, `/conversations/${id}?reader=${reader}`)).unread_count;

test('inbound texts, missed calls and voicemails are unread until a reader has read them; each reader by itself', async () => {
  const line = await makeLine(harness);
  const from = newPerson();
  const { conversation_id: id } = await sendText(harness, line.number.id, from);
  assert.equal(await unreadOf(id, 'ann'), 0);
  await arrive(harness, from, line.number.phone_number, 'Hello');
  await arrive(harness, from, line.number.phone_number, 'Hello?');
  assert.deepEqual([await unreadOf(id, 'ann'), await unreadOf(id, 'bob')], [2, 2]);
  await markRead(id, 'ann');
  await markRead(id, 'ann');
  assert.deepEqual([await unreadOf(id, 'ann'), await unreadOf(id, 'bob')], [0, 2]);

  await route(harness, line, { open_behavior: ringing([newPerson()]), closed_behavior: ringing([newPerson()]) });
  const missed = await callIn(harness, line, { from });
  await playParty(harness, missed.id, 'hangup', { party: 'customer' });
  await harness.settled();
  assert.deepEqual([await unreadOf(id, 'ann'), await unreadOf(id, 'bob')], [1, 3]);
  const recorded = await callIn(harness, line, { from });
  await harness.advance(0);
  await playParty(harness, recorded.id, 'voicemail');
  await harness.advance(30);
  await harness.settled();
  assert.deepEqual([await unreadOf(id, 'ann'), await unreadOf(id, 'bob')], [2, 4]);
  assert.equal((await read(harness, `/conversations/${id}`)).unread_count, undefined);
});

test('a list has the counts of its reader, and shows what is unread or what is not', async () => {
  const line = await makeLine(harness);
  const own = `tenant_id=${line.tenantId}`;
  const talks: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const text = await arrive(harness, newPerson(), line.number.phone_number, 'Hello');
    talks.push(text.conversation_id);
  }
  await markRead(talks[1] as string, 'ann');
  const of = async (query: string) => {
    const { data } = await read(harness, `/conversations?${own}&${query}`);
    return data.map((each: Json) => [talks.indexOf(each.id), each.unread_count]);
  };
  assert.deepEqual(await of('reader=ann'), [
    [2, 1],
    [1, 0],
    [0, 1],
  ]);
  assert.deepEqual(await of('reader=ann&unread=true'), [
    [2, 1],
    [0, 1],
  ]);
  assert.deepEqual(await of('reader=ann&unread=false'), [[1, 0]]);
  assert.deepEqual(await of('reader=bob&unread=true&state=done'), []);
  assert.deepEqual(await of('state=open'), [
    [2, undefined],
    [1, undefined],
    [0, undefined],
  ]);
  const first = await read(harness, `/conversations?${own}&reader=ann&unread=true&limit=1`);
  assert.deepEqual([first.data[0].id, first.has_more], [talks[2], true]);
  const next = await read(harness, `/conversations?${own}&reader=ann&unread=true&limit=1&after=${first.next_cursor}`);
  assert.deepEqual([next.data[0].id, next.has_more, next.next_cursor], [talks[0], false, null]);
});

test('a page of unread conversations examines a bounded number, and the next page goes on there', async () => {
  const line = await makeLine(harness);
  const { conversation_id: oldest } = await arrive(harness, newPerson(), line.number.phone_number, 'Hello');
  const { db } = harness.context;
  await sql(
    db,
    `insert into conversations (ledger_id, id, tenant_id, phone_number_id, external_number, last_activity_at,
       last_message_preview)
     select ledger_id, 'cnv_' || n, tenant_id, phone_number_id, '+1602' || (2000000 + n),
       last_activity_at + n * interval '1 second', ''
     from conversations, generate_series(1, $2::int) n where id = $1`,
    [oldest, EXAMINED_ROWS * EXAMINED_TIMES_MAX],
  );
  const path = `/conversations?tenant_id=${line.tenantId}&reader=ann&unread=true`;
  const first = await read(harness, path);
  assert.deepEqual([first.data, first.has_more], [[], true]);
  const next = await read(harness, `${path}&after=${first.next_cursor}`);
  assert.deepEqual([next.data.map(({ id }: Json) => id), next.has_more], [[oldest], false]);
});

test('of more readers of a conversation the latest are kept', async () => {
  const line = await makeLine(harness);
  const { conversation_id: id } = await arrive(harness, newPerson(), line.number.phone_number, 'Hello');
  await markRead(id, 'first');
  await harness.advance(1);
  await sql(
    harness.context.db,
    `insert into conversation_reads (ledger_id, conversation_id, reader, inbound_count, read_at)
     select ledger_id, conversation_id, 'reader-' || n, 1, read_at + interval '1 second'
     from conversation_reads, generate_series(2, $2::int) n where conversation_id = $1`,
    [id, READERS_MAX],
  );
  assert.equal(await unreadOf(id, 'first'), 0);
  await markRead(id, 'last');
  assert.deepEqual([await unreadOf(id, 'first'), await unreadOf(id, 'last')], [1, 0]);
});

test("a browser session's reader is the only one that it reads as", async () => {
  const line = await makeLine(harness);
  const { conversation_id: id } = await arrive(harness, newPerson(), line.number.phone_number, 'Hello');
  const mint = async (more: object): Promise<string> => {
    const body = { tenant_id: line.tenantId, abilities: ['conversations:read'], ...more };
    return (await harness.call('POST', '/v1/browser_sessions', { body })).body.token;
  };
  const key = await mint({ reader: 'ann' });
  const page = await harness.call('GET', '/v1/conversations?unread=true', { key });
  assert.deepEqual(
    page.body.data.map((each: Json) => [each.id, each.unread_count]),
    [[id, 1]],
  );
  const path = `/v1/conversations/${id}/read`;
  assert.deepEqual(refusal(await harness.call('POST', path, { key, body: { reader: 'bob' } })), [
    403,
    'key_not_permitted',
    'reader',
  ]);
  assert.deepEqual(refusal(await harness.call('GET', `/v1/conversations/${id}?reader=bob`, { key })), [
    403,
    'key_not_permitted',
    'reader',
  ]);
  assert.equal((await harness.call('POST', path, { key, body: {} })).status, 204);
  assert.deepEqual([await unreadOf(id, 'ann'), await unreadOf(id, 'bob')], [0, 1]);
  const anyones = await mint({});
  assert.equal((await harness.call('POST', path, { key: anyones, body: { reader: 'bob' } })).status, 204);
  assert.equal(await unreadOf(id, 'bob'), 0);
});

test('a request without a reader that needs one is refused', async () => {
  const line = await makeLine(harness);
  const { conversation_id: id } = await arrive(harness, newPerson(), line.number.phone_number, 'Hello');
  const absent = [400, 'missing_fields', 'reader'];
  assert.deepEqual(refusal(await harness.call('POST', `/v1/conversations/${id}/read`, { body: {} })), absent);
  assert.deepEqual(refusal(await harness.call('GET', '/v1/conversations?unread=true')), absent);
  const { body: document } = await harness.call('GET', '/v1/openapi.json');
  assert.ok(document.paths['/v1/conversations'].get['x-error-codes'].includes('missing_fields'));
});
