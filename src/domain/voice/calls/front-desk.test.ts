/** Operations on calls with connected parties, and calls of an application, over the API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passedMs } from '../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { connect, legsOf, place, ring, useScriptedLine } from '../../../../test/support/voice.ts';

const { harness, voice, tenantId, number } = await useScriptedLine();

const post = (path: string, body?: object) =>
  harness.call('POST', `/v1${path}`, { ...(body !== undefined && { body }) });
const act = async (id: string, operation: string, body?: object, status = 200): Promise<Json> => {
  const reply = await post(`/calls/${id}/${operation}`, body);
  assert.equal(reply.status, status, JSON.stringify(reply.body));
  return reply.body;
};
const eventsOf = async (id: string, type: string) =>
  (await listEvents(harness, id)).filter((event: Json) => event.type === type).map(({ data }: Json) => data);
const lastDone = (id: string) => voice.instructions(id).at(-1);

/** A call of the application to a customer who has answered. */
async function serve(fields: object = {}): Promise<Json> {
  const { id } = await place(harness, number.id, { connect_to: 'application', ...fields });
  const [customer] = await legsOf(harness, id);
  await voice.report({ type: 'leg.answered', callRef: id, legRef: customer.id });
  return await read(harness, `/calls/${id}`);
}

test('a call of the application dials the customer, and is answered by it', async () => {
  const call = await serve();
  await harness.advance(0);
  assert.deepEqual(
    voice.instructions(call.id).map((command) => command.do),
    ['dial'],
  );
  assert.deepEqual([call.status, call.connect_to, call.answered_by], ['in_progress', 'application', 'application']);
  const [answer] = await eventsOf(call.id, 'call.answered');
  assert.equal(answer.answered_by, 'application');
});

test('an application that does nothing within ten seconds has not answered', async () => {
  const { id } = await serve();
  await harness.advance(5);
  assert.equal((await read(harness, `/calls/${id}`)).status, 'in_progress');
  await harness.advance(6);
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.outcome], ['failed', 'no_application']);
  assert.ok(passedMs(call, 'answered', 'failed') >= 10_000);
  const listed = await read(harness, '/calls?outcome=no_application');
  assert.ok(listed.data.some((each: Json) => each.id === id));
});

test('a caller of a number whose target is the application is answered at once', async () => {
  const line = await makeLine(harness);
  const open_behavior = { type: 'ring', targets: [newPerson(), 'application'] };
  const { body: config } = await post('/routing_configs', { tenant_id: line.tenantId, name: 'Agent', open_behavior });
  await harness.call('PATCH', `/v1/phone_numbers/${line.number.id}`, { body: { routing_config_id: config.id } });
  const { id } = await ring(voice, line.number.phone_number);
  await harness.advance(0);
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.answered_by], ['in_progress', 'application']);
  await harness.advance(11);
  assert.deepEqual(
    voice.instructions(id).map((command) => command.do),
    ['answer', 'hold', 'dial'],
    'the other target rings if the application does nothing',
  );
});

test('a text is spoken, and its end is an event', async () => {
  const { id } = await serve();
  const said = await act(id, 'speak', { text: 'Good morning.' }, 201);
  assert.deepEqual([said.call_id, said.status], [id, 'speaking']);
  assert.match(said.speech_id, /^spc_/);
  await harness.advance(0);
  const [customer] = await legsOf(harness, id);
  const { speech_id: speechRef } = said;
  assert.deepEqual(lastDone(id), {
    do: 'speak',
    speechRef,
    legRefs: [customer.id],
    text: 'Good morning.',
    purpose: 'announcement',
  });
  await voice.report({ type: 'speech.ended', callRef: id, speechRef, completed: true });
  assert.deepEqual(await eventsOf(id, 'call.speech.ended'), [
    { object: 'call_speech', call_id: id, speech_id: speechRef, completed: true },
  ]);
});

test('what the application says is in the transcript, in order', async () => {
  const { id } = await serve({ transcribe: true });
  const { speech_id: speechRef } = await act(id, 'speak', { text: 'Good morning.' }, 201);
  await voice.report({ type: 'speech.ended', callRef: id, speechRef, completed: true });
  const { segments } = await read(harness, `/calls/${id}/transcript`);
  assert.deepEqual(
    segments.map(({ speaker, text }: Json) => [speaker, text]),
    [['agent', 'Good morning.']],
  );
  const [segment] = await eventsOf(id, 'call.transcript');
  assert.deepEqual([segment.speaker, segment.text], ['agent', 'Good morning.']);
});

test('a stop breaks off what is spoken', async () => {
  const { id } = await serve();
  const first = await act(id, 'speak', { text: 'One.' }, 201);
  const second = await act(id, 'speak', { text: 'Two.' }, 201);
  assert.deepEqual(await act(id, 'speak/stop'), { call_id: id, status: 'stopped' });
  await harness.advance(0);
  assert.deepEqual(lastDone(id), { do: 'stop_speech', speechRef: first.speech_id });
  assert.deepEqual(
    (await eventsOf(id, 'call.speech.ended')).map((data: Json) => [data.speech_id, data.completed]),
    [
      [first.speech_id, false],
      [second.speech_id, false],
    ],
  );
  assert.deepEqual(await act(id, 'speak/stop'), { call_id: id, status: 'stopped' }, 'nothing is left to stop');
});

test('a transfer has its events, its entries in the log, and the call as its reply', async () => {
  const { id } = await connect(harness, voice, number.id);
  const to = newPerson();
  const reply = await act(id, 'transfer', { to, announce_text: 'A caller about a bill.' }, 202);
  assert.deepEqual([reply.object, reply.id, reply.status], ['call', id, 'in_progress']);
  await harness.advance(0);
  const leg = (await legsOf(harness, id)).at(-1);
  await voice.report({ type: 'leg.answered', callRef: id, legRef: leg.id });
  await harness.advance(0);
  const spoken = lastDone(id);
  assert.ok(spoken?.do === 'speak' && spoken.text === 'A caller about a bill.');
  await voice.report({ type: 'speech.ended', callRef: id, speechRef: spoken.speechRef, completed: true });
  await harness.advance(0);
  assert.deepEqual(lastDone(id), { do: 'bridge', legRefs: [leg.id, (await legsOf(harness, id))[1].id] });
  for (const type of ['call.transfer.started', 'call.transfer.completed']) {
    assert.deepEqual(await eventsOf(id, type), [{ object: 'call_transfer', call_id: id, to, reason: null }], type);
  }
  const log = (await read(harness, `/calls/${id}`)).events.map((entry: Json) => entry.type);
  assert.ok(log.includes('transfer_started') && log.includes('transfer_completed'), String(log));
});

test('a transfer that nobody answers fails with its reason after ring_seconds', async () => {
  const { id } = await connect(harness, voice, number.id);
  const to = newPerson();
  await act(id, 'transfer', { to, ring_seconds: 5 }, 202);
  await harness.advance(6);
  assert.deepEqual(await eventsOf(id, 'call.transfer.failed'), [
    { object: 'call_transfer', call_id: id, to, reason: 'no_answer' },
  ]);
  assert.equal(lastDone(id)?.do, 'resume');
  assert.equal((await read(harness, `/calls/${id}`)).status, 'in_progress');
});

test('a transfer to the voicemail greets the customer', async () => {
  const { id } = await connect(harness, voice, number.id);
  await act(id, 'transfer', { to: 'voicemail' }, 202);
  await harness.advance(0);
  const spoken = lastDone(id);
  assert.ok(spoken?.do === 'speak' && spoken.purpose === 'greeting');
});

test('the party of a transfer is checked like the agent of a new call', async () => {
  const call = await connect(harness, voice, number.id);
  for (const [to, expected] of [
    ['agent', [400, 'invalid_connect_to', 'to']],
    ['application', [400, 'invalid_connect_to', 'to']],
    ['+1602555', [400, 'invalid_connect_to', 'to']],
    [number.phone_number, [400, 'invalid_connect_to', 'to']],
    [call.to, [400, 'invalid_connect_to', 'to']],
    [call.connect_to, [400, 'invalid_connect_to', 'to']],
    ['+16054551234', [422, 'destination_not_supported', 'to']],
    ['wcl_00000000000000000000000000', [404, 'web_client_not_found', 'to']],
    [undefined, [400, 'missing_fields', 'to']],
  ] as const) {
    assert.deepEqual(refusal(await post(`/calls/${call.id}/transfer`, { to })), expected, String(to));
  }
  const { body } = await post(`/calls/${call.id}/transfer`, { to: 'agent' });
  assert.match(body.error.message, /^"to" is neither a number in E\.164 form, nor the id of a web client/);
  for (const [fields, param] of [
    [{ ring_seconds: 4 }, 'ring_seconds'],
    [{ ring_seconds: 61 }, 'ring_seconds'],
    [{ on_no_answer: 'retry' }, 'on_no_answer'],
    [{ announce_text: ' ' }, 'announce_text'],
  ] as const) {
    const reply = await post(`/calls/${call.id}/transfer`, { to: newPerson(), ...fields });
    assert.deepEqual(refusal(reply), [400, 'invalid_body', param]);
  }
  assert.equal((await legsOf(harness, call.id)).length, 2, 'nobody is dialled');
});

test('hold and resume are idempotent, and are in the log once', async () => {
  const { id } = await connect(harness, voice, number.id);
  const [, customer] = await legsOf(harness, id);
  for (const operation of ['hold', 'hold', 'resume', 'resume']) {
    assert.equal((await act(id, operation)).id, id);
  }
  await harness.advance(0);
  assert.deepEqual(voice.instructions(id).slice(-2), [
    { do: 'hold', legRef: customer.id, audioRef: null },
    { do: 'resume', legRef: customer.id },
  ]);
  const log = (await read(harness, `/calls/${id}`)).events.map((entry: Json) => entry.type);
  assert.deepEqual(log.slice(-2), ['held', 'resumed']);
});

test('hold audio is that of the routing config of the number', async () => {
  const line = await makeLine(harness);
  const open_behavior = { type: 'ring', targets: ['application', newPerson()] };
  const { body: config } = await post('/routing_configs', { tenant_id: line.tenantId, name: 'Music', open_behavior });
  await harness.call('PATCH', `/v1/phone_numbers/${line.number.id}`, { body: { routing_config_id: config.id } });
  await sql(
    harness.context.db,
    `with made as (
       insert into hold_audio (ledger_id, id, url, status, blob_key, created_at)
       select ledger_id, 'hold_1', 'https://media.example.com/hold.mp3', 'ready', 'hold/1.8000', now()
       from routing_configs where id = $1
       returning ledger_id, id
     )
     update routing_configs r set hold_audio_id = made.id from made where r.ledger_id = made.ledger_id and r.id = $1`,
    [config.id],
  );
  const held = async (id: string) => {
    await harness.advance(0);
    return voice.instructions(id).flatMap((command) => (command.do === 'hold' ? [command.audioRef] : []));
  };
  const { id: onHold } = await connect(harness, voice, line.number.id);
  await act(onHold, 'hold');
  assert.deepEqual(await held(onHold), ['hold/1.8000']);
  const { id: transferred } = await connect(harness, voice, line.number.id);
  await act(transferred, 'transfer', { to: newPerson() }, 202);
  assert.deepEqual(await held(transferred), ['hold/1.8000']);
  const { id: rung } = await ring(voice, line.number.phone_number);
  await harness.advance(0);
  await harness.advance(11);
  assert.deepEqual(await held(rung), ['hold/1.8000'], 'while others ring after an idle application');
});

test('a call whose parties are not connected refuses all of it, and says why', async () => {
  const ringing = await place(harness, number.id);
  const { id: over } = await connect(harness, voice, number.id);
  await act(over, 'hangup');
  for (const id of [ringing.id, over]) {
    for (const [operation, body] of [
      ['speak', { text: 'Hello.' }],
      ['speak/stop', undefined],
      ['transfer', { to: newPerson() }],
      ['hold', undefined],
      ['resume', undefined],
    ] as const) {
      const reply = await post(`/calls/${id}/${operation}`, body);
      assert.deepEqual(refusal(reply), [409, 'call_not_active', undefined], operation);
      assert.match(reply.body.error.message, /^The call is /, operation);
    }
  }
});

test('a speech needs words, and an agent to hear what is meant for one', async () => {
  const { id } = await serve();
  for (const [body, expected] of [
    [{ text: '' }, [400, 'missing_fields', 'text']],
    [{ text: ' \n' }, [400, 'missing_fields', 'text']],
    [{ text: 'x'.repeat(2_001) }, [400, 'invalid_body', 'text']],
    [{ text: 'Hello.', to: 'all' }, [400, 'invalid_body', 'to']],
    [{ text: 'Hello.', to: 'agent' }, [409, 'call_not_active', undefined]],
  ] as const) {
    assert.deepEqual(refusal(await post(`/calls/${id}/speak`, body)), expected, JSON.stringify(body).slice(0, 60));
  }
  assert.equal((await post(`/calls/${id}/speak`, { text: 'x'.repeat(2_000), to: 'both' })).status, 201);
});

test("a tenant's key controls only its own calls", async () => {
  const other = await makeLine(harness);
  const key = await harness.tenantKey(tenantId);
  const { id } = await place(harness, other.number.id);
  const reply = await harness.call('POST', `/v1/calls/${id}/hold`, { key });
  assert.deepEqual(refusal(reply).slice(0, 2), [403, 'tenant_restricted_key']);
});
