import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { arrive, newPerson, read, refusal, sendText, setFault, trySend } from '../../../../test/support/messages.ts';
import { type Line, makeLine, makeTenant } from '../../../../test/support/numbers.ts';

const harness = await useHarness();

/** An early start, so that moving the clock past the end of a month does not change the range. */
const EVER = 'start=2020-01-01';

async function usage(query: string, key?: string): Promise<Record<string, number>> {
  const summary = await read(harness, `/usage?${query}`, key);
  return Object.fromEntries(summary.data.map(({ kind, quantity }: Json) => [kind, quantity]));
}

const used = async (tenantId: string) => {
  const { number_month: _, ...texts } = await usage(`${EVER}&tenant_id=${tenantId}`);
  return texts;
};

test('a summary states its range: by default the month so far', async () => {
  const ledgerNow = async () => (await read(harness, '/test/clock')).now;
  const before = await ledgerNow();
  const summary = await read(harness, '/usage');
  const { object, mode, start, end, data } = summary;
  assert.deepEqual([object, mode, Array.isArray(data)], ['usage_summary', 'test', true]);
  assert.ok(end >= before && end <= (await ledgerNow()), end);
  assert.equal(start, `${end.slice(0, 8)}01T00:00:00.000Z`);
});

test('a text counts its segments once the carrier has accepted it, and a picture message counts as one', async () => {
  const { tenantId, number } = await makeLine(harness);
  await sendText(harness, number.id, newPerson(), ']'.repeat(153));
  const mms = { from: number.id, to: newPerson(), media_urls: ['https://example.com/a.png'] };
  assert.equal((await trySend(harness, mms)).status, 201);
  await harness.advance(0);
  assert.deepEqual(await used(tenantId), { sms_segment_outbound: 3, mms_outbound: 1 });
});

test('a text that the carrier refuses is not counted, and one that fails later is', async () => {
  const { tenantId, number } = await makeLine(harness);
  await sendText(harness, number.id, '+15005550009');
  await sendText(harness, number.id, '+15005550001');
  await harness.advance(60);
  assert.deepEqual(await used(tenantId), { sms_segment_outbound: 1 });
});

test('a text whose acceptance was lost is counted once the acceptance is known', async () => {
  const { tenantId, number } = await makeLine(harness);
  await setFault(harness, { kind: 'send_unknown', times: 1 });
  await sendText(harness, number.id, newPerson());
  await harness.advance(120);
  assert.deepEqual(await used(tenantId), { sms_segment_outbound: 1 });
});

test('a text that arrives is counted, and so is the automatic confirmation', async () => {
  const { tenantId, number } = await makeLine(harness);
  await arrive(harness, newPerson(), number.phone_number, 'x'.repeat(161));
  await arrive(harness, newPerson(), number.phone_number, 'STOP');
  await harness.advance(0);
  const texts = await used(tenantId);
  assert.equal(texts['sms_segment_inbound'], 3);
  assert.ok((texts['sms_segment_outbound'] ?? 0) >= 1, 'the confirmation');
});

test('a number counts a month when it is bought and after each further month, until it is released', async () => {
  const { tenantId, number } = await makeLine(harness);
  const all = `${EVER}&tenant_id=${tenantId}`;
  const { number_month: first } = await usage(all);
  assert.equal(first, 1);
  const now = Date.parse((await read(harness, '/test/clock')).now);
  const month = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO('UTC').add({ months: 1 });
  const secondsToIt = Math.ceil((month.epochMilliseconds - now) / 1_000);
  await harness.advance(secondsToIt - 60);
  assert.equal((await usage(all))['number_month'], 1);
  await harness.advance(120);
  assert.equal((await usage(all))['number_month'], 2);
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${number.id}`)).status, 200);
  await harness.advance(70 * 86_400);
  assert.equal((await usage(all))['number_month'], 2);
});

test('a summary of a range counts the usage in it by ledger time', async () => {
  const { tenantId, number } = await makeLine(harness);
  const before = (await read(harness, '/test/clock')).now;
  await harness.advance(3_600);
  await sendText(harness, number.id, newPerson());
  await harness.advance(3_600);
  const middle = (await read(harness, '/test/clock')).now;
  await sendText(harness, number.id, newPerson());
  await harness.advance(3_600);
  const of = (query: string) => usage(`tenant_id=${tenantId}&${query}`);
  assert.deepEqual(await of(`start=${before}&end=${middle}`), { sms_segment_outbound: 1 });
  assert.deepEqual(await of(`start=${middle}`), { sms_segment_outbound: 1 });
  // The plus sign is not encoded.
  assert.deepEqual(await of(`start=${middle.replace('Z', '+00:00')}`), { sms_segment_outbound: 1 });
  assert.deepEqual(await of('start=2020-01-01&end=2020-02-01'), {});
});

test("a tenant key sees its tenant's usage only", async () => {
  const { tenantId, number } = await makeLine(harness);
  await sendText(harness, number.id, newPerson());
  await harness.advance(0);
  const other = await makeTenant(harness);
  const key = await harness.tenantKey(tenantId);
  const mine = { sms_segment_outbound: 1, number_month: 1 };
  assert.deepEqual(await usage(EVER, key), mine);
  assert.deepEqual(await usage(`${EVER}&tenant_id=${tenantId}`, key), mine);
  const reply = await harness.call('GET', `/v1/usage?tenant_id=${other}`, { key });
  assert.deepEqual(refusal(reply), [403, 'tenant_restricted_key', 'tenant_id']);
});

test('an invalid range is refused', async () => {
  for (const [query, code, param] of [
    ['start=noon', 'invalid_start', 'start'],
    ['end=2026-02-30', 'invalid_end', 'end'],
    ['start=2026-02-01&end=2026-02-01', 'invalid_range', 'start'],
    ['start=2099-01-01', 'invalid_range', 'start'],
    ['kind=x', 'invalid_body', 'kind'],
  ] as const) {
    assert.deepEqual(refusal(await harness.call('GET', `/v1/usage?${query}`)), [400, code, param]);
  }
});

test('grouped by tenant, the summary has the usage of each tenant, deleted ones too, in pages', async () => {
  const { test_key: key } = await harness.secondAccount();
  const lines = [];
  for (let n = 0; n < 3; n++) lines.push(await makeLine(harness, key));
  const [one, two, three] = lines as [Line, Line, Line];
  const to = newPerson();
  await harness.call('POST', '/v1/messages', { key, body: { from: two.number.id, to, body: 'x'.repeat(161) } });
  await harness.advance(60, key);
  await harness.call('DELETE', `/v1/tenants/${one.tenantId}`, { key });
  const idle = await makeTenant(harness, key);

  const grouped = `/usage?${EVER}&group_by=tenant`;
  const month = (tenant_id: string) => ({ tenant_id, kind: 'number_month', quantity: 1 });
  const rows = [
    month(three.tenantId),
    { tenant_id: two.tenantId, kind: 'sms_segment_outbound', quantity: 2 },
    month(two.tenantId),
    month(one.tenantId),
  ];
  const whole = await read(harness, grouped, key);
  assert.deepEqual([whole.data, whole.has_more, whole.next_cursor], [rows, false, null]);

  const first = await read(harness, `${grouped}&limit=2`, key);
  assert.deepEqual([first.data, first.has_more], [rows.slice(0, 1), true], 'a tenant without usage counts as well');
  const second = await read(harness, `${grouped}&limit=2&after=${first.next_cursor}`, key);
  assert.deepEqual([second.data, second.has_more], [rows.slice(1), false]);

  const ofTwo = await read(harness, `${grouped}&tenant_id=${two.tenantId}`, key);
  assert.deepEqual([ofTwo.data, ofTwo.has_more], [rows.slice(1, 3), false]);
  assert.deepEqual((await read(harness, `${grouped}&tenant_id=${idle}`, key)).data, []);
});

test("grouped by tenant or by day, a tenant's key gets its own tenant only", async () => {
  const [own] = [await makeLine(harness), await makeLine(harness)];
  const key = await harness.tenantKey(own.tenantId);
  const { data } = await read(harness, `/usage?${EVER}&group_by=tenant`, key);
  assert.deepEqual(data, [{ tenant_id: own.tenantId, kind: 'number_month', quantity: 1 }]);
  const now = Date.parse((await read(harness, '/test/clock')).now);
  const start = new Date(now - 86_400_000).toISOString();
  const byDay = await read(harness, `/usage?start=${start}&group_by=day`, key);
  assert.deepEqual(
    byDay.data.map(({ kind, quantity }: Json) => [kind, quantity]),
    [['number_month', 1]],
  );
});

test('grouped by day, the summary has the usage of each day in order, for the account or one tenant', async () => {
  const { test_key: key } = await harness.secondAccount();
  const line = await makeLine(harness, key);
  const other = await makeLine(harness, key);
  const send = (from: string, body: string) =>
    harness.call('POST', '/v1/messages', { key, body: { from, to: newPerson(), body } });
  const day = async () => (await read(harness, '/test/clock', key)).now.slice(0, 10);
  // The test clock is set to the noon of a day, so that no test runs over midnight.
  const now = Date.parse((await read(harness, '/test/clock', key)).now);
  await harness.advance(Math.ceil((Math.ceil(now / 86_400_000 + 0.5) * 86_400_000 - now) / 1000) - 43_200, key);
  const first = await day();
  await send(line.number.id, 'x'.repeat(161));
  await send(other.number.id, 'x');
  await harness.advance(2 * 86_400, key);
  const third = await day();
  await send(line.number.id, 'x');
  await harness.advance(60, key);

  const texts = async (query: string) => {
    const summary = await read(harness, `/usage?start=${first}&group_by=day${query}`, key);
    assert.deepEqual([summary.has_more, summary.next_cursor], [undefined, undefined]);
    return summary.data.filter(({ kind }: Json) => kind === 'sms_segment_outbound');
  };
  const segments = (of: string, quantity: number) => ({ day: of, kind: 'sms_segment_outbound', quantity });
  assert.deepEqual(await texts(''), [segments(first, 3), segments(third, 1)]);
  assert.deepEqual(await texts(`&tenant_id=${line.tenantId}`), [segments(first, 2), segments(third, 1)]);
  assert.deepEqual(await texts(`&tenant_id=${other.tenantId}`), [segments(first, 1)]);
  assert.deepEqual(await texts(`&end=${third}`), [segments(first, 3)]);
});

test('a summary by day has at most 731 days', async () => {
  const range = (start: string, end: string) => harness.call('GET', `/v1/usage?start=${start}&end=${end}&group_by=day`);
  assert.equal((await range('2024-01-01', '2026-01-01')).status, 200);
  assert.deepEqual(refusal(await range('2024-01-01', '2026-01-01T00:00:01Z')), [400, 'invalid_range', 'start']);
  assert.deepEqual(refusal(await range('2023-12-31T23:59:59Z', '2026-01-01')), [400, 'invalid_range', 'start']);
  const open = await harness.call('GET', '/v1/usage?start=2020-01-01&group_by=day');
  assert.deepEqual(refusal(open), [400, 'invalid_range', 'start']);
});

test('a page of a summary without groups is refused', async () => {
  for (const [query, param] of [
    ['limit=5', 'limit'],
    ['group_by=day&limit=5', 'limit'],
    ['group_by=kind', 'group_by'],
    ['group_by=tenant&after=x', 'after'],
  ]) {
    const reply = await harness.call('GET', `/v1/usage?${query}`);
    assert.deepEqual([reply.status, reply.body.error.param], [400, param]);
  }
});

test('the price list has each kind with its unit and price, fees included', async () => {
  const { data } = await read(harness, '/prices');
  const found = new Map(data.map(({ kind, ...price }: Json) => [kind, price]));
  assert.equal(data.length, 13);
  assert.deepEqual(found.get('sms_segment_outbound'), { unit: 'segment', amount_usd: '0.0079' });
  assert.deepEqual(found.get('number_month'), { unit: 'month', amount_usd: '1.00' });
  assert.deepEqual(found.get('campaign_setup'), { unit: 'registration', amount_usd: '50.00' });
});
