import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, read, refusal, sendText, trySend } from '../../../../test/support/messages.ts';
import { buyNumber, makeLine } from '../../../../test/support/numbers.ts';
import { writeCursor } from '../../../http/schemas/pagination.ts';

const harness = await useHarness({ startWorkers: false });

const peopleOf = (page: Json): string[] => page.data.map((each: Json) => each.external_number);

test('a number and a person have one conversation, which shows its latest text', async () => {
  const { tenantId, number } = await makeLine(harness);
  const person = newPerson();
  const { conversation_id: id } = await sendText(harness, number.id, person, 'First');
  const { last_activity_at: firstAt } = await read(harness, `/conversations/${id}`);
  const reply = await arrive(harness, person, number.phone_number, '  Second\n\nline ');
  const { last_activity_at, ...thread } = await read(harness, `/conversations/${id}`);
  const { now } = await read(harness, '/test/clock');
  assert.ok(last_activity_at > firstAt && last_activity_at <= now && reply.created_at >= firstAt);
  assert.deepEqual(thread, {
    id,
    object: 'conversation',
    tenant_id: tenantId,
    phone_number_id: number.id,
    external_number: person,
    last_message_preview: 'Second line',
    last_activity_kind: 'message',
    opted_out: false,
    state: 'open',
    assignee: null,
    snoozed_until: null,
    tags: [],
    contact_id: null,
  });
});

test('conversations are ordered by their last activity', async () => {
  const { tenantId, number } = await makeLine(harness);
  const [a, b, c] = [newPerson(), newPerson(), newPerson()] as [string, string, string];
  for (const person of [a, b, c]) await sendText(harness, number.id, person);
  const list = () => read(harness, `/conversations?tenant_id=${tenantId}`);
  assert.deepEqual(peopleOf(await list()), [c, b, a]);
  await arrive(harness, a, number.phone_number, 'Hi');
  assert.deepEqual(peopleOf(await list()), [a, c, b]);
  await sendText(harness, number.id, b);
  assert.deepEqual(peopleOf(await list()), [b, a, c]);
});

test('reading the pages returns every inactive conversation once while others are active', async () => {
  const { tenantId, number } = await makeLine(harness);
  const people = Array.from({ length: 9 }, newPerson);
  for (const person of people) await sendText(harness, number.id, person);
  const [busy, ...resting] = people as [string, ...string[]];
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await read(harness, `/conversations?tenant_id=${tenantId}&limit=2${cursor}`);
    seen.push(...peopleOf(page));
    await sendText(harness, number.id, busy);
    await sendText(harness, number.id, newPerson());
    cursor = page.has_more ? `&after=${page.next_cursor}` : '';
  } while (cursor !== '');
  assert.deepEqual(seen, resting.reverse());
});

test('the list is filtered by tenant and by number', async () => {
  const { tenantId, number } = await makeLine(harness);
  const second = await buyNumber(harness, tenantId);
  const [a, b] = [newPerson(), newPerson()] as [string, string];
  await sendText(harness, number.id, a);
  await sendText(harness, second.id, b);
  const of = async (query: string, key?: string) => peopleOf(await read(harness, `/conversations?${query}`, key));
  assert.deepEqual(await of(`phone_number_id=${number.id}`), [a]);
  assert.deepEqual(await of(`tenant_id=${tenantId}&phone_number_id=${second.id}`), [b]);
  const other = await makeLine(harness);
  assert.deepEqual(await of(`tenant_id=${other.tenantId}`), []);
  assert.deepEqual(await of('', await harness.tenantKey(tenantId)), [b, a]);
  const key = await harness.tenantKey(other.tenantId);
  for (const [query, expected] of [
    [`tenant_id=${tenantId}`, [403, 'tenant_restricted_key', 'tenant_id']],
    [`phone_number_id=${number.id}`, [403, 'tenant_restricted_key', 'phone_number_id']],
    ['phone_number_id=num_x', [404, 'phone_number_not_found', 'phone_number_id']],
  ] as const) {
    assert.deepEqual(refusal(await harness.call('GET', `/v1/conversations?${query}`, { key })), expected);
  }
});

test('the list is filtered by person and by opt-out, alone and together', async () => {
  const { tenantId, number } = await makeLine(harness);
  const second = await makeLine(harness);
  const [ann, bob] = [newPerson(), newPerson()] as [string, string];
  const first = await sendText(harness, number.id, ann);
  await sendText(harness, number.id, bob);
  const elsewhere = await sendText(harness, second.number.id, ann);
  await arrive(harness, ann, number.phone_number, 'STOP');
  const of = async (query: object) => {
    const { data } = await read(harness, `/conversations?${new URLSearchParams({ ...query })}`);
    return data.map((each: Json) => `${each.id} ${each.opted_out}`);
  };
  const [out, free] = [`${first.conversation_id} true`, `${elsewhere.conversation_id} false`];
  assert.deepEqual(await of({ external_number: ann }), [out, free]);
  assert.deepEqual(await of({ external_number: ann, opted_out: true }), [out]);
  assert.deepEqual(await of({ external_number: ann, opted_out: false }), [free]);
  assert.deepEqual(await of({ external_number: ann, tenant_id: second.tenantId }), [free]);
  assert.deepEqual(await of({ external_number: ann, phone_number_id: number.id }), [out]);
  assert.deepEqual(await of({ opted_out: true, tenant_id: tenantId }), [out]);
  assert.deepEqual(await of({ opted_out: true, phone_number_id: number.id }), [out]);
  assert.deepEqual(await of({ opted_out: true, tenant_id: second.tenantId }), []);
  assert.deepEqual(await of({ opted_out: false, phone_number_id: second.number.id }), [free]);
  assert.deepEqual(await of({ tenant_id: tenantId, phone_number_id: second.number.id }), []);
  assert.ok((await of({ opted_out: true })).includes(out));
  await arrive(harness, ann, number.phone_number, 'START');
  assert.deepEqual(await of({ opted_out: true, tenant_id: tenantId }), []);
  await harness.call('POST', '/v1/opt_outs', { body: { tenant_id: tenantId, external_number: ann } });
  assert.deepEqual(await of({ opted_out: true, tenant_id: tenantId }), [out]);
  const path = `/v1/opt_outs/${encodeURIComponent(ann)}?tenant_id=${tenantId}`;
  assert.equal((await harness.call('DELETE', path)).status, 204);
  assert.deepEqual(await of({ opted_out: true, tenant_id: tenantId }), []);
});

test('a conversation that begins after the opt-out is listed as opted out', async () => {
  const { tenantId, number } = await makeLine(harness);
  const person = newPerson();
  await harness.call('POST', '/v1/opt_outs', { body: { tenant_id: tenantId, external_number: person } });
  await arrive(harness, person, number.phone_number, 'Who is this?');
  const { data } = await read(harness, `/conversations?tenant_id=${tenantId}&opted_out=true`);
  assert.deepEqual(
    data.map((each: Json) => each.external_number),
    [person],
  );
});

test('a preview is one short line of the text', async () => {
  const { number } = await makeLine(harness);
  const previewOf = async (body: object) => {
    const sent = await trySend(harness, { from: number.id, to: newPerson(), ...body });
    return (await read(harness, `/conversations/${sent.body.conversation_id}`)).last_message_preview;
  };
  assert.equal(await previewOf({ body: 'x'.repeat(500) }), `${'x'.repeat(119)}…`);
  assert.equal(await previewOf({ media_urls: ['https://example.com/a.png'] }), '[media]');
});

test('activity written after a later one does not change time and preview', async () => {
  const { number } = await makeLine(harness);
  const person = newPerson();
  const { conversation_id: id } = await sendText(harness, number.id, person);
  await sql(
    harness.context.db,
    `update conversations set last_activity_at = last_activity_at + interval '1 hour', last_message_preview = 'later'
     where id = $1`,
    [id],
  );
  const before = await read(harness, `/conversations/${id}`);
  await sendText(harness, number.id, person, 'earlier');
  await arrive(harness, person, number.phone_number, 'earlier');
  assert.deepEqual(await read(harness, `/conversations/${id}`), before);
});

test("opted_out follows the person's opt-out from every source", async () => {
  const { tenantId, number } = await makeLine(harness);
  const person = newPerson();
  const { conversation_id: id } = await sendText(harness, number.id, person);
  const flag = async () => (await read(harness, `/conversations/${id}`)).opted_out;
  await harness.call('POST', '/v1/opt_outs', { body: { tenant_id: tenantId, external_number: person } });
  assert.equal(await flag(), true);
  await arrive(harness, person, number.phone_number, 'START');
  assert.equal(await flag(), false);
});

test('a timeline is read back page by page while texts arrive', async () => {
  const { number } = await makeLine(harness);
  const person = newPerson();
  const sent: Json[] = [];
  for (let n = 0; n < 5; n++) sent.unshift(await sendText(harness, number.id, person, `${n}`));
  await sendText(harness, number.id, newPerson(), 'another thread');
  const id = sent[0].conversation_id;
  const seen: string[] = [];
  let cursor = '';
  do {
    const page = await read(harness, `/conversations/${id}/timeline?limit=2${cursor}`);
    seen.push(...page.data.map((each: Json) => each.body));
    await arrive(harness, person, number.phone_number, 'later');
    cursor = page.has_more ? `&after=${page.next_cursor}` : '';
  } while (cursor !== '');
  assert.deepEqual(seen, ['4', '3', '2', '1', '0']);
});

test('a cursor of another list, or a changed one, is refused', async () => {
  const { number } = await makeLine(harness);
  const { conversation_id: id } = await sendText(harness, number.id, newPerson());
  await sendText(harness, number.id, newPerson());
  const { next_cursor } = await read(harness, '/messages?limit=1');
  const other = await sendText(harness, number.id, newPerson());
  await arrive(harness, other.to, number.phone_number, 'Hi');
  const timeline = await read(harness, `/conversations/${other.conversation_id}/timeline?limit=1`);
  const forged = writeCursor(['conversations', 'now', 'x']);
  for (const path of [
    `/conversations?after=${next_cursor}`,
    `/conversations?after=${forged}`,
    `/conversations/${id}/timeline?after=${next_cursor}`,
    `/conversations/${id}/timeline?after=${timeline.next_cursor}`,
  ]) {
    assert.deepEqual(refusal(await harness.call('GET', `/v1${path}`)), [400, 'invalid_cursor', 'after']);
  }
});

test("another account's conversation is not found; another tenant's is refused for a tenant's key", async () => {
  const { number } = await makeLine(harness);
  const { conversation_id: id } = await sendText(harness, number.id, newPerson());
  const stranger = (await harness.secondAccount()).test_key;
  const other = await harness.tenantKey((await makeLine(harness)).tenantId);
  for (const path of [
    `/v1/conversations/${id}`,
    `/v1/conversations/${id}/timeline`,
    `/v1/messages?conversation_id=${id}`,
  ]) {
    assert.equal((await harness.call('GET', path, { key: stranger })).body.error.code, 'conversation_not_found');
    assert.equal((await harness.call('GET', path, { key: other })).body.error.code, 'tenant_restricted_key');
  }
});
