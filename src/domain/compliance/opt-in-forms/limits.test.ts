import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHarness } from '../../../../test/support/harness.ts';
import { makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import type { Clock } from '../../../lib/time/clock.ts';
import { now } from '../../../lib/time/time.ts';

let nowMs = now();
const clock: Clock = { now: () => nowMs };

const { harness, tenantId } = await useTenant({
  startWorkers: false,
  clock,
  settings: { rateLimit: true, trustedProxies: 1 },
});

type Form = { id: string; slug: string };
const made = async (): Promise<Form> =>
  (await harness.call('POST', '/v1/opt_in_forms', { body: { tenant_id: tenantId, name: 'Limited' } })).body;
let people = 0;
const enter = (slug: string, from: string, path = 'json') =>
  harness.call('POST', `/opt-in/${slug}`, {
    key: null,
    ...(path === 'json'
      ? { body: { phone_number: `+1602555${1000 + people++}`, consent: 'yes' }, headers: { 'x-forwarded-for': from } }
      : {
          body: `phone_number=602555${1000 + people++}&consent=yes`,
          headers: {
            'x-forwarded-for': from,
            'content-type': 'application/x-www-form-urlencoded',
            accept: 'text/html,application/xhtml+xml',
          },
        }),
  });
const statuses = async (times: number, send: (index: number) => ReturnType<typeof enter>) => {
  const seen: number[] = [];
  for (let index = 0; index < times; index++) seen.push((await send(index)).status);
  return seen;
};
const addressesOf = async ({ id }: Form, on = harness) => {
  const { body } = await on.call('GET', `/v1/opt_in_forms/${id}/submissions`);
  return body.data.map((row: { ip_address: string }) => row.ip_address);
};

test('an address may send 20 submissions at a time and then one every 3 seconds, over all forms', async () => {
  const [one, other] = [await made(), await made()];
  const seen = await statuses(21, (index) => enter(index % 2 === 0 ? one.slug : other.slug, '203.0.113.7'));
  assert.deepEqual(seen, [...Array(20).fill(201), 429]);
  assert.equal((await enter(one.slug, '203.0.113.8')).status, 201);
  nowMs += 3_000;
  assert.deepEqual(await statuses(2, () => enter(one.slug, '203.0.113.7')), [201, 429]);
  const { status, headers, body } = await enter(one.slug, '203.0.113.7');
  assert.deepEqual([status, body.error.code, headers.get('retry-after')], [429, 'rate_limited', '3']);
});

test('a page shows a browser how long to wait', async () => {
  const form = await made();
  await statuses(20, () => enter(form.slug, '203.0.113.9'));
  const { status, headers, body } = await enter(form.slug, '203.0.113.9', 'form');
  assert.equal(status, 429);
  assert.equal(headers.get('retry-after'), '3');
  assert.match(body, /<h1>Too many tries<\/h1>\n<p data-code="rate_limited">Please wait 3 seconds/);
});

test('an IPv6 network is one visitor', async () => {
  const form = await made();
  const seen = await statuses(21, (index) => enter(form.slug, `2001:db8:7:7::${index.toString(16)}`));
  assert.deepEqual(seen, [...Array(20).fill(201), 429]);
  assert.equal((await enter(form.slug, '2001:db8:7:8::1')).status, 201);
});

test('a form accepts 200 submissions at a time from all addresses; other forms are not affected', async () => {
  const [busy, calm] = [await made(), await made()];
  const replies = await Promise.all(Array.from({ length: 201 }, (_, index) => enter(busy.slug, `198.51.100.${index}`)));
  assert.equal(replies.filter(({ status }) => status === 201).length, 200);
  assert.equal((await enter(calm.slug, '198.51.100.7')).status, 201);
  nowMs += 200;
  assert.equal((await enter(busy.slug, '198.51.100.250')).status, 201);
});

test('reading the page is not counted', async () => {
  const form = await made();
  for (let index = 0; index < 30; index++) {
    assert.equal((await harness.call('GET', `/opt-in/${form.slug}`, { key: null })).status, 200);
  }
});

test('the address is the one that the trusted proxy added, not one that the visitor sent', async () => {
  const form = await made();
  await enter(form.slug, '192.0.2.66, 203.0.113.77');
  await enter(form.slug, 'nonsense');
  await enter(form.slug, '::ffff:203.0.113.78');
  assert.deepEqual(await addressesOf(form), ['203.0.113.78', '127.0.0.1', '203.0.113.77']);
});

test('without a trusted proxy the forwarding header is ignored', async () => {
  const plain = await startHarness({ startWorkers: false });
  try {
    const tenant_id = await makeTenant(plain);
    const form = (await plain.call('POST', '/v1/opt_in_forms', { body: { tenant_id, name: 'Direct' } })).body;
    const body = { phone_number: '+16025550143', consent: 'yes' };
    const headers = { 'x-forwarded-for': '203.0.113.7', forwarded: 'for=203.0.113.7', 'x-real-ip': '203.0.113.7' };
    await plain.call('POST', `/opt-in/${form.slug}`, { key: null, body, headers });
    assert.deepEqual(await addressesOf(form, plain), ['127.0.0.1']);
  } finally {
    await plain.close();
  }
});

test('the opt-out page of a form shares the limits of its opt-in page', async () => {
  const { slug } = await made();
  const from = '203.0.113.99';
  const optOut = () =>
    harness.call('POST', `/opt-out/${slug}`, {
      key: null,
      body: { phone_number: `+1602555${1000 + people++}` },
      headers: { 'x-forwarded-for': from },
    });
  const seen = await statuses(21, (index) => (index % 2 === 0 ? enter(slug, from) : optOut()));
  assert.deepEqual(seen, [...Array(20).fill(201), 429]);
  assert.equal((await optOut()).status, 429);
});
