import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, refusal, trySend } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import { makePacedSender } from '../../../../test/support/pacing.ts';

const { harness, tenantId, number } = await useLine({ startWorkers: false });
const from = number.id;
const MINUTE_MS = 60_000;

/** Returns a moment of ledger time, `ms` ahead. */
async function ahead(ms: number): Promise<string> {
  return new Date(Date.parse((await read(harness, '/test/clock')).now) + ms).toISOString();
}
const schedule = async (fields: object = {}) => {
  const reply = await trySend(harness, {
    from,
    to: newPerson(),
    body: 'Later',
    send_at: await ahead(60 * MINUTE_MS),
    ...fields,
  });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
};
const cancel = (id: string) => harness.call('POST', `/v1/messages/${id}/cancel`);
const quiet = (quiet_hours: object | null) =>
  harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { quiet_hours } });

test('a scheduled text waits for its time, whatever else is sent, and is then sent once', async () => {
  const text = await schedule();
  assert.equal(text.status, 'scheduled');
  assert.deepEqual(
    text.status_history.map(({ status }: { status: string }) => status),
    ['scheduled'],
  );
  const listed = await read(harness, '/messages?status=scheduled');
  assert.ok(listed.data.some(({ id }: { id: string }) => id === text.id));
  await harness.advance(59 * 60);
  assert.deepEqual(await outboxOf(harness, text.to), []);
  await harness.advance(120);
  const sent = await read(harness, `/messages/${text.id}`);
  assert.equal(sent.status, 'delivered');
  assert.deepEqual(
    sent.status_history.map(({ status }: { status: string }) => status),
    ['scheduled', 'queued', 'delivered'],
  );
  assert.equal((await outboxOf(harness, text.to)).length, 1);
});

for (const [what, send_at] of [
  ['the past', async () => await ahead(-MINUTE_MS)],
  ['less than a minute', async () => await ahead(50_000)],
  ['more than 30 days', async () => await ahead(30 * 24 * 60 * MINUTE_MS + 5_000)],
  ['no moment', async () => 'tomorrow'],
  ['a moment without offset', async () => '2026-12-01T09:00:00'],
  ['a day that does not exist', async () => '2027-02-30T09:00:00Z'],
  ['the hour 24', async () => `${(await ahead(2 * 24 * 60 * MINUTE_MS)).slice(0, 10)}T24:00:00Z`],
] as const) {
  test(`a text for ${what} is refused and not stored`, async () => {
    const to = newPerson();
    const reply = await trySend(harness, { from, to, body: 'Later', send_at: await send_at() });
    assert.deepEqual(refusal(reply), [400, 'invalid_send_at', 'send_at']);
    assert.deepEqual((await read(harness, `/messages?to=${encodeURIComponent(to)}`)).data, []);
  });
}

for (const [what, ms] of [
  ['a minute', MINUTE_MS],
  ['30 days', 30 * 24 * 60 * MINUTE_MS],
] as const) {
  test(`a text for exactly ${what} ahead, as its sender counts, is accepted`, async () => {
    const send_at = await ahead(ms);
    assert.equal((await schedule({ send_at })).send_at, send_at);
  });
}

test('a clock that is moved over several moments stops at each of them', async () => {
  const [base, to] = [Date.parse(await ahead(0)), newPerson()];
  const at = (hours: number) => new Date(base + hours * 60 * MINUTE_MS).toISOString();
  const third = await schedule({ send_at: at(3), to });
  const first = await schedule({ send_at: at(1), to });
  const second = await schedule({ send_at: at(2), to });
  await harness.advance(4 * 3_600);
  const received = (await outboxOf(harness, to)).reverse();
  assert.deepEqual(
    received.map(({ message_id }) => message_id),
    [first.id, second.id, third.id],
  );
  for (const [index, { at: arrivedAt }] of received.entries()) {
    const lateMs = Date.parse(arrivedAt) - Date.parse(at(index + 1));
    assert.ok(lateMs >= 0 && lateMs < 30 * MINUTE_MS, `${lateMs} ms late`);
  }
});

test('a scheduled text can be canceled until it is queued, and is then never sent', async () => {
  const text = await schedule();
  const canceled = await cancel(text.id);
  assert.deepEqual([canceled.status, canceled.body.status], [200, 'canceled']);
  assert.deepEqual((await cancel(text.id)).body, canceled.body, 'a repeat');
  await harness.advance(2 * 3_600);
  assert.equal((await read(harness, `/messages/${text.id}`)).status, 'canceled');
  assert.deepEqual(await outboxOf(harness, text.to), []);
  const sent = await trySend(harness, { from, to: newPerson(), body: 'Now' });
  assert.deepEqual(refusal(await cancel(sent.body.id)).slice(0, 2), [409, 'message_not_cancellable']);
});

test('texts for one moment leave in the order of their acceptance', async () => {
  const [send_at, to] = [await ahead(60 * MINUTE_MS), newPerson()];
  const ids: string[] = [];
  for (let n = 0; n < 100; n++) ids.push((await schedule({ send_at, to: n % 10 === 0 ? to : newPerson() })).id);
  await harness.advance(2 * 3_600);
  const received = (await outboxOf(harness, to)).map(({ message_id }) => message_id).reverse();
  assert.deepEqual(
    received,
    ids.filter((_, n) => n % 10 === 0),
  );
});

test('a text whose recipient opts out meanwhile fails at its time, with its event, and costs nothing', async () => {
  const text = await schedule();
  await arrive(harness, text.to, number.phone_number, 'STOP');
  assert.equal((await read(harness, `/messages/${text.id}`)).status, 'scheduled');
  await harness.advance(2 * 3_600);
  const failed = await read(harness, `/messages/${text.id}`);
  assert.deepEqual([failed.status, failed.error_code], ['failed', 'recipient_opted_out']);
  const types = (await listEvents(harness, text.id)).map(({ type }: Json) => type);
  assert.deepEqual(types, ['message.failed']);
});

test('the repeat of a key answers as the first did, also when the time is past', async () => {
  const body = { from, to: newPerson(), body: 'Later', send_at: await ahead(2 * MINUTE_MS) };
  const once = randomUUID();
  const first = await trySend(harness, body, { once });
  await harness.advance(10 * 60);
  assert.equal((await read(harness, `/messages/${first.body.id}`)).status, 'delivered');
  const again = await trySend(harness, body, { once });
  assert.deepEqual([again.status, again.body], [201, first.body]);
});

test('a text to a number that may be in California waits for the morning there, whatever the zone of its tenant', async () => {
  const nowMs = Date.parse(await ahead(0));
  const local = (ms: number) =>
    new Date(ms).toLocaleTimeString('en-GB', { timeZone: 'America/Los_Angeles', timeStyle: 'short' });
  const hours = { start: local(nowMs - 30 * MINUTE_MS), end: local(nowMs + 20 * MINUTE_MS), zone: 'recipient' };
  await harness.call('PATCH', `/v1/tenants/${tenantId}`, {
    body: { timezone: 'America/New_York', quiet_hours: hours },
  });
  for (const to of ['+18375550143', '+18005550143']) {
    const text = (await trySend(harness, { from, to, body: 'Good morning', respect_quiet_hours: true })).body;
    assert.equal(text.status, 'scheduled', to);
  }
  const other = (await trySend(harness, { from, to: '+19125550143', body: 'Hello', respect_quiet_hours: true })).body;
  assert.equal(other.status, 'queued', 'a person in Georgia');
  await harness.call('PATCH', `/v1/tenants/${tenantId}`, { body: { timezone: 'America/Phoenix', quiet_hours: null } });
});

test('a text in quiet hours waits for their end, if it respects them', async () => {
  // The hours begin an hour ago and end in an hour, in a zone without daylight saving.
  const local = (ms: number) => new Date(ms - 7 * 60 * MINUTE_MS).toISOString().slice(11, 16);
  const nowMs = Date.parse(await ahead(0));
  const hours = { start: local(nowMs - 60 * MINUTE_MS), end: local(nowMs + 60 * MINUTE_MS), zone: 'recipient' };
  assert.deepEqual((await quiet(hours)).body.quiet_hours, hours);
  const [to, body] = [newPerson(), 'Your table is ready.'];
  const check = await harness.call('POST', '/v1/messages/check', {
    body: { from, to, body, respect_quiet_hours: true },
  });
  const waiting = (await trySend(harness, { from, to, body, respect_quiet_hours: true })).body;
  const end = new Date(Math.floor((nowMs + 60 * MINUTE_MS) / MINUTE_MS) * MINUTE_MS).toISOString();
  assert.deepEqual([check.body.accepted, check.body.send_at], [true, end]);
  assert.deepEqual([waiting.status, waiting.send_at], ['scheduled', end]);
  assert.equal((await trySend(harness, { from, to, body })).body.status, 'queued', 'a text that does not respect them');

  const later = await schedule({ send_at: await ahead(30 * MINUTE_MS), respect_quiet_hours: true });
  assert.equal(later.send_at, end, 'a text that was scheduled for a quiet hour');
  const after = await schedule({ send_at: await ahead(90 * MINUTE_MS), respect_quiet_hours: true });
  assert.notEqual(after.send_at, end);

  await arrive(harness, to, number.phone_number, 'Is it ready?');
  const reply = (await trySend(harness, { from, to, body, respect_quiet_hours: true })).body;
  assert.deepEqual([reply.status, reply.send_at], ['queued', null], 'a reply');
  await harness.advance(11 * 60);
  const late = (await trySend(harness, { from, to, body, respect_quiet_hours: true })).body;
  assert.equal(late.status, 'scheduled', 'a text 11 minutes after');
  await harness.advance(60 * 60);
  assert.equal((await read(harness, `/messages/${waiting.id}`)).status, 'delivered');
  assert.equal((await quiet(null)).body.quiet_hours, null);
});

for (const [what, hours, param] of [
  ['no time', { start: '24:00', end: '08:00', zone: 'tenant' }, 'quiet_hours.start'],
  ['another zone', { start: '21:00', end: '08:00', zone: 'Mars' }, 'quiet_hours.zone'],
  ['the whole day', { start: '21:00', end: '21:00', zone: 'tenant' }, 'quiet_hours.end'],
] as const) {
  test(`quiet hours with ${what} are refused`, async () => {
    assert.deepEqual(refusal(await quiet(hours)), [400, 'invalid_body', param]);
  });
}

/** A schedule that is quiet now, by the tenant's clock, and for the next hours. */
async function quietNow(fields: object = {}) {
  const local = Temporal.Instant.from((await read(harness, '/test/clock')).now).toZonedDateTimeISO('America/Phoenix');
  const at = (hours: number) => local.add({ hours }).toPlainTime().toString().slice(0, 5);
  const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
  return { schedule: [{ days, start: at(-2), end: at(3) }], zone: 'tenant', ...fields };
}

for (const [applies_to, fields, isLater] of [
  ['all', {}, true],
  ['all', { respect_quiet_hours: false }, true],
  ['requested', {}, false],
  ['requested', { respect_quiet_hours: true }, true],
  ['marketing', {}, false],
] as const) {
  test(`quiet hours that apply to ${applies_to} ${isLater ? 'hold' : 'let through'} a text with ${JSON.stringify(fields)}`, async () => {
    const hours = await quietNow({ applies_to });
    const kept = await quiet(hours);
    assert.deepEqual([kept.status, (kept.body as Json).quiet_hours], [200, hours]);
    const wanted = { from, to: newPerson(), body: 'Sale', ...fields };
    const checked = await harness.call('POST', '/v1/messages/check', { body: wanted });
    const key = { 'idempotency-key': randomUUID() };
    const sent = await harness.call('POST', '/v1/messages', { body: wanted, headers: key });
    const again = await harness.call('POST', '/v1/messages', { body: wanted, headers: key });
    assert.deepEqual(
      [sent.status, (sent.body as Json).status, (sent.body as Json).send_at !== null],
      [201, isLater ? 'scheduled' : 'queued', isLater],
    );
    assert.deepEqual(
      [(checked.body as Json).send_at, (again.body as Json).id],
      [(sent.body as Json).send_at, (sent.body as Json).id],
    );
    await quiet(null);
  });
}

for (const use_case of ['marketing', 'mixed', 'customer_care'] as const) {
  const isLater = use_case !== 'customer_care';
  test(`quiet hours that apply to marketing ${isLater ? 'hold' : 'let through'} a text of a campaign of ${use_case}`, async () => {
    const { db } = harness.context;
    const own = await makePacedSender(harness, 'public_company');
    await sql(db, 'update campaigns set use_case = $2 where id = $1', [own.campaignId, use_case]);
    const hours = await quietNow({ applies_to: 'marketing' });
    await harness.call('PATCH', `/v1/tenants/${own.tenantId}`, { body: { quiet_hours: hours } });
    const sent = await trySend(harness, { from: own.number.id, to: newPerson(), body: 'Sale' });
    assert.deepEqual([sent.status, (sent.body as Json).status], [201, isLater ? 'scheduled' : 'queued']);
  });
}

for (const [field, hours] of [
  ['quiet_hours.start', { end: '08:00', zone: 'tenant' }],
  ['quiet_hours.end', { start: '08:00', end: '08:00', zone: 'tenant' }],
  ['quiet_hours.applies_to', { start: '21:00', end: '08:00', zone: 'tenant', applies_to: 'all' }],
  [
    'quiet_hours.start',
    { start: '21:00', zone: 'tenant', schedule: [{ days: ['mon'], start: '21:00', end: '08:00' }] },
  ],
  [
    'quiet_hours.schedule[1].end',
    {
      zone: 'tenant',
      schedule: [
        { days: ['mon'], start: '21:00', end: '08:00' },
        { days: ['tue'], start: '21:00', end: '21:00' },
      ],
    },
  ],
  [
    'quiet_hours.schedule[0].days[0]',
    { zone: 'tenant', schedule: [{ days: ['monday'], start: '21:00', end: '08:00' }] },
  ],
  ['quiet_hours.schedule[0].start', { zone: 'tenant', schedule: [{ days: ['mon'], start: '24:00', end: '08:00' }] }],
  ['quiet_hours.schedule', { zone: 'tenant', schedule: [] }],
  [
    'quiet_hours.schedule',
    { zone: 'tenant', schedule: Array.from({ length: 22 }, () => ({ days: ['mon'], start: '21:00', end: '08:00' })) },
  ],
  [
    'quiet_hours.schedule',
    {
      zone: 'tenant',
      schedule: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], start: '00:00', end: '24:00' }],
    },
  ],
  [
    'quiet_hours.applies_to',
    { zone: 'tenant', applies_to: 'some', schedule: [{ days: ['mon'], start: '21:00', end: '08:00' }] },
  ],
] as const) {
  test(`quiet hours ${JSON.stringify(hours).slice(0, 110)} are refused with the field, and nothing changes`, async () => {
    const before = (await read(harness, `/tenants/${tenantId}`)).quiet_hours;
    const reply = await quiet(hours);
    const { error } = reply.body as Json;
    assert.deepEqual([reply.status, error.param], [400, field], JSON.stringify(error));
    assert.deepEqual((await read(harness, `/tenants/${tenantId}`)).quiet_hours, before);
  });
}
