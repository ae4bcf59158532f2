import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal, sendText } from '../../../../test/support/messages.ts';
import { buyNumber, makeLine } from '../../../../test/support/numbers.ts';
import { connect, legsOf, place, ring, useScriptedLine } from '../../../../test/support/voice.ts';

const { harness, voice, tenantId, number } = await useScriptedLine();

const post = (path: string, body?: object, key?: string) =>
  harness.call('POST', `/v1${path}`, { ...(body !== undefined && { body }), ...(key !== undefined && { key }) });
const tryPlace = (fields: object, key?: string) =>
  post('/calls', { from: number.id, to: newPerson(), connect_to: newPerson(), ...fields }, key);

test('a placed call is returned as it is, and reading it returns the same', async () => {
  const [to, connect_to] = [newPerson(), newPerson()];
  const call = await place(harness, number.phone_number, { to, connect_to, record: true });
  const { id, conversation_id, started_at, events, ...rest } = call;
  assert.match(id, /^call_/);
  assert.match(conversation_id, /^cnv_/);
  assert.deepEqual(rest, {
    object: 'call',
    tenant_id: tenantId,
    phone_number_id: number.id,
    direction: 'outbound',
    from: number.phone_number,
    to,
    caller_name: null,
    attestation: null,
    connect_to,
    status: 'dialing',
    outcome: null,
    answered_by: null,
    answered_by_kind: null,
    route: null,
    duration_seconds: 0,
    record: true,
    recording_id: null,
    voicemail_id: null,
    summary: null,
    ended_at: null,
  });
  assert.deepEqual(events, [
    { type: 'initiated', at: started_at, detail: { from: number.phone_number, to, connect_to } },
  ]);
  assert.deepEqual(await read(harness, `/calls/${id}`), call);
});

test('an undialable number is refused with its field, and nothing is dialled', async () => {
  const count = () => sql(harness.context.db, 'select count(*) from calls');
  const before = await count();
  const voiceless = await buyNumber(harness, tenantId);
  await sql(harness.context.db, `update phone_numbers set capabilities = '{sms}' where id = $1`, [voiceless.id]);
  const released = await buyNumber(harness, tenantId);
  await harness.call('DELETE', `/v1/phone_numbers/${released.id}`);
  for (const [fields, expected] of [
    [{ to: '6025550143' }, [400, 'invalid_to_number', 'to']],
    [{ to: '+1602555' }, [400, 'invalid_to_number', 'to']],
    [{ to: 5 }, [400, 'invalid_to_number', 'to']],
    [{ to: undefined }, [400, 'missing_fields', 'to']],
    [{ to: number.phone_number }, [400, 'invalid_to_number', 'to']],
    [{ connect_to: 'agent' }, [400, 'invalid_connect_to', 'connect_to']],
    [{ connect_to: number.phone_number }, [400, 'invalid_connect_to', 'connect_to']],
    [{ from: number.phone_number, connect_to: number.phone_number }, [400, 'invalid_connect_to', 'connect_to']],
    [{ to: '+16025550143', connect_to: '+16025550143' }, [400, 'invalid_connect_to', 'connect_to']],
    [{ to: '6025550143', connect_to: '6025550143' }, [400, 'invalid_to_number', 'to']],
    [{ from: 'num_none' }, [404, 'from_number_not_found', 'from']],
    [{ from: '+16025550000' }, [404, 'from_number_not_found', 'from']],
    [{ from: released.id }, [404, 'from_number_not_found', 'from']],
    [{ from: released.phone_number }, [404, 'from_number_not_found', 'from']],
    [{ from: voiceless.id }, [404, 'from_number_not_found', 'from']],
    [{ to: '+16054551234' }, [422, 'destination_not_supported', 'to']],
    [{ connect_to: '+16054551234' }, [422, 'destination_not_supported', 'connect_to']],
    [{ to: '+19005551234' }, [422, 'destination_not_supported', 'to']],
    [{ transcribe: 'yes' }, [400, 'invalid_body', 'transcribe']],
  ] as const) {
    assert.deepEqual(refusal(await tryPlace(fields)), expected, JSON.stringify(fields));
  }
  assert.deepEqual(await count(), before);
});

test("a tenant's key calls only from its own numbers", async () => {
  const key = await harness.tenantKey(tenantId);
  assert.equal((await tryPlace({}, key)).status, 201);
  const other = await makeLine(harness);
  assert.deepEqual(refusal(await tryPlace({ from: other.number.id }, key)), [403, 'tenant_restricted_key', 'from']);
});

test('calls are listed newest first, by tenant, number, direction, status and time', async () => {
  const { tenantId: tenant_id, number: own } = await makeLine(harness);
  const first = await place(harness, own.id);
  await harness.advance(3_600);
  const inbound = await ring(voice, own.phone_number);
  const last = await place(harness, own.id);
  const ids = async (query: string) => (await read(harness, `/calls?${query}`)).data.map(({ id }: Json) => id);
  assert.deepEqual(await ids(`tenant_id=${tenant_id}`), [last.id, inbound.id, first.id]);
  assert.deepEqual(await ids(`phone_number_id=${own.id}&direction=inbound`), [inbound.id]);
  assert.deepEqual(await ids(`phone_number_id=${own.id}&status=failed`), [first.id]);
  const between = new Date(Date.parse(first.started_at) + 60_000).toISOString();
  assert.deepEqual(await ids(`tenant_id=${tenant_id}&end=${between}`), [first.id]);
  assert.deepEqual(await ids(`tenant_id=${tenant_id}&start=${between}`), [last.id, inbound.id]);
  const page = await read(harness, `/calls?tenant_id=${tenant_id}&limit=2`);
  assert.equal(page.has_more, true);
  assert.deepEqual(await ids(`tenant_id=${tenant_id}&limit=2&after=${page.next_cursor}`), [first.id]);
});

test('digits are sent to the customer, and are in the log', async () => {
  const { id } = await connect(harness, voice, number.id);
  const reply = await post(`/calls/${id}/dtmf`, { digits: '1w2W#*AD' });
  assert.deepEqual([reply.status, reply.body], [200, { call_id: id, digits: '1w2W#*AD', status: 'sent' }]);
  await harness.advance(0);
  const [, customer] = await legsOf(harness, id);
  assert.deepEqual(voice.instructions(id).at(-1), { do: 'send_digits', legRef: customer.id, digits: '1w2W#*AD' });
  assert.equal((await read(harness, `/calls/${id}`)).events.at(-1).type, 'dtmf');
});

test('digits of an inbound call are sent to the caller', async () => {
  const { id, legRef } = await ring(voice, number.phone_number);
  await harness.advance(0);
  assert.equal((await post(`/calls/${id}/dtmf`, { digits: '9' })).status, 200);
  await harness.advance(0);
  assert.deepEqual(voice.instructions(id).at(-1), { do: 'send_digits', legRef, digits: '9' });
});

test('invalid digits are refused', async () => {
  const { id } = await connect(harness, voice, number.id);
  assert.deepEqual(refusal(await post(`/calls/${id}/dtmf`, { digits: '' })), [400, 'missing_fields', 'digits']);
  for (const digits of ['E', '1 2', '1'.repeat(33), 'd', 12]) {
    const [status, code, param] = refusal(await post(`/calls/${id}/dtmf`, { digits }));
    assert.deepEqual([status, code, param], [400, 'invalid_body', 'digits'], String(digits));
  }
});

test('a gather speaks its prompt, emits each digit, and ends at its terminator, which is not among the digits', async () => {
  const { id } = await connect(harness, voice, number.id);
  const wanted = { prompt: 'Your number, please', max_digits: 8, terminator: '#', timeout_ms: 4_000 };
  const reply = await post(`/calls/${id}/gather`, wanted);
  assert.deepEqual([reply.status, reply.body], [200, { call_id: id, status: 'listening' }]);
  assert.deepEqual(refusal(await post(`/calls/${id}/gather`, { prompt: 'Again' })), [
    409,
    'gather_in_progress',
    undefined,
  ]);
  const [, customer] = await legsOf(harness, id);
  for (const digit of ['4', '2', '#']) {
    await voice.report({ type: 'leg.digit', callRef: id, legRef: customer.id, digit, keyRef: `${id} ${digit}` });
  }
  const events = (await listEvents(harness, id)).slice(2);
  assert.deepEqual(
    events.map(({ type, data }: Json) => [type, data.digit ?? data.digits]),
    [
      ['call.dtmf', '4'],
      ['call.dtmf', '2'],
      ['call.dtmf', '#'],
      ['call.gather', '42'],
    ],
  );
  assert.deepEqual(events[3].data, { object: 'call_gather', call_id: id, digits: '42', reason: 'completed' });
  assert.equal((await post(`/calls/${id}/gather`, { prompt: 'Once more' })).status, 200);
  await harness.advance(60);
  const last = (await listEvents(harness, id)).at(-1);
  assert.deepEqual([last.type, last.data.digits, last.data.reason], ['call.gather', '', 'timeout']);
});

test('a gather beyond its limits is refused', async () => {
  const { id } = await connect(harness, voice, number.id);
  for (const [fields, param] of [
    [{ prompt: 'half a pair \ud83d' }, 'prompt'],
    [{ prompt: 'x'.repeat(501) }, 'prompt'],
    [{ max_digits: 0 }, 'max_digits'],
    [{ max_digits: 33 }, 'max_digits'],
    [{ terminator: 'A' }, 'terminator'],
    [{ terminator: '##' }, 'terminator'],
    [{ timeout_ms: 999 }, 'timeout_ms'],
    [{ timeout_ms: 60_001 }, 'timeout_ms'],
  ] as const) {
    const reply = await post(`/calls/${id}/gather`, { prompt: 'Press', ...fields });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', param], JSON.stringify(fields));
  }
  assert.deepEqual(refusal(await post(`/calls/${id}/gather`, { prompt: ' ' })), [400, 'missing_fields', 'prompt']);
  const largest = { prompt: 'x'.repeat(500), max_digits: 32, terminator: '*', timeout_ms: 60_000 };
  assert.equal((await post(`/calls/${id}/gather`, largest)).status, 200);
});

test('repeated requests start the transcription once', async () => {
  const { id } = await connect(harness, voice, number.id);
  for (let time = 0; time < 2; time++) {
    const reply = await post(`/calls/${id}/transcription`);
    assert.deepEqual([reply.status, reply.body], [200, { call_id: id, status: 'transcribing' }]);
  }
  await harness.advance(0);
  assert.equal(voice.instructions(id).filter((command) => command.do === 'start_transcription').length, 1);
});

test('a hang-up returns the ended call, and every further request is refused', async () => {
  const { id } = await connect(harness, voice, number.id);
  const { status, body } = await post(`/calls/${id}/hangup`);
  assert.equal(status, 200);
  assert.deepEqual([body.id, body.status, body.outcome], [id, 'completed', 'answered']);
  assert.ok(body.ended_at !== null && body.duration_seconds === 0);
  for (const [path, fields] of [
    ['hangup', undefined],
    ['dtmf', { digits: '1' }],
    ['gather', { prompt: 'Press' }],
    ['transcription', undefined],
  ] as const) {
    const reply = await post(`/calls/${id}/${path}`, fields);
    assert.deepEqual(refusal(reply), [409, 'call_not_active', undefined], path);
    assert.match(reply.body.error.message, /^The call is completed; /, path);
  }
});

test('a call whose parties are not joined accepts only a hang-up', async () => {
  const { id } = await place(harness, number.id);
  assert.equal(refusal(await post(`/calls/${id}/dtmf`, { digits: '1' }))[1], 'call_not_active');
  assert.equal(refusal(await post(`/calls/${id}/gather`, { prompt: 'Press' }))[1], 'call_not_active');
  assert.equal(refusal(await post(`/calls/${id}/transcription`))[1], 'call_not_active');
  const message = async (path: string, body: object) => (await post(`/calls/${id}/${path}`, body)).body.error.message;
  assert.equal(await message('dtmf', { digits: '1' }), 'The call is dialing; digits need one that is in_progress.');
  assert.equal(
    await message('streams', {}),
    'The call is dialing; a media stream needs one that is ringing or in_progress.',
  );
  const { body } = await post(`/calls/${id}/hangup`);
  assert.deepEqual([body.status, body.outcome], ['failed', 'canceled']);
  assert.equal(await message('hangup', {}), 'The call is failed; a hang-up needs one that has not ended.');
});

test('concurrent hang-ups end the call once', async () => {
  const { id } = await connect(harness, voice, number.id);
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(`/calls/${id}/hangup`)));
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409, 409, 409, 409]);
  const types = (await listEvents(harness, id)).map(({ type }: Json) => type);
  assert.deepEqual(types, ['call.placed', 'call.answered', 'call.completed']);
});

test('the timeline of a conversation has its messages and calls in order of time, page by page', async () => {
  const person = newPerson();
  const texts = [await sendText(harness, number.id, person, 'one')];
  const outbound = await place(harness, number.id, { to: person });
  texts.push(await sendText(harness, number.id, person, 'two'));
  const inbound = await ring(voice, number.phone_number, person);
  const path = `/conversations/${outbound.conversation_id}/timeline`;
  const { data } = await read(harness, path);
  assert.deepEqual(
    data.map(({ object, id }: Json) => [object, id]),
    [
      ['call', inbound.id],
      ['message', texts[1]?.id],
      ['call', outbound.id],
      ['message', texts[0]?.id],
    ],
  );
  assert.deepEqual(data[2], await read(harness, `/calls/${outbound.id}`));
  assert.deepEqual(data[3], await read(harness, `/messages/${texts[0]?.id}`));
  const paged: string[] = [];
  for (let after = ''; ; ) {
    const page = await read(harness, `${path}?limit=1${after}`);
    paged.push(...page.data.map(({ id }: Json) => id));
    if (!page.has_more) break;
    after = `&after=${page.next_cursor}`;
  }
  assert.deepEqual(
    paged,
    data.map(({ id }: Json) => id),
  );
});

/** Creates a live number that can call. Returns a body that places a call from it. */
async function makeLiveCaller(live: Harness) {
  const key = live.account.live_key;
  const tenant = await live.call('POST', '/v1/tenants', { key, body: { name: 'Live' } });
  const { db } = live.context;
  const [row] = await sql<{ ledger_id: number }>(db, 'select ledger_id from tenants where id = $1', [tenant.body.id]);
  await sql(
    db,
    `insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at,
       voice_connection_id)
     values ($1, 'num_live', $2, '+16025550199', 'active', '{sms,voice}', now(), carrier_default($1, 'voice'))`,
    [row?.ledger_id, tenant.body.id],
  );
  const body = { from: 'num_live', to: '+16025550143', connect_to: '+16025550144' };
  return { key, body, ledgerId: row?.ledger_id };
}

test('without a live carrier a live call is carrier_unavailable, before the balance is checked', async () => {
  const live = await startHarness({
    startWorkers: false,
    liveCarrier: ({ simulated: { voice: _, ...rest } }) => rest,
  });
  try {
    const { key, body } = await makeLiveCaller(live);
    assert.deepEqual(refusal(await live.call('POST', '/v1/calls', { key, body })), [
      503,
      'carrier_unavailable',
      undefined,
    ]);
  } finally {
    await live.close();
  }
});

test('a live call needs a balance, and may only go to the United States and Canada', async () => {
  const live = await startHarness({
    startWorkers: false,
    liveCarrier: ({ simulated }) => ({ ...simulated, voice: voice.port }),
  });
  try {
    const { key, body, ledgerId } = await makeLiveCaller(live);
    const call = (fields: object) => live.call('POST', '/v1/calls', { key, body: { ...body, ...fields } });
    assert.deepEqual(refusal(await call({ to: '+442071838750' })), [422, 'destination_not_supported', 'to']);
    assert.deepEqual(refusal(await call({})), [402, 'insufficient_balance', undefined]);
    await sql(live.context.db, 'insert into balances (ledger_id, amount_micros) values ($1, 1)', [ledgerId]);
    assert.equal((await call({})).status, 201);
  } finally {
    await live.close();
  }
});
