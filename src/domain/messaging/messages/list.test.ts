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
  const page = await read(harness, `/messages?tenant_id=${tenantId}&limit=100`);
  assert.deepEqual(idsOf(page).sort(), replies.map(({ id }) => id).sort());
  const times: string[] = page.data.map((each: Json) => each.created_at);
  assert.deepEqual(times, [...times].sort().reverse());
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

test('the list is filtered by either number and by status, alone and together', async () => {
  const line = await makeLine(harness);
  const second = await makeLine(harness);
  const [ann, bob] = [newPerson(), newPerson()] as [string, string];
  const delivered = await sendText(harness, line.number.id, ann);
  await harness.advance(2);
  const back = await arrive(harness, ann, line.number.phone_number, 'Hi');
  const toBob = await sendText(harness, line.number.id, bob);
  const elsewhere = await sendText(harness, second.number.id, ann);
  const of = async (query: Record<string, string>) =>
    idsOf(await read(harness, `/messages?${new URLSearchParams(query)}`));
  const own = line.number.phone_number;
  const { tenantId: tenant_id } = line;
  assert.deepEqual(await of({ from: own }), [toBob.id, delivered.id]);
  assert.deepEqual(await of({ to: own }), [back.id]);
  assert.deepEqual(await of({ from: ann }), [back.id]);
  assert.deepEqual(await of({ to: ann }), [elsewhere.id, delivered.id]);
  assert.deepEqual(await of({ to: ann, tenant_id }), [delivered.id]);
  assert.deepEqual(await of({ from: own, to: ann }), [delivered.id]);
  assert.deepEqual(await of({ from: ann, to: own }), [back.id]);
  assert.deepEqual(await of({ from: ann, to: bob }), []);
  assert.deepEqual(await of({ status: 'delivered', tenant_id }), [delivered.id]);
  assert.deepEqual(await of({ status: 'queued', from: own }), [toBob.id]);
  assert.deepEqual(await of({ status: 'queued', to: ann }), [elsewhere.id]);
  assert.deepEqual(await of({ status: 'received', from: ann }), [back.id]);
  assert.deepEqual(await of({ status: 'received', direction: 'outbound', tenant_id }), []);
  assert.deepEqual(await of({ direction: 'inbound', from: own }), []);
  assert.deepEqual(await of({ direction: 'outbound', to: ann, tenant_id }), [delivered.id]);
  const conversation_id = delivered.conversation_id;
  assert.deepEqual(await of({ conversation_id, status: 'delivered' }), [delivered.id]);
  assert.deepEqual(await of({ conversation_id, from: ann, direction: 'inbound' }), [back.id]);
  assert.deepEqual(await of({ conversation_id, tenant_id: second.tenantId }), []);
  assert.deepEqual(await of({ from: own, tenant_id: second.tenantId }), []);
  assert.deepEqual(await of({ status: 'queued', tenant_id, end: '2001-01-01' }), []);
});

test('a text from one number of the ledger to another is listed once for each side', async () => {
  const [a, b] = [await makeLine(harness), await makeLine(harness)];
  const sent = await sendText(harness, a.number.id, b.number.phone_number);
  await harness.advance(2);
  const query = new URLSearchParams({ from: a.number.phone_number, to: b.number.phone_number });
  const { data } = await read(harness, `/messages?${query}`);
  assert.deepEqual(
    data.map((each: Json) => each.direction),
    ['inbound', 'outbound'],
  );
  assert.equal(data[1].id, sent.id);
  for (const name of ['from', 'to']) {
    const one = new URLSearchParams({ [name]: query.get(name) as string });
    assert.deepEqual(idsOf(await read(harness, `/messages?${one}`)), idsOf({ data }), name);
  }
});

test('the pages of a filter contain every message once', async () => {
  const { number } = await makeLine(harness);
  const [to, other] = [newPerson(), newPerson()] as [string, string];
  const sent: string[] = [];
  for (let n = 0; n < 5; n++) {
    sent.unshift((await sendText(harness, number.id, to)).id);
    await sendText(harness, number.id, other);
  }
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const query = new URLSearchParams({ to, limit: '2', ...(after === null ? {} : { after }) });
    const page: Json = await read(harness, `/messages?${query}`);
    seen.push(...idsOf(page));
    after = page.next_cursor;
  } while (after !== null);
  assert.deepEqual(seen, sent);
});

test('filters may change between pages: a cursor is a position in the list', async () => {
  const { tenantId, number } = await makeLine(harness);
  const to = newPerson();
  const older = await sendText(harness, number.id, to);
  for (let n = 0; n < 2; n++) await sendText(harness, number.id, newPerson());
  const { next_cursor } = await read(harness, `/messages?tenant_id=${tenantId}&limit=1`);
  const query = new URLSearchParams({ to, after: next_cursor });
  assert.deepEqual(idsOf(await read(harness, `/messages?${query}`)), [older.id]);
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
    ['after=x', [400, 'invalid_cursor', 'after']],
    [`after=${foreign}`, [400, 'invalid_cursor', 'after']],
    ['direction=up', [400, 'invalid_body', 'direction']],
    ['status=lost', [400, 'invalid_body', 'status']],
    ['from=ann', [400, 'invalid_body', 'from']],
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
