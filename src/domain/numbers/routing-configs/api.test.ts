import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import type { Reply } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { refusal } from '../../../../test/support/messages.ts';
import { buyNumber, findOnSale, makeTenant, useTenant } from '../../../../test/support/numbers.ts';
import { findLedger } from '../../../db/ledgers.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { findRouting } from './queries.ts';
import { DEFAULT_GREETING } from './rules.ts';

const { harness, tenantId } = await useTenant({ startWorkers: false });

const PERSON = '+16025550143';
const RING = { type: 'ring', targets: [PERSON] };
const NO_HOLD_AUDIO = { hold_audio_url: null, hold_audio_status: null, hold_audio_error: null };
const VOICEMAIL = { type: 'voicemail', greeting_text: DEFAULT_GREETING, transcribe: true };

const body = (change: object = {}) => ({ tenant_id: tenantId, name: 'Office', open_behavior: RING, ...change });
const post = (change: object = {}, headers: Record<string, string> = {}) =>
  harness.call('POST', '/v1/routing_configs', { body: body(change), headers });

async function make(change: object = {}): Promise<Json> {
  const reply = await post(change);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

const put = (id: string, change: object = {}) =>
  harness.call('PUT', `/v1/routing_configs/${id}`, { body: body(change) });
const get = (id: string) => harness.call('GET', `/v1/routing_configs/${id}`);
const remove = (id: string) => harness.call('DELETE', `/v1/routing_configs/${id}`);
const attach = (numberId: string, routing_config_id: string | null) =>
  harness.call('PATCH', `/v1/phone_numbers/${numberId}`, { body: { routing_config_id } });

async function ledgerOfTests(): Promise<Ledger> {
  return (await findLedger(harness.context.db, await testLedger(harness))) as Ledger;
}

test('absent fields of a config get their defaults, which the reply shows', async () => {
  const { id, created_at, ...rest } = await make();
  assert.match(id, /^rtc_/);
  assert.ok(!Number.isNaN(Date.parse(created_at)));
  assert.deepEqual(rest, {
    object: 'routing_config',
    tenant_id: tenantId,
    name: 'Office',
    business_hours: null,
    open_behavior: { ...RING, strategy: 'simultaneous', timeout_seconds: 25, no_answer: null },
    closed_behavior: VOICEMAIL,
    recording: { enabled: false, consent_announcement: true },
    listening_announcement: null,
    ...NO_HOLD_AUDIO,
  });
  assert.deepEqual((await get(id)).body, { id, created_at, ...rest });
  const nested = await make({
    open_behavior: { ...RING, no_answer: { type: 'voicemail', transcribe: false } },
    closed_behavior: RING,
    recording: { enabled: true },
  });
  assert.deepEqual(nested.open_behavior.no_answer, { ...VOICEMAIL, transcribe: false });
  assert.deepEqual(nested.closed_behavior, rest.open_behavior);
  assert.deepEqual(nested.recording, { enabled: true, consent_announcement: true });
});

test('hours are returned as they were given, with nothing added', async () => {
  const schedule = [{ days: ['mon'], open: '08:00', close: '17:00' }];
  for (const hours of [
    { schedule },
    { schedule, holidays: [] },
    {
      schedule: [],
      holidays: [
        { date: '2026-12-24', open: '08:00', close: '12:00' },
        { date: '2026-12-25' },
        { date: '2026-12-26', closed: true },
        { date: '2026-12-27', closed: true, open: null, close: null },
      ],
    },
  ]) {
    const { id, business_hours } = await make({ business_hours: hours });
    assert.deepEqual(business_hours, hours);
    assert.deepEqual((await get(id)).body.business_hours, hours);
    assert.deepEqual((await put(id, { business_hours: hours })).body.business_hours, hours);
  }
});

test('a config is returned as it was given, and the returned config is a valid request', async () => {
  const given = {
    business_hours: {
      schedule: [
        { days: ['mon', 'tue'], open: '08:00', close: '12:00' },
        { days: ['sat'], open: '20:00', close: '24:00' },
      ],
      holidays: [
        { date: '2026-12-24', closed: false, open: '08:00', close: '12:00' },
        { date: '2026-12-25', closed: true, open: null, close: null },
      ],
    },
    open_behavior: {
      type: 'ring',
      targets: [PERSON, '+442079460000'],
      strategy: 'sequential',
      timeout_seconds: 1,
      no_answer: { type: 'voicemail', greeting_text: 'We are out.', transcribe: true },
    },
    closed_behavior: { ...RING, strategy: 'simultaneous', timeout_seconds: 600, no_answer: null },
    recording: { enabled: true, consent_announcement: false },
    listening_announcement: 'Software writes down this call.',
    ...NO_HOLD_AUDIO,
  };
  const made = await make(given);
  const { id, object, created_at, ...fields } = made;
  assert.deepEqual(fields, { tenant_id: tenantId, name: 'Office', ...given });
  const again = await put(id, fields);
  assert.equal(again.status, 200);
  assert.deepEqual(again.body, { id, object, created_at, ...fields });
});

test('a replacement replaces the whole config', async () => {
  const hours = { schedule: [{ days: ['mon'], open: '08:00', close: '17:00' }] };
  const made = await make({ business_hours: hours, closed_behavior: RING, recording: { enabled: true } });
  const { body: replaced } = await put(made.id, { name: 'All day' });
  const { id, created_at } = made;
  const plain = await make({ name: 'All day' });
  assert.deepEqual(replaced, { ...plain, id, created_at });
});

test('an invalid replacement is refused like a creation and leaves the config unchanged', async () => {
  const made = await make();
  const elsewhere = await makeTenant(harness);
  for (const [change, expected] of [
    [{ tenant_id: elsewhere }, [400, 'invalid_body', 'tenant_id']],
    [{ tenant_id: 'tnt_none' }, [404, 'tenant_not_found', 'tenant_id']],
    [{ open_behavior: undefined }, [400, 'missing_fields', 'open_behavior']],
    [{ open_behavior: { type: 'ring', targets: ['602'] } }, [400, 'invalid_body', 'open_behavior.targets[0]']],
  ] as const) {
    assert.deepEqual(refusal(await put(made.id, change)), expected, JSON.stringify(change));
  }
  assert.deepEqual((await get(made.id)).body, made);
  for (const change of [{}, { tenant_id: 'tnt_none' }, { tenant_id: elsewhere }]) {
    assert.deepEqual(refusal(await put('rtc_none', change)).slice(0, 2), [404, 'routing_config_not_found']);
  }
});

test('an invalid config is refused with its field', async () => {
  const ring = (change: object) => ({ open_behavior: { ...RING, ...change } });
  const slot = (change: object) => ({
    business_hours: { schedule: [{ days: ['mon'], open: '08:00', close: '17:00', ...change }] },
  });
  const holiday = (...holidays: object[]) => ({ business_hours: { schedule: [], holidays } });
  const invalid: [object, string][] = [
    [ring({ targets: [] }), 'open_behavior.targets'],
    [ring({ targets: Array.from({ length: 11 }, (_, index) => `+1602555${1000 + index}`) }), 'open_behavior.targets'],
    [ring({ targets: [PERSON, PERSON] }), 'open_behavior.targets'],
    [ring({ targets: [PERSON, '6025550143'] }), 'open_behavior.targets[1]'],
    [ring({ targets: ['+16021550143'] }), 'open_behavior.targets[0]'],
    [ring({ strategy: 'random' }), 'open_behavior.strategy'],
    [ring({ timeout_seconds: 0 }), 'open_behavior.timeout_seconds'],
    [ring({ timeout_seconds: 601 }), 'open_behavior.timeout_seconds'],
    [ring({ no_answer: RING }), 'open_behavior.no_answer.type'],
    [ring({ no_answer: { type: 'hangup' } }), 'open_behavior.no_answer.type'],
    [{ open_behavior: VOICEMAIL }, 'open_behavior.type'],
    [ring({ type: 'voicemail' }), 'open_behavior.type'],
    [ring({ greeting_text: 'Hello' }), 'open_behavior.greeting_text'],
    [{ closed_behavior: { type: 'hangup' } }, 'closed_behavior.type'],
    [{ closed_behavior: null }, 'closed_behavior'],
    [{ closed_behavior: { type: 'voicemail', targets: [PERSON] } }, 'closed_behavior.targets'],
    [{ closed_behavior: { type: 'voicemail', greeting_text: 'x'.repeat(1001) } }, 'closed_behavior.greeting_text'],
    [{ closed_behavior: { type: 'voicemail', greeting_text: ' \n ' } }, 'closed_behavior.greeting_text'],
    [{ closed_behavior: { type: 'voicemail', greeting_text: 'a\u0000' } }, 'closed_behavior.greeting_text'],
    [{ closed_behavior: { type: 'ring', targets: ['911'] } }, 'closed_behavior.targets[0]'],
    [{ recording: { enabled: 'yes' } }, 'recording.enabled'],
    [slot({ days: ['monday'] }), 'business_hours.schedule[0].days[0]'],
    [slot({ days: [] }), 'business_hours.schedule[0].days'],
    [slot({ open: '24:00' }), 'business_hours.schedule[0].open'],
    [slot({ open: '8:00' }), 'business_hours.schedule[0].open'],
    [slot({ close: '24:01' }), 'business_hours.schedule[0].close'],
    [slot({ note: 'x' }), 'business_hours.schedule[0].note'],
    [holiday({ date: '2026-02-30' }), 'business_hours.holidays[0].date'],
    [holiday({ date: '2026-12-25' }, { date: '2026-12-25' }), 'business_hours.holidays[1].date'],
    [holiday({ date: '2026-12-25', closed: false }), 'business_hours.holidays[0].open'],
    [holiday({ date: '2026-12-25', open: '08:00' }), 'business_hours.holidays[0].close'],
    [holiday({ date: '2026-12-25', close: '08:00' }), 'business_hours.holidays[0].open'],
    [holiday({ date: '2026-12-25', closed: true, open: '08:00', close: '12:00' }), 'business_hours.holidays[0].closed'],
  ];
  for (const [change, param] of invalid) {
    assert.deepEqual(refusal(await post(change)), [400, 'invalid_body', param], JSON.stringify(change));
  }
});

test('the refusal of an unknown behavior type names the known types', async () => {
  const messageOf = async (change: object) => (await post(change)).body.error.message;
  const closed = await messageOf({ closed_behavior: { type: 'hangup' } });
  assert.equal(closed, '"closed_behavior.type" must be one of ring, voicemail, menu, relay, queue.');
  const open = await messageOf({ open_behavior: { type: 'hangup', targets: [PERSON] } });
  assert.equal(open, '"open_behavior.type" must be one of ring, menu, relay, queue.');
});

test('the refusal of an absent required field names it, at any depth', async () => {
  for (const [change, expected] of [
    [{ name: undefined }, [400, 'missing_fields', 'name']],
    [{ open_behavior: { type: 'ring' } }, [400, 'missing_fields', 'open_behavior.targets']],
    [{ closed_behavior: { type: 'ring' } }, [400, 'missing_fields', 'closed_behavior.targets']],
    [{ closed_behavior: {} }, [400, 'missing_fields', 'closed_behavior.type']],
    [{ business_hours: {} }, [400, 'missing_fields', 'business_hours.schedule']],
    [
      { business_hours: { schedule: [{ days: ['mon'], open: '08:00' }] } },
      [400, 'missing_fields', 'business_hours.schedule[0].close'],
    ],
  ] as const) {
    assert.deepEqual(refusal(await post(change)), expected, JSON.stringify(change));
  }
});

test('a target that may not be called is refused when the config is saved, in either behavior', async () => {
  const HIGH_COST = '+16054551234';
  const open = await post({ open_behavior: { type: 'ring', targets: [PERSON, HIGH_COST] } });
  assert.deepEqual(refusal(open), [422, 'destination_not_supported', 'open_behavior.targets[1]']);
  const closed = await post({ closed_behavior: { type: 'ring', targets: [HIGH_COST] } });
  assert.deepEqual(refusal(closed), [422, 'destination_not_supported', 'closed_behavior.targets[0]']);
  const made = await make();
  const replaced = await put(made.id, { open_behavior: { type: 'ring', targets: ['+19005550143'] } });
  assert.deepEqual(refusal(replaced), [422, 'destination_not_supported', 'open_behavior.targets[0]']);
  await sql(harness.context.db, `insert into high_cost_prefixes values ('4420794')`);
  const added = await post({ open_behavior: { type: 'ring', targets: ['+442079460000'] } });
  await sql(harness.context.db, `delete from high_cost_prefixes where prefix = '4420794'`);
  assert.deepEqual(refusal(added), [422, 'destination_not_supported', 'open_behavior.targets[0]']);
});

test('a live config may ring only the United States and Canada', async () => {
  const key = harness.account.live_key;
  const tenant_id = await makeTenant(harness, key);
  const ring = (target: string) =>
    harness.call('POST', '/v1/routing_configs', {
      key,
      body: { tenant_id, name: 'Office', open_behavior: { type: 'ring', targets: [target] } },
    });
  for (const target of ['+442079460000', '+18765550143', '+15005550003']) {
    const expected = [422, 'destination_not_supported', 'open_behavior.targets[0]'];
    assert.deepEqual(refusal(await ring(target)), expected, target);
  }
  for (const target of [PERSON, '+14165550143', '+18005550143']) assert.equal((await ring(target)).status, 201, target);
});

test('a config that a number refers to cannot be deleted; an unused one can', async () => {
  const { id } = await make();
  const number = await buyNumber(harness, tenantId);
  const attached = await attach(number.id, id);
  assert.equal(attached.body.routing_config_id, id);
  assert.deepEqual(refusal(await remove(id)), [409, 'routing_config_in_use', undefined]);
  assert.equal((await attach(number.id, null)).body.routing_config_id, null);
  assert.equal((await remove(id)).status, 204);
  assert.deepEqual(refusal(await get(id)).slice(0, 2), [404, 'routing_config_not_found']);
  assert.deepEqual(refusal(await remove(id)).slice(0, 2), [404, 'routing_config_not_found']);
  assert.deepEqual(refusal(await attach(number.id, id)), [404, 'routing_config_not_found', 'routing_config_id']);
});

test('a released number no longer refers to its config', async () => {
  const { id: routing_config_id } = await make();
  const phone_number = await findOnSale(harness);
  const bought = await harness.call('POST', '/v1/phone_numbers', {
    body: { tenant_id: tenantId, phone_number, routing_config_id },
  });
  assert.equal(bought.body.routing_config_id, routing_config_id);
  assert.equal(refusal(await remove(routing_config_id))[1], 'routing_config_in_use');
  await harness.call('DELETE', `/v1/phone_numbers/${bought.body.id}`);
  assert.equal((await remove(routing_config_id)).status, 204);
});

test('a number cannot refer to a config of another tenant', async () => {
  const { id } = await make();
  const foreign = await buyNumber(harness, await makeTenant(harness));
  assert.deepEqual(refusal(await attach(foreign.id, id)), [404, 'routing_config_not_found', 'routing_config_id']);
});

test('concurrent attaching and deleting leave no number with a deleted config', async () => {
  const numbers = [await buyNumber(harness, tenantId), await buyNumber(harness, tenantId)];
  for (let round = 0; round < 25; round++) {
    const { id } = await make();
    const replies = await Promise.all([...numbers.map((number) => attach(number.id, id)), remove(id)]);
    const deletion = replies.pop() as Reply;
    const kept = deletion.status === 409;
    if (!kept) assert.equal(deletion.status, 204, JSON.stringify(deletion.body));
    for (const { status, body: reply } of replies) {
      const answer = status === 200 ? 'attached' : reply.error.code;
      assert.equal(answer, kept ? 'attached' : 'routing_config_not_found', JSON.stringify(reply));
    }
    await Promise.all(numbers.map((number) => attach(number.id, null)));
  }
});

test('deleting a tenant deletes its configs, including those in use', async () => {
  const mine = await makeTenant(harness);
  const { id } = await make({ tenant_id: mine });
  const number = await buyNumber(harness, mine);
  assert.equal((await attach(number.id, id)).status, 200);
  const other = await make();
  assert.equal((await harness.call('DELETE', `/v1/tenants/${mine}`)).status, 204);
  assert.equal((await get(id)).status, 404);
  assert.equal((await get(other.id)).status, 200);
  assert.equal(refusal(await post({ tenant_id: mine }))[1], 'tenant_not_found');
});

test("the routing of a number is its present one, with its tenant's time zone", async () => {
  const { db } = harness.context;
  const ledger = await ledgerOfTests();
  const number = await buyNumber(harness, tenantId);
  const none = { tenantId, timezone: 'America/Phoenix', config: null, holdAudioRef: null };
  assert.deepEqual(await findRouting(db, ledger, number.id), none);
  const made = await make();
  await attach(number.id, made.id);
  const routing = await findRouting(db, ledger, number.id);
  assert.deepEqual(JSON.parse(JSON.stringify(routing)), { ...none, config: made });
  const { body: replaced } = await put(made.id, { name: 'Changed', open_behavior: { ...RING, timeout_seconds: 7 } });
  const changed = await findRouting(db, ledger, number.id);
  assert.deepEqual(JSON.parse(JSON.stringify(changed?.config)), replaced);
  assert.equal(await findRouting(db, { ...ledger, ledgerId: ledger.ledgerId + 1 }, number.id), undefined);
  assert.equal(await findRouting(db, ledger, 'num_none'), undefined);
});

test('the same creation under one Idempotency-Key makes one config', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  const [first, second] = [await post({}, headers), await post({}, headers)];
  assert.equal(first.status, 201);
  assert.deepEqual(second.body, first.body);
  assert.equal(refusal(await post({ name: 'Other' }, headers))[1], 'idempotency_key_reuse');
});

test('the list is paged, newest first, and can be filtered by tenant', async () => {
  const mine = await makeTenant(harness);
  const made: string[] = [];
  for (const name of ['a', 'b', 'c']) made.unshift((await make({ tenant_id: mine, name })).id);
  const list = async (query: string) => (await harness.call('GET', `/v1/routing_configs?${query}`)).body;
  const first = await list(`tenant_id=${mine}&limit=2`);
  assert.deepEqual(
    first.data.map(({ id }: Json) => id),
    made.slice(0, 2),
  );
  assert.equal(first.has_more, true);
  const rest = await list(`tenant_id=${mine}&limit=2&after=${first.next_cursor}`);
  assert.deepEqual([rest.data[0].id, rest.has_more, rest.next_cursor], [made[2], false, null]);
});

test('all contradictions of a config are named at once, before its Idempotency-Key and its tenant are looked up', async () => {
  const headers = { 'idempotency-key': randomUUID() };
  assert.equal((await post({}, headers)).status, 201);
  const holidays = [
    { date: '2026-12-25', closed: true, open: '09:00', close: '12:00' },
    { date: '2026-12-26', open: '09:00' },
    { date: '2026-12-25' },
  ];
  const targets = ['+16025550143', 'nobody', 'wcl_none'];
  const wrong = {
    tenant_id: 'tnt_none',
    business_hours: { schedule: [], holidays },
    open_behavior: { type: 'ring', targets },
    closed_behavior: { type: 'ring', targets: ['+1602555'] },
  };
  const reply = await post(wrong, headers);
  assert.deepEqual(refusal(reply), [400, 'invalid_body', 'business_hours.holidays[0].closed']);
  assert.deepEqual(
    reply.body.error.fields.map(({ param }: Json) => param),
    [
      'business_hours.holidays[0].closed',
      'business_hours.holidays[1].close',
      'business_hours.holidays[2].date',
      'open_behavior.targets[1]',
      'closed_behavior.targets[0]',
    ],
  );
});
