/**
 * A tenant from the last day of January to the first of April, on the test ledger, through the API only: it registers,
 * sends texts, ports numbers and releases one. The test checks its usage and every event at a webhook receiver.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { advanceTo, usageOf, yearOfNextJanuary } from '../support/calendar.ts';
import { BRAND, CAMPAIGN, setReviews } from '../support/compliance.ts';
import { type Json, register } from '../support/events.ts';
import { type Harness, startHarness } from '../support/harness.ts';
import { arrive, newPerson, outboxOf, read, refusal, sendText, trySend } from '../support/messages.ts';
import { findOnSale } from '../support/numbers.ts';
import { numberElsewhere, PORT_DETAILS } from '../support/port-ins.ts';
import { assertSigned, type Receiver, startReceiver } from '../support/receiver.ts';
import { countTypes, statusesIn, webhookHistory } from '../support/webhook-history.ts';

let harness: Harness;
let receiver: Receiver;
let year: number;
before(async () => {
  receiver = await startReceiver();
  harness = await startHarness();
});
after(async () => {
  await harness.close();
  await receiver.close();
});

/** Returns a moment of that year in UTC. Months count from 1; day 0 is the last day of the month before. */
const at = (month: number, day: number, hour = 0, minute = 0) => new Date(Date.UTC(year, month - 1, day, hour, minute));
const dayOf = (moment: Date) => moment.toISOString().slice(0, 10);

async function must(method: string, path: string, body?: object): Promise<Json> {
  const reply = await harness.call(method, `/v1${path}`, body === undefined ? {} : { body });
  assert.ok(reply.status < 300, `${method} ${path}: ${JSON.stringify(reply.body)}`);
  return reply.body;
}

type Registered = { tenantId: string; brandId: string; campaignId: string; numberId: string; e164: string };

/** Asserts that texts of the campaign are accepted, or refused because it is not approved. */
async function assertSends(registered: Registered, expected: 'accepted' | 'campaign_not_approved'): Promise<void> {
  const body = { from: registered.numberId, to: newPerson(), body: 'Hello' };
  const check = await must('POST', '/messages/check', body);
  assert.equal(check.accepted ? 'accepted' : check.error.code, expected);
  if (expected !== 'accepted') assert.deepEqual(refusal(await trySend(harness, body)), [422, expected, 'from']);
  const { messaging_ready } = await read(harness, `/phone_numbers/${registered.numberId}`);
  assert.equal(messaging_ready, expected === 'accepted');
}

/**
 * Registers a tenant with its brand, its campaign and a number that may send texts. The reviews are made by hand;
 * nothing is sent before them.
 */
async function getRegistered(): Promise<Registered> {
  await setReviews(harness, 'manual');
  const { id: tenantId } = await must('POST', '/tenants', { name: 'Desert Dental' });
  const brand = await must('POST', '/brands', { ...BRAND, entity_type: 'sole_proprietor' });
  assert.deepEqual([brand.status, brand.tenant_id, brand.ein], ['pending_vetting', null, '**-***6789']);
  const wanted = { ...CAMPAIGN, tenant_id: tenantId, brand_id: brand.id };
  const early = await harness.call('POST', '/v1/campaigns', { body: wanted });
  assert.deepEqual(refusal(early), [422, 'brand_not_vetted', 'brand_id']);
  const vetted = await must('POST', `/test/brands/${brand.id}/review`, { result: 'approved' });
  assert.equal(vetted.status, 'vetted');

  const campaign = await must('POST', '/campaigns', wanted);
  assert.deepEqual([campaign.status, campaign.throughput], ['pending_review', null]);
  const phone_number = await findOnSale(harness);
  const number = await must('POST', '/phone_numbers', { tenant_id: tenantId, phone_number });
  await must('PATCH', `/phone_numbers/${number.id}`, { campaign_id: campaign.id });
  const registered = { tenantId, brandId: brand.id, campaignId: campaign.id, numberId: number.id, e164: phone_number };
  await assertSends(registered, 'campaign_not_approved');
  const approved = await must('POST', `/test/campaigns/${campaign.id}/review`, { result: 'approved' });
  assert.deepEqual(approved.throughput, { messages_per_minute: 15, daily_cap: 1_000 });
  await assertSends(registered, 'accepted');
  await setReviews(harness, 'auto');
  return registered;
}

async function getAddress({ tenantId, numberId }: Registered): Promise<void> {
  const { street, city, state, postal_code } = BRAND;
  const body = { tenant_id: tenantId, street, city, state, postal_code };
  const refused = await harness.call('POST', '/v1/e911_addresses', { body: { ...body, postal_code: '00000' } });
  assert.deepEqual(refusal(refused), [422, 'e911_address_invalid', 'postal_code']);
  const address = await must('POST', '/e911_addresses', body);
  assert.equal(address.status, 'validated');
  assert.equal((await read(harness, `/phone_numbers/${numberId}`)).e911_address_id, address.id);
  const inUse = await harness.call('DELETE', `/v1/e911_addresses/${address.id}`);
  assert.deepEqual(refusal(inUse).slice(0, 2), [409, 'e911_address_in_use']);
}

type Form = { id: string; slug: string; consent_text: string };

const fillIn = ({ slug }: Form, fields: Record<string, string>) =>
  harness.call('POST', `/opt-in/${slug}`, {
    key: null,
    body: new URLSearchParams(fields).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  });

/** Opens the form and submits it three times: first without the box ticked, then twice with it. */
async function collectConsent({ tenantId, campaignId }: Registered, person: string): Promise<Form> {
  const form: Form = await must('POST', '/opt_in_forms', {
    tenant_id: tenantId,
    campaign_id: campaignId,
    name: 'Appointment reminders',
  });
  const page = await harness.call('GET', `/opt-in/${form.slug}`, { key: null });
  assert.equal(page.status, 200);
  assert.ok(page.body.includes('Appointment reminders') && !/<input[^>]*\schecked/.test(page.body));
  assert.equal((await fillIn(form, { phone_number: person })).status, 422);
  for (const _ of ['once', 'twice']) {
    assert.equal((await fillIn(form, { phone_number: person, consent: 'yes' })).status, 200);
  }
  const { data } = await read(harness, `/opt_in_forms/${form.id}/submissions`);
  assert.equal(data.length, 1);
  const [{ phone_number, consent_text, ip_address, times_submitted, created_at }] = data;
  assert.deepEqual([phone_number, consent_text, times_submitted], [person, form.consent_text, 2]);
  assert.ok(ip_address !== '' && created_at.startsWith(dayOf(at(1, 31))), JSON.stringify(data));
  return form;
}

/** Bodies of eleven and of ten segments. */
const LONG = 'x'.repeat(1600);
const SHORTER = 'x'.repeat(1530);

/** Sends each text to a new person. Returns the messages' ids. */
async function sendMany({ numberId }: Registered, bodies: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (let sent = 0; sent < bodies.length; sent += 25) {
    const some = bodies.slice(sent, sent + 25).map((body) => sendText(harness, numberId, newPerson(), body));
    ids.push(...(await Promise.all(some)).map(({ id }) => id));
  }
  return ids;
}

async function endsOf(ids: readonly string[]): Promise<Record<string, number>> {
  const messages = await Promise.all(ids.map((id) => read(harness, `/messages/${id}`)));
  const groups = Map.groupBy(messages, ({ status, error_code }) => error_code ?? status);
  return Object.fromEntries([...groups].map(([end, { length }]) => [end, length]));
}

/**
 * Sends a thousand segments, the daily cap, at fifteen messages a minute; then none until the next day in California.
 */
async function sendToTheCap(registered: Registered): Promise<void> {
  const bodies = [...Array<string>(90).fill(LONG), SHORTER];
  const ids = await sendMany(registered, bodies);
  await harness.advance(30);
  assert.deepEqual(await endsOf(ids), { delivered: 15, queued: 76 });
  await harness.advance(7 * 60);
  assert.deepEqual(await endsOf(ids), { delivered: 91 });

  const tooMany = await sendMany(registered, ['One more']);
  await harness.advance(5);
  assert.deepEqual(await endsOf(tooMany), { daily_cap_exceeded: 1 });
  await advanceTo(harness, at(2, 1, 7, 59));
  const stillThatDay = await sendMany(registered, ['A minute before midnight in California']);
  await harness.advance(5);
  assert.deepEqual(await endsOf(stillThatDay), { daily_cap_exceeded: 1 });
  await advanceTo(harness, at(2, 1, 8, 0));
  const nextDay = await sendMany(registered, ['Good morning']);
  await harness.advance(5);
  assert.deepEqual(await endsOf(nextDay), { delivered: 1 });
}

/**
 * STOP blocks sends until START, and a form submission does not change that. Returns the segments of both
 * confirmations.
 */
async function stopAndStart({ numberId, e164 }: Registered, form: Form, person: string): Promise<number> {
  const send = () => trySend(harness, { from: numberId, to: person, body: 'Hello' });
  await arrive(harness, person, e164, 'STOP');
  assert.deepEqual(refusal(await send()), [422, 'recipient_opted_out', 'to']);
  assert.equal((await fillIn(form, { phone_number: person, consent: 'yes' })).status, 200);
  assert.deepEqual(refusal(await send()), [422, 'recipient_opted_out', 'to'], 'a form does not lift a STOP');
  await arrive(harness, person, e164, 'START');
  await harness.advance(5);
  const confirmations = await outboxOf(harness, person);
  assert.equal(confirmations.length, 2);
  assert.equal((await send()).status, 201);
  await harness.advance(5);
  const texts = await Promise.all(confirmations.map(({ message_id }) => read(harness, `/messages/${message_id}`)));
  return texts.reduce((sum, { segments }) => sum + segments, 0);
}

type Ports = { smooth: string; corrected: string; cancelled: string };

async function portIn({ tenantId, e164 }: Registered): Promise<Ports> {
  const draft = async (phone_number: string) => {
    const made = await must('POST', '/port_ins', {
      ...PORT_DETAILS,
      tenant_id: tenantId,
      phone_numbers: [phone_number],
    });
    assert.deepEqual([made.status, 'pin' in made], ['draft', false]);
    assert.equal((await must('POST', `/port_ins/${made.id}/submit`)).status, 'in_review');
    return made.id as string;
  };
  const assertStatus = async (id: string, status: string) =>
    assert.equal((await read(harness, `/port_ins/${id}`)).status, status);
  const wanted = numberElsewhere();
  const [smooth, corrected, cancelled] = [
    await draft(wanted),
    await draft('+15005550005'),
    await draft(numberElsewhere()),
  ];
  assert.equal((await must('POST', `/port_ins/${cancelled}/cancel`)).status, 'cancelled');
  await harness.advance(4);
  await assertStatus(corrected, 'action_needed');
  await must('PATCH', `/port_ins/${corrected}`, { account_number: '4471-0094' });
  assert.equal((await must('POST', `/port_ins/${corrected}/submit`)).status, 'in_review');
  await harness.advance(2);
  await assertStatus(smooth, 'foc_confirmed');
  await harness.advance(10);
  for (const id of [smooth, corrected]) await assertStatus(id, 'completed');
  const { data } = await read(harness, `/phone_numbers?tenant_id=${tenantId}`);
  const active = data.filter((each: Json) => each.status === 'active').map((each: Json) => each.phone_number);
  assert.deepEqual(active.toSorted(), [e164, '+15005550005', wanted].toSorted());
  return { smooth, corrected, cancelled };
}

async function suspendAndReinstate(registered: Registered): Promise<void> {
  const path = `/test/campaigns/${registered.campaignId}/review`;
  await must('POST', path, { result: 'suspended', reason: 'Complaints.' });
  await assertSends(registered, 'campaign_not_approved');
  await advanceTo(harness, at(2, 12));
  await assertSends(registered, 'campaign_not_approved');
  await must('POST', path, { result: 'approved' });
  await assertSends(registered, 'accepted');
}

async function release({ numberId }: Registered): Promise<void> {
  const released = await must('DELETE', `/phone_numbers/${numberId}`);
  assert.deepEqual([released.status, released.campaign_id, released.messaging_ready], ['released', null, false]);
  const refused = await trySend(harness, { from: numberId, to: newPerson(), body: 'Hello' });
  assert.deepEqual(refusal(refused), [404, 'from_number_not_found', 'from']);
}

/** Asserts the usage of three calendar months. A month without a 31st is counted on its last day. */
async function assertUsage({ tenantId }: Registered, confirmations: number): Promise<void> {
  const january = { sms_segment_outbound: 1_000, number_month: 1, campaign_setup: 1, campaign_month: 1 };
  const months = [
    january,
    { sms_segment_outbound: 2 + confirmations, sms_segment_inbound: 2, number_month: 3, campaign_month: 1 },
    { number_month: 2, campaign_month: 1 },
  ];
  const starts = [1, 2, 3, 4].map((month) => dayOf(at(month, 1))) as [string, string, string, string];
  for (const [index, expected] of months.entries()) {
    const [start, end] = [starts[index] as string, starts[index + 1] as string];
    assert.deepEqual(await usageOf(harness, start, end, tenantId), expected, `the tenant from ${start}`);
    const platform = index === 0 ? { brand_registration: 1 } : {};
    assert.deepEqual(await usageOf(harness, start, end), { ...expected, ...platform }, `the ledger from ${start}`);
  }
  const lastOfFebruary = dayOf(at(3, 0));
  const fees = { number_month: 1, campaign_month: 1 };
  assert.deepEqual(await usageOf(harness, lastOfFebruary, starts[2]), fees, 'on the last of February');
  assert.deepEqual(await usageOf(harness, dayOf(at(3, 31)), starts[3]), { campaign_month: 1 }, 'on the 31st again');
}

function assertEvents({ brandId, campaignId, numberId, tenantId }: Registered, ports: Ports): void {
  const { received } = receiver;
  const history = webhookHistory(received);
  assert.deepEqual(statusesIn(history, brandId), ['pending_vetting', 'vetted']);
  assert.deepEqual(statusesIn(history, campaignId), ['pending_review', 'approved', 'suspended', 'approved']);
  assert.deepEqual(statusesIn(history, ports.smooth), ['draft', 'in_review', 'foc_confirmed', 'completed']);
  const again = ['draft', 'in_review', 'action_needed', 'in_review', 'foc_confirmed', 'completed'];
  assert.deepEqual(statusesIn(history, ports.corrected), again);
  assert.deepEqual(statusesIn(history, ports.cancelled), ['draft', 'in_review', 'cancelled']);
  assert.deepEqual(statusesIn(history, numberId), ['active', 'released']);
  assert.deepEqual(countTypes(received), {
    'brand.status_changed': 1,
    'campaign.status_changed': 3,
    'port_in.status_changed': 10,
    // Two numbers that were ported and one that was released.
    'number.status_changed': 3,
    'message.received': 2,
    'message.delivered': 95,
    'message.failed': 2,
    'opt_in.submitted': 3,
    'opt_out.created': 1,
    'opt_out.removed': 1,
  });
  for (const { event } of received) {
    assert.equal(event.tenant_id, event.type === 'brand.status_changed' ? null : tenantId, event.type);
    if (event.type === 'message.failed') assert.equal(event.data['failure_reason'], 'daily_cap_exceeded');
  }
}

test('two months of a tenant, from its brand to its last bill', async () => {
  year = await yearOfNextJanuary(harness);
  await advanceTo(harness, at(1, 31, 18));
  const endpoint = await register(harness, { url: receiver.url });
  const registered = await getRegistered();
  await getAddress(registered);
  const person = newPerson();
  const form = await collectConsent(registered, person);
  await sendToTheCap(registered);
  await advanceTo(harness, at(2, 2, 15));
  const confirmations = await stopAndStart(registered, form, person);
  const ports = await portIn(registered);
  await advanceTo(harness, at(2, 10));
  await suspendAndReinstate(registered);
  await advanceTo(harness, at(3, 10));
  await release(registered);
  await advanceTo(harness, at(4, 1));
  await assertUsage(registered, confirmations);
  for (const delivery of receiver.received) assertSigned(delivery, endpoint.secret);
  assertEvents(registered, ports);
});
