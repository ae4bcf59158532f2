import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../../test/support/events.ts';
import { sql } from '../../../../../test/support/jobs.ts';
import { newPerson, read, suspend } from '../../../../../test/support/messages.ts';
import { makeLine } from '../../../../../test/support/numbers.ts';
import { connect, legsOf, ring, useScriptedLine } from '../../../../../test/support/voice.ts';
import { today } from '../../../../lib/time/time.ts';

const { harness, voice } = await useScriptedLine();

const TARGETS = ['+16025550171', '+16025550172'];

/** Creates a number with a routing config. */
async function makeRouted(config: object): Promise<{ number: Json; configId: string; body: object }> {
  const { tenantId, number } = await makeLine(harness);
  const body = { tenant_id: tenantId, name: 'Office', ...config };
  const { id: configId } = await route(harness, { tenantId, number }, body);
  return { number, configId, body };
}

const toRing = (fields: object = {}) => ({ open_behavior: { type: 'ring', targets: TARGETS, ...fields } });

const dialled = (id: string) =>
  voice.instructions(id).flatMap((command) => (command.do === 'dial' ? [[command.to, command.shownAs]] : []));

test('a call rings the targets of its number, which see the caller, and emits call.started first', async () => {
  const { number } = await makeRouted(toRing());
  const from = newPerson();
  const { id } = await ring(voice, number.phone_number, from);
  await harness.advance(0);
  assert.deepEqual(
    dialled(id),
    TARGETS.map((target) => [target, from]),
  );
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual(
    [call.direction, call.from, call.to, call.status, call.phone_number_id],
    ['inbound', from, number.phone_number, 'ringing', number.id],
  );
  assert.deepEqual(
    (await listEvents(harness, id)).map(({ type }: Json) => type),
    ['call.started'],
  );
});

test('the name of a caller is on the call, in its events and on every target, cleaned; a withheld number has none', async () => {
  const { number } = await makeRouted(toRing());
  const arrive = async (from: string, callerName: string) => {
    const { id } = await ring(voice, number.phone_number, from, { callerName });
    await harness.advance(0);
    const shown = voice.instructions(id).flatMap((each) => (each.do === 'dial' ? [each.shownName] : []));
    const [started] = await listEvents(harness, id);
    return [(await read(harness, `/calls/${id}`)).caller_name, started.data.caller_name, ...shown];
  };
  const long = `Zoë\u0000  田中 ${'a'.repeat(200)}`;
  const kept = `Zoë 田中 ${'a'.repeat(73)}`;
  assert.deepEqual(await arrive(newPerson(), long), [kept, kept, kept, kept]);
  assert.deepEqual(await arrive('anonymous', 'Dana'), [null, null, undefined, undefined]);
  assert.deepEqual(await arrive('+13035550111', '(303) 555-0111'), [null, null, undefined, undefined]);
});

test('a telephone of the tenant gets the name of its contact, and an outside number never does', async () => {
  const { tenantId, number } = await makeLine(harness);
  const [front, outside] = ['sip_phone:front', TARGETS[0] as string];
  const [known, hidden, stranger] = [newPerson(), 'anonymous', newPerson()];
  const name = `Zoë\n Reyes ${'a'.repeat(200)}`;
  const contact = { tenant_id: tenantId, name: 'Zoë Reyes', phone_numbers: [known] };
  const { id } = (await harness.call('POST', '/v1/contacts', { body: contact })).body;
  // A stored name may have a form that the API refuses today.
  await sql(harness.context.db, 'update contacts set name = $2 where id = $1', [id, name]);
  const agents = { name: 'Desk', strategy: 'ring_all', agents: [front, outside] };
  const queue = await harness.call('POST', '/v1/queues', { body: { tenant_id: tenantId, ...agents } });
  assert.equal(queue.status, 201, JSON.stringify(queue.body));
  const shownTo = async (from: string, callerName?: string) => {
    const { id } = await ring(voice, number.phone_number, from, { ...(callerName !== undefined && { callerName }) });
    await harness.advance(0.1);
    const dials = voice.instructions(id).flatMap((each) => (each.do === 'dial' ? [each] : []));
    return Object.fromEntries(dials.map(({ to, shownName }) => [to, shownName]));
  };
  const send = (open_behavior: object) =>
    route(harness, { tenantId, number }, { tenant_id: tenantId, name: 'Office', open_behavior });
  const kept = `Zoë Reyes ${'a'.repeat(70)}`;
  await send({ type: 'queue', queue_id: queue.body.id });
  assert.deepEqual(await shownTo(known, 'DANA'), { [front]: kept, [outside]: 'DANA' });
  await send({ type: 'ring', targets: [front, outside] });
  assert.deepEqual(await shownTo(known, 'DANA'), { [front]: kept, [outside]: 'DANA' });
  assert.deepEqual(await shownTo(known), { [front]: kept, [outside]: undefined });
  assert.deepEqual(await shownTo(stranger, 'DANA'), { [front]: 'DANA', [outside]: 'DANA' });
  assert.deepEqual(await shownTo(hidden, 'DANA'), { [front]: undefined, [outside]: undefined });
});

test('an arrival that is reported twice, even concurrently, makes one call', async () => {
  const { number } = await makeRouted(toRing());
  const { id, event } = await ring(voice, number.phone_number);
  await voice.report(event, event);
  const other = { ...event, callRef: id.replace(/.$/, 'z'), legRef: 'leg_x' } as typeof event;
  await Promise.all(Array.from({ length: 6 }, () => voice.report(other)));
  await harness.advance(0);
  for (const callId of [id, (other as Json).callRef]) {
    assert.equal(dialled(callId).length, 2);
    assert.equal((await listEvents(harness, callId)).length, 1);
  }
  const { conversation_id } = await read(harness, `/calls/${id}`);
  const thread = await read(harness, `/conversations/${conversation_id}`);
  await harness.advance(2);
  await voice.report(event);
  assert.deepEqual(await read(harness, `/conversations/${conversation_id}`), thread);
});

test('a number that is its own target is not dialled, and the log says why', async () => {
  const { number, configId, body } = await makeRouted(toRing());
  const own = number.phone_number;
  const dialledWith = async (targets: string[]) => {
    const config = { ...body, ...toRing({ targets }) };
    assert.equal((await harness.call('PUT', `/v1/routing_configs/${configId}`, { body: config })).status, 200);
    const { id } = await ring(voice, own);
    await harness.advance(0);
    return { id, told: dialled(id).map(([to]) => to) };
  };
  const { id, told } = await dialledWith([own, TARGETS[0] as string]);
  assert.deepEqual(told, [TARGETS[0]]);
  const { events } = await read(harness, `/calls/${id}`);
  const cancelled = events.filter(({ type }: Json) => type === 'target_cancelled').map(({ detail }: Json) => detail);
  assert.deepEqual(cancelled, [{ target: own, reason: 'own_number' }]);
  const alone = await dialledWith([own]);
  assert.deepEqual(alone.told, []);
  assert.equal((await read(harness, `/calls/${alone.id}`)).status, 'missed');
});

test('a target that has become too expensive is not dialled, and the log says why', async () => {
  const { number } = await makeRouted(toRing());
  const { db } = harness.context;
  await sql(db, `insert into high_cost_prefixes (prefix) values ('16025550171')`);
  const { id } = await ring(voice, number.phone_number);
  await harness.advance(0);
  const told = dialled(id).map(([to]) => to);
  const { events } = await read(harness, `/calls/${id}`);
  await sql(db, `insert into high_cost_prefixes (prefix) values ('16025550172')`);
  const alone = await ring(voice, number.phone_number);
  await harness.advance(0);
  await sql(db, `delete from high_cost_prefixes where prefix like '1602555017%'`);
  assert.deepEqual(told, ['+16025550172']);
  const cancelled = events.filter(({ type }: Json) => type === 'target_cancelled').map(({ detail }: Json) => detail);
  assert.deepEqual(cancelled, [{ target: '+16025550171', reason: 'destination_not_supported' }]);
  const missed = await read(harness, `/calls/${alone.id}`);
  assert.deepEqual([missed.status, missed.outcome, dialled(alone.id)], ['missed', 'missed', []]);
});

test('a number without routing answers with its voicemail', async () => {
  const { number } = await makeLine(harness);
  const { id, legRef } = await ring(voice, number.phone_number);
  await harness.advance(0);
  const told = voice.instructions(id);
  assert.deepEqual(
    told.map((command) => command.do),
    ['answer', 'speak'],
  );
  assert.deepEqual(told[0], { do: 'answer', legRef });
  assert.equal((await read(harness, `/calls/${id}`)).answered_by, 'voicemail');
});

test('outside its hours a number follows its closed behavior', async () => {
  const closed = { schedule: [] };
  const { number } = await makeRouted({
    ...toRing(),
    business_hours: closed,
    closed_behavior: { type: 'voicemail', greeting_text: 'We are closed.' },
  });
  const { id } = await ring(voice, number.phone_number);
  await harness.advance(0);
  const speech = voice.instructions(id).find((command) => command.do === 'speak');
  assert.equal(speech?.do === 'speak' && speech.text, 'We are closed.');
});

test('a changed routing config applies to the next call, not to the one in progress', async () => {
  const { number, configId, body } = await makeRouted(toRing({ targets: TARGETS, strategy: 'sequential' }));
  const { id } = await ring(voice, number.phone_number);
  const changed = { ...body, ...toRing({ targets: ['+16025550179'] }) };
  await harness.call('PUT', `/v1/routing_configs/${configId}`, { body: changed });
  await harness.advance(0);
  const [first] = (await legsOf(harness, id)).filter(({ party }: Json) => party === 'agent');
  await voice.report({ type: 'leg.ended', callRef: id, legRef: first.id, cause: 'busy' });
  await harness.advance(0);
  assert.deepEqual(
    dialled(id).map(([to]) => to),
    TARGETS,
  );
  const next = await ring(voice, number.phone_number);
  await harness.advance(0);
  assert.deepEqual(
    dialled(next.id).map(([to]) => to),
    ['+16025550179'],
  );
});

test('sequential targets each ring for the full time, and then the call is missed', async () => {
  const { number } = await makeRouted(toRing({ targets: TARGETS, strategy: 'sequential', timeout_seconds: 10 }));
  const { id } = await ring(voice, number.phone_number);
  await harness.advance(5);
  assert.equal(dialled(id).length, 1);
  await harness.advance(8);
  assert.deepEqual(
    dialled(id).map(([to]) => to),
    TARGETS,
  );
  await harness.advance(10);
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.outcome], ['missed', 'missed']);
  assert.deepEqual(
    (await listEvents(harness, id)).map(({ type }: Json) => type),
    ['call.started', 'call.missed', 'call.completed'],
  );
});

test('calls to a suspended account are received as usual', async () => {
  const { number } = await makeRouted(toRing());
  await suspend(harness, 'suspended');
  const { id } = await ring(voice, number.phone_number);
  await suspend(harness, 'active');
  assert.equal((await read(harness, `/calls/${id}`)).status, 'ringing');
});

test('a call to a released number is hung up', async () => {
  const { number } = await makeLine(harness);
  await harness.call('DELETE', `/v1/phone_numbers/${number.id}`);
  const { id } = await ring(voice, number.phone_number);
  await harness.advance(0);
  assert.deepEqual(
    voice.instructions(id).map((command) => command.do),
    ['hang_up'],
  );
});

test('two targets that answer in the same report: the first is joined, the other is hung up', async () => {
  const { number } = await makeRouted(toRing());
  const { id } = await ring(voice, number.phone_number);
  await harness.advance(0);
  const legs = (await legsOf(harness, id)).filter(({ party }: Json) => party === 'agent');
  await voice.report(...legs.map(({ id: legRef }) => ({ type: 'leg.answered' as const, callRef: id, legRef })));
  await harness.advance(0);
  assert.equal((await read(harness, `/calls/${id}`)).answered_by, TARGETS[0]);
  const hungUp = voice.instructions(id).filter((command) => command.do === 'hang_up');
  assert.deepEqual(hungUp, [{ do: 'hang_up', legRef: legs[1].id, reason: 'answered_elsewhere' }]);
});

const waiting = (id: string) =>
  sql<Json>(harness.context.db, 'select ref, speaker, text from call_utterances where call_id = $1 order by ref', [id]);

const utteranceOf = (callRef: string) => (utteranceRef: string, legRef: string, text: string | null) => {
  const at = today();
  return { type: 'leg.utterance', callRef, legRef, utteranceRef, text, startedAt: at, endedAt: at } as const;
};

test('a call keeps at most 5,000 utterances, of at most 10,000 characters each', async () => {
  const { number } = await makeLine(harness);
  const { id } = await connect(harness, voice, number.id);
  const [agent] = await legsOf(harness, id);
  await harness.call('POST', `/v1/calls/${id}/transcription`);
  await sql(
    harness.context.db,
    `insert into transcript_segments (ledger_id, call_id, ref, speaker, text, occurred_at)
     select ledger_id, id, 'old_' || n, 'agent', 'Hm', now() from calls, generate_series(1, 4998) n where id = $1`,
    [id],
  );
  const utterance = utteranceOf(id);
  await voice.report(utterance('waits', agent.id, null));
  await voice.report(utterance('one', agent.id, 'x'.repeat(10_001)), utterance('two', agent.id, 'Too many'));
  await voice.report(utterance('three', agent.id, null));
  assert.deepEqual(
    (await waiting(id)).map(({ ref, text }: Json) => [ref, text?.length ?? null]),
    [
      ['one', 10_000],
      ['waits', null],
    ],
  );
});

test('an utterance of a transcribed call is kept once: with text it enters the transcript, without text a job transcribes it', async () => {
  const { number } = await makeLine(harness);
  const { id } = await connect(harness, voice, number.id);
  const [agent, customer] = await legsOf(harness, id);
  const utterance = utteranceOf(id);
  await voice.report(utterance('early', agent.id, 'Hello'));
  await harness.call('POST', `/v1/calls/${id}/transcription`);
  await voice.report(utterance('one', agent.id, 'Hello'), utterance('two', customer.id, null));
  await voice.report(utterance('one', agent.id, 'Hello'), utterance('of nobody', 'leg_none', 'Hm'));
  assert.deepEqual(await waiting(id), [{ ref: 'two', speaker: 'customer', text: null }]);
  const { segments } = await read(harness, `/calls/${id}/transcript`);
  assert.deepEqual(
    segments.map(({ speaker, text }: Json) => [speaker, text]),
    [['agent', 'Hello']],
  );
  const jobs = await sql(
    harness.context.db,
    `select queue, payload from jobs where kind = 'transcribe-utterance' and payload ->> 'callId' = $1 order by id`,
    [id],
  );
  assert.deepEqual(jobs, [{ queue: 'audio', payload: { callId: id, ref: 'two' } }]);
});

test('a message is kept once, and its call is not missed', async () => {
  const { number } = await makeLine(harness);
  const { id, legRef } = await ring(voice, number.phone_number);
  await harness.advance(0);
  const speech = voice.instructions(id).find((command) => command.do === 'speak') as { speechRef: string };
  await voice.report({ type: 'speech.ended', callRef: id, speechRef: speech.speechRef, completed: true });
  await harness.advance(3);
  const recording = voice.instructions(id).find((command) => command.do === 'start_recording') as {
    recordingRef: string;
  };
  const ended = {
    type: 'recording.ended',
    callRef: id,
    recordingRef: recording.recordingRef,
    durationMs: 2_900,
  } as const;
  await voice.report({ type: 'leg.ended', callRef: id, legRef, cause: 'hangup' }, ended);
  await voice.report(ended);
  const jobs = await sql<Json>(
    harness.context.db,
    `select payload from jobs where kind = 'keep-audio' and payload ->> 'callId' = $1`,
    [id],
  );
  assert.deepEqual(
    jobs.map(({ payload }) => payload),
    [
      {
        purpose: 'voicemail',
        callId: id,
        recordingId: recording.recordingRef,
        durationMs: 2_900,
        transcribe: true,
      },
    ],
  );
  assert.deepEqual(
    (await listEvents(harness, id)).map(({ type }: Json) => type),
    ['call.started', 'call.completed'],
  );
});

test('reports of unknown calls are skipped', async () => {
  await voice.report({ type: 'leg.answered', callRef: 'call_none', legRef: 'leg_none' });
});
