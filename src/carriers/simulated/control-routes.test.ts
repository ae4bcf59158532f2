import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockOffsetMs, type Json } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { newPerson, outboxOf, read, refusal, sendText, setFault } from '../../../test/support/messages.ts';
import { makeLine, makeTenant } from '../../../test/support/numbers.ts';

const harness = await useHarness({ startWorkers: false });

const clock = (advance_seconds: unknown, key = harness.account.test_key) =>
  harness.call('POST', '/v1/test/clock', { key, body: { advance_seconds } });
const ledgerNow = async () => Date.parse((await read(harness, '/test/clock')).now);

test('moving the clock returns its new time, and the clock keeps it', async () => {
  const before = await ledgerNow();
  const reply = await clock(3_600);
  assert.equal(reply.status, 200);
  const ahead = Date.parse(reply.body.now) - before;
  assert.ok(ahead >= 3_600_000 && (await clockOffsetMs(harness)) <= 3_600_000, `${ahead} ms`);
  const tenant = await harness.call('POST', '/v1/tenants', { body: { name: 'Later' } });
  assert.ok(tenant.body.created_at >= reply.body.now, 'created_at is ledger time');
});

test('when moving the clock returns, all work that fell due has run, in order', async () => {
  const { tenantId, number } = await makeLine(harness);
  const person = newPerson();
  await setFault(harness, { kind: 'delay', times: 1, delay_seconds: 7_200 });
  const slow = await sendText(harness, number.id, person);
  await harness.advance(0);
  const quick = await sendText(harness, number.id, '+15005550002');
  const reply = await clock(86_400);
  const feed = await read(harness, `/events?tenant_id=${tenantId}&limit=100`);
  const emitted = feed.data.reverse().filter(({ type }: Json) => !type.startsWith('number.'));
  assert.deepEqual(
    emitted.map(({ type }: Json) => type),
    ['message.delivered', 'message.received', 'opt_out.created', 'message.delivered', 'message.delivered'],
  );
  assert.deepEqual([emitted[0].resource_id, emitted[4].resource_id], [quick.id, slow.id]);
  const hours = emitted.map(
    ({ created_at }: Json) => (Date.parse(reply.body.now) - Date.parse(created_at)) / 3_600_000,
  );
  assert.ok(hours[0] > 23.9 && hours[4] > 21.9 && hours[4] < 22.1, JSON.stringify(hours));
});

test('concurrent moves of the clock run one after the other, and none is lost', async () => {
  const [before, offsetMs] = [await ledgerNow(), await clockOffsetMs(harness)];
  const replies = await Promise.all([600, 600, 600].map((seconds) => clock(seconds)));
  assert.ok(replies.every(({ status }) => status === 200));
  const ahead = (await ledgerNow()) - before;
  assert.ok(ahead >= 1_800_000, `${ahead} ms`);
  assert.ok((await clockOffsetMs(harness)) - offsetMs <= 1_800_000);
  assert.equal(new Set(replies.map(({ body }) => body.now)).size, 3);
});

test("moving a ledger's clock does not move another's", async () => {
  const stranger = { ...harness, account: await harness.secondAccount() };
  await harness.advance(7_200);
  assert.equal(await clockOffsetMs(stranger), 0);
});

test('a key outlives every jump of the clock, because keys expire by the wall clock', async () => {
  const key = await harness.tenantKey(await makeTenant(harness));
  await harness.advance(400 * 86_400);
  assert.equal((await harness.call('GET', '/v1/tenants', { key })).status, 200);
});

test('an invalid move of the clock is refused with its field', async () => {
  for (const seconds of [-1, 400 * 86_400 + 1, '60', null]) {
    const [status, , param] = refusal(await clock(seconds));
    assert.deepEqual([status, param], [400, 'advance_seconds'], String(seconds));
  }
  assert.deepEqual(refusal(await harness.call('POST', '/v1/test/clock', { body: {} })), [
    400,
    'missing_fields',
    'advance_seconds',
  ]);
});

test('the controls take only test keys of the whole account', async () => {
  const key = await harness.tenantKey(await makeTenant(harness));
  for (const [method, path, body] of [
    ['GET', '/v1/test/clock', undefined],
    ['POST', '/v1/test/clock', { advance_seconds: 1 }],
    ['GET', '/v1/test/faults', undefined],
    ['POST', '/v1/test/faults', { kind: 'drop' }],
    ['POST', '/v1/test/reset', undefined],
  ] as const) {
    const live = await harness.call(method, path, { key: harness.account.live_key, ...(body && { body }) });
    assert.deepEqual(refusal(live).slice(0, 2), [403, 'test_mode_only']);
    const tenant = await harness.call(method, path, { key, ...(body && { body }) });
    assert.deepEqual(refusal(tenant).slice(0, 2), [403, 'key_not_permitted']);
  }
});

test('setting a fault returns it, and an invalid fault is refused with its field', async () => {
  const set = (body: object) => harness.call('POST', '/v1/test/faults', { body });
  const reply = await set({ kind: 'delay', delay_seconds: 2.5 });
  assert.deepEqual(reply.body, { object: 'test_fault', kind: 'delay', times: null, delay_seconds: 2.5 });
  assert.deepEqual((await set({ kind: 'delay', times: 0 })).body.times, 0);
  for (const [body, expected] of [
    [{}, [400, 'missing_fields', 'kind']],
    [{ kind: 'explode' }, [400, 'invalid_body', 'kind']],
    [{ kind: 'drop', times: -1 }, [400, 'invalid_body', 'times']],
    [{ kind: 'drop', times: 1.5 }, [400, 'invalid_body', 'times']],
    [{ kind: 'delay', delay_seconds: -1 }, [400, 'invalid_body', 'delay_seconds']],
    [{ kind: 'drop', delay_seconds: 5 }, [400, 'invalid_body', 'delay_seconds']],
    [{ kind: 'drop', count: 5 }, [400, 'invalid_body', 'count']],
  ] as const) {
    assert.deepEqual(refusal(await set(body)), expected, JSON.stringify(body));
  }
});

test('the list of faults has those in force, with the uses that are left', async () => {
  const { test_key: key } = await harness.secondAccount();
  const call = async (method: string, path: string, body?: object) => {
    const reply = await harness.call(method, `/v1${path}`, { key, ...(body && { body }) });
    assert.ok(reply.status < 300, JSON.stringify(reply.body));
    return reply.body;
  };
  const inForce = async () => (await call('GET', '/test/faults')).data;
  assert.deepEqual(await inForce(), []);
  const delay = await call('POST', '/test/faults', { kind: 'delay' });
  assert.equal(delay.delay_seconds, 5, 'the default delay');
  await call('POST', '/test/faults', { kind: 'drop', times: 0 });
  const duplicate = await call('POST', '/test/faults', { kind: 'duplicate', times: 2 });
  assert.deepEqual(await inForce(), [delay, duplicate]);
  assert.deepEqual(duplicate, { object: 'test_fault', kind: 'duplicate', times: 2, delay_seconds: null });
  const tenant = await call('POST', '/tenants', { name: 'Tenant' });
  const [offer] = (await call('GET', '/phone_numbers/available?area_code=303&limit=1')).data;
  const number = await call('POST', '/phone_numbers', { tenant_id: tenant.id, phone_number: offer.phone_number });
  await call('POST', '/messages', { from: number.id, to: newPerson(), body: 'Hi' });
  await harness.advance(10, key);
  assert.deepEqual(await inForce(), [delay, { ...duplicate, times: 1 }]);
  await call('POST', '/test/faults', { kind: 'delay', times: 0 });
  await call('POST', '/test/faults', { kind: 'duplicate', times: 0 });
  assert.deepEqual(await inForce(), []);
});

test('the outbox shows the texts that reached handsets, newest first; to a tenant key only its own', async () => {
  const [mine, other] = [await makeLine(harness), await makeLine(harness)];
  const to = newPerson();
  const first = await sendText(harness, mine.number.id, to, 'one');
  await sendText(harness, other.number.id, to, 'two');
  assert.deepEqual(await outboxOf(harness, to), [], 'nothing before the carrier has it');
  await harness.advance(0);
  const [newest, oldest] = await outboxOf(harness, to);
  assert.equal(newest.body, 'two');
  const { at, ...text } = oldest;
  assert.ok(at >= first.created_at && Date.parse(at) <= (await ledgerNow()), at);
  const { phone_number: from } = mine.number;
  assert.deepEqual(text, { message_id: first.id, from, to, body: 'one', media_urls: [] });
  const key = await harness.tenantKey(mine.tenantId);
  const own = await read(harness, `/test/outbox?to=${encodeURIComponent(to)}`, key);
  assert.deepEqual(
    own.data.map(({ body }: Json) => body),
    ['one'],
  );
});
