/** The public opt-out page of a form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { newPerson, outboxOf, read, refusal } from '../../../../test/support/messages.ts';
import { eventsOf, useLine } from '../../../../test/support/numbers.ts';
import { updateAccountStatus } from '../../accounts/index.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });

const HTML = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*;q=0.8' };
const made = async (key = harness.account.test_key, tenant_id = tenantId): Promise<Json> => {
  const body = { tenant_id, name: 'Text reminders', privacy_url: 'https://example.com/privacy' };
  const reply = await harness.call('POST', '/v1/opt_in_forms', { body, key });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const open = (slug: string) => harness.call('GET', `/opt-out/${slug}`, { key: null });
const post = (slug: string, body: unknown, headers: Record<string, string> = {}) =>
  harness.call('POST', `/opt-out/${slug}`, { key: null, body, headers });
/** Sends the form as a browser does. */
const fill = (slug: string, phone_number: string) => post(slug, new URLSearchParams({ phone_number }).toString(), HTML);
const optOutOf = async (person: string): Promise<Json> =>
  (await read(harness, `/opt_outs?external_number=${encodeURIComponent(person)}`)).data[0];

const form = await made();

test('the page opens at opt_out_url without a key, names the sender, and has a label for its one field', async () => {
  assert.equal(form.opt_out_url, form.url.replace('/opt-in/', '/opt-out/'));
  const { status, headers, body } = await open(form.slug);
  assert.equal(status, 200);
  assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
  const inputs = [...body.matchAll(/<input id="(\w+)"/g)].map(([, id]) => id);
  assert.deepEqual(inputs, ['phone_number']);
  for (const part of ['<html lang="en">', '<label for="phone_number">', 'https://example.com/privacy', 'test form']) {
    assert.ok(body.includes(part), part);
  }
  assert.doesNotMatch(body, /<script|\son\w+=/i);
  assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'.*frame-ancestors 'none'/);
});

test('a number that is entered is opted out of texts and calls, with one event and no text', async () => {
  const person = newPerson();
  const typed = `(${person.slice(2, 5)}) ${person.slice(5, 8)}-${person.slice(8)}`;
  const page = await fill(form.slug, typed);
  assert.equal(page.status, 200);
  assert.ok(page.body.includes('<h1>You are opted out</h1>') && page.body.includes(`<strong>${person}</strong>`));
  const { source, channels, tenant_id } = await optOutOf(person);
  assert.deepEqual([source, channels, tenant_id], ['form', ['text', 'call'], tenantId]);
  const reply = await post(form.slug, { phone_number: person });
  assert.deepEqual([reply.status, reply.body], [201, { object: 'opt_out_confirmation', phone_number: person }]);
  assert.deepEqual(
    (await eventsOf(harness, `${tenantId}:${person}`)).map(({ type }) => type),
    ['opt_out.created'],
  );
  const sent = await harness.call('POST', '/v1/messages', { body: { from: number.id, to: person, body: 'Hello' } });
  assert.deepEqual(refusal(sent).slice(0, 2), [422, 'recipient_opted_out']);
  await harness.advance(2);
  assert.deepEqual(await outboxOf(harness, person), []);
});

test("only the person's START ends an opt-out of the page", async () => {
  const person = newPerson();
  await fill(form.slug, person);
  const path = `/v1/opt_outs/${encodeURIComponent(person)}?tenant_id=${tenantId}`;
  assert.deepEqual(refusal(await harness.call('DELETE', path)).slice(0, 2), [409, 'opt_out_not_removable']);
});

test('no number and a wrong one are refused with the field, on the page and in JSON, and nothing is stored', async () => {
  const before = await read(harness, '/opt_outs?limit=100');
  for (const [typed, code] of [
    ['', 'missing_fields'],
    ['12', 'invalid_phone'],
    ['+1602555', 'invalid_phone'],
  ] as const) {
    const page = await fill(form.slug, typed);
    assert.equal(page.status, 400);
    assert.ok(page.body.includes('<title>Error: ') && page.body.includes(`data-code="${code}"`), typed);
    assert.ok(page.body.includes('You have not been opted out yet') && page.body.includes('href="#phone_number"'));
    assert.deepEqual(refusal(await post(form.slug, { phone_number: typed })), [400, code, 'phone_number']);
  }
  const more = { phone_number: newPerson(), consent: 'yes' };
  assert.deepEqual(refusal(await post(form.slug, more)), [400, 'invalid_body', 'consent']);
  assert.equal((await open('none')).status, 404);
  assert.deepEqual(refusal(await post('none', more)).slice(0, 2), [404, 'opt_in_form_not_found']);
  assert.deepEqual((await read(harness, '/opt_outs?limit=100')).data, before.data);
});

test('the page stays after the form is deleted and while the account is suspended; the opt-in page does not', async () => {
  const gone = await made();
  await harness.call('DELETE', `/v1/opt_in_forms/${gone.id}`);
  const account = await harness.secondAccount();
  const tenant = await harness.call('POST', '/v1/tenants', { key: account.test_key, body: { name: 'Elsewhere' } });
  const suspended = await made(account.test_key, tenant.body.id);
  await updateAccountStatus(harness.context.db, account.id, 'suspended');
  for (const { slug } of [gone, suspended]) {
    assert.equal((await harness.call('GET', `/opt-in/${slug}`, { key: null })).status, 404);
    assert.equal((await open(slug)).status, 200);
    assert.equal((await fill(slug, newPerson())).status, 200);
  }
});
