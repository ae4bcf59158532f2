import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { arrive, newPerson, read, refusal, sendText } from '../../../../test/support/messages.ts';
import { makeLine, makeTenant } from '../../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });

const idsOf = (page: Json): string[] => page.data.map((each: Json) => each.id);

test('messages are listed in the order of acceptance, newest first', async () => {
  const { tenantId, number } = await makeLine(harness);
  const to = newPerson();
  const replies = await Promise.all(Array.from({ length: 30 }, (_, n) => sendText(harness, number.id, to, `${n}`)));
  const sorted = replies.map(({ id }) => id).sort();
  const page = await read(harness, `/messages?tenant_id=${tenantId}&limit=100`);
  assert.deepEqual(idsOf(page), sorted.reverse());
  assert.deepEqual([page.has_more, page.next_cursor], [false, null]);
});

test('the pages contain every message once while others are added', async () => {
  const { tenantId, number } = await makeLine(harness);
  const sent: string[] = [];
  for (let n = 0; n < 7; n++) sent.unshift((await sendText(harness, number.id, newPerson())).id);
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await read(harness, `/messages?tenant_id=${tenantId}&limit=2${cursor}`);
    seen.push(...idsOf(page));
    await sendText(harness, number.id, newPerson());
    assert.equal(page.has_more, page.next_cursor !== null);
    cursor = page.has_more ? `&after=${page.next_cursor}` : '';
  } while (cursor !== '');
  assert.deepEqual(seen, sent);
});

test('the list is filtered by tenant, conversation and direction', async () => {
  const { tenantId, number } = await makeLine(harness);
  const person = newPerson();
  const out = await sendText(harness, number.id, person);
  const elsewhere = await sendText(harness, number.id, newPerson());
  const back = await arrive(harness, person, number.phone_number, 'Hi');
  const of = async (query: string) => idsOf(await read(harness, `/messages?tenant_id=${tenantId}${query}`));
  assert.deepEqual(await of(''), [back.id, elsewhere.id, out.id]);
  assert.deepEqual(await of(`&conversation_id=${out.conversation_id}`), [back.id, out.id]);
  assert.deepEqual(await of('&direction=inbound'), [back.id]);
  assert.deepEqual(await of(`&direction=outbound&conversation_id=${out.conversation_id}`), [out.id]);
  const other = await makeTenant(harness);
  assert.deepEqual(idsOf(await read(harness, `/messages?tenant_id=${other}`)), []);
  const key = await harness.tenantKey(other);
  assert.deepEqual(idsOf(await read(harness, '/messages', key)), []);
  const refused = await harness.call('GET', `/v1/messages?tenant_id=${tenantId}`, { key });
  assert.equal(refused.body.error.code, 'tenant_restricted_key');
});

test('a range includes its start and excludes its end', async () => {
  const { tenantId, number } = await makeLine(harness);
  const made: Json[] = [];
  for (let n = 0; n < 3; n++) {
    made.push(await sendText(harness, number.id, newPerson()));
    await harness.advance(60);
  }
  const between = async (query: string) => idsOf(await read(harness, `/messages?tenant_id=${tenantId}${query}`));
  const [first, second, third] = made;
  assert.deepEqual(await between(`&start=${second.created_at}`), [third.id, second.id]);
  assert.deepEqual(await between(`&start=${first.created_at}&end=${third.created_at}`), [second.id, first.id]);
  assert.deepEqual(await between(`&end=${second.created_at}`), [first.id]);
  assert.deepEqual(await between('&start=2001-01-01&end=2001-01-02'), []);
});

test('an invalid query is refused with its field', async () => {
  const { tenantId, number } = await makeLine(harness);
  await sendText(harness, number.id, newPerson());
  await sendText(harness, number.id, newPerson());
  const cursorOf = async (path: string) => (await read(harness, path)).next_cursor as string;
  const foreign = await cursorOf(`/conversations?tenant_id=${tenantId}&limit=1`);
  for (const [query, expected] of [
    ['limit=0', [400, 'invalid_body', 'limit']],
    ['limit=101', [400, 'invalid_body', 'limit']],
    ['limit=ten', [400, 'invalid_body', 'limit']],
    ['after=x', [400, 'invalid_body', 'after']],
    [`after=${foreign}`, [400, 'invalid_body', 'after']],
    ['direction=up', [400, 'invalid_body', 'direction']],
    ['tenant=x', [400, 'invalid_body', 'tenant']],
    ['tenant_id=tnt_x', [404, 'tenant_not_found', 'tenant_id']],
    ['conversation_id=cnv_x', [404, 'conversation_not_found', 'conversation_id']],
    ['start=yesterday', [400, 'invalid_start', 'start']],
    ['end=2026-02-30', [400, 'invalid_end', 'end']],
    ['start=2026-02-02&end=2026-02-02', [400, 'invalid_range', 'start']],
  ] as const) {
    assert.deepEqual(refusal(await harness.call('GET', `/v1/messages?${query}`)), expected, query);
  }
});

test("a deleted tenant's messages stay readable by id and by its filter", async () => {
  const { tenantId, number } = await makeLine(harness);
  const { id } = await sendText(harness, number.id, newPerson());
  await harness.advance(2);
  assert.equal((await harness.call('DELETE', `/v1/tenants/${tenantId}`)).status, 204);
  assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
  assert.deepEqual(idsOf(await read(harness, `/messages?tenant_id=${tenantId}`)), [id]);
});
