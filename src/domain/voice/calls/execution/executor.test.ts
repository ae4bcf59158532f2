import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, listEvents, testLedger } from '../../../../../test/support/events.ts';
import { sql } from '../../../../../test/support/jobs.ts';
import { newPerson, read } from '../../../../../test/support/messages.ts';
import { sleep } from '../../../../../test/support/stepping-time.ts';
import { connect, legsOf, place, ring, useScriptedLine } from '../../../../../test/support/voice.ts';
import { now } from '../../../../lib/time/time.ts';
import { runLedgerDue } from '../../../../test-clock/run-due.ts';
import { stepCall, stepCallWith } from './executor.ts';

const { harness, voice, number } = await useScriptedLine();

const types = async (id: string) => (await listEvents(harness, id)).map(({ type }: Json) => type);

test('a click-to-call dials the agent, then the customer, and joins them', async () => {
  const call = await connect(harness, voice, number.id);
  await harness.advance(0);
  const told = voice.instructions(call.id);
  assert.deepEqual(
    told.map((command) => command.do),
    ['dial', 'dial', 'bridge'],
  );
  assert.deepEqual(
    told.flatMap((command) => (command.do === 'dial' ? [[command.to, command.shownAs]] : [])),
    [
      [call.connect_to, number.phone_number],
      [call.to, number.phone_number],
    ],
  );
  assert.equal(call.answered_by, call.to);
  assert.equal(call.ended_at, null);
});

test('repeated reports change nothing: the call ends once, and nothing is emitted or metered twice', async () => {
  const { id } = await connect(harness, voice, number.id);
  const [agent, customer] = await legsOf(harness, id);
  const end = { type: 'leg.ended', callRef: id, legRef: customer.id, cause: 'hangup' } as const;
  await harness.advance(61);
  await voice.report(end);
  const once = await read(harness, `/calls/${id}`);
  await voice.report(end, end);
  for (const { id: legRef } of [agent, customer]) {
    await voice.report({ type: 'leg.ringing', callRef: id, legRef }, { type: 'leg.answered', callRef: id, legRef });
  }
  await voice.report({ type: 'leg.ended', callRef: id, legRef: agent.id, cause: 'hangup' });
  await harness.advance(0);
  assert.deepEqual(await read(harness, `/calls/${id}`), once);
  assert.deepEqual(await types(id), ['call.placed', 'call.answered', 'call.completed']);
  assert.equal(once.outcome, 'answered');
  const connectedMs = Date.parse((await listEvents(harness, id))[1]?.created_at);
  const talkedS = (Date.parse(once.ended_at) - connectedMs) / 1_000;
  assert.ok(
    once.duration_seconds >= 61 && Math.abs(once.duration_seconds - talkedS) <= 1,
    `${once.duration_seconds} s`,
  );
  assert.deepEqual(
    voice.instructions(id).map((command) => command.do),
    ['dial', 'dial', 'bridge', 'hang_up'],
  );
  const usage = await sql(harness.context.db, 'select kind, quantity from usage_entries where reference = $1', [
    `call:${id}`,
  ]);
  assert.deepEqual(usage, [{ kind: 'call_minute_outbound', quantity: 2 }]);
});

test('an event shows the call as it is directly after its step', async () => {
  const { id, legRef } = await ring(voice, number.phone_number);
  await harness.advance(0);
  const { data: started } = (await listEvents(harness, id))[0];
  assert.deepEqual([started.object, started.status, started.outcome], ['call', 'ringing', null]);
  assert.equal((await read(harness, `/calls/${id}`)).answered_by, 'voicemail');
  const [key, end] = [
    { type: 'leg.digit', callRef: id, legRef, digit: '5', keyRef: 'k1' } as const,
    { type: 'leg.ended', callRef: id, legRef, cause: 'hangup' } as const,
  ];
  await voice.report(key, end);
  const events = await listEvents(harness, id);
  assert.deepEqual(
    events.map(({ type }: Json) => type),
    ['call.started', 'call.dtmf', 'call.missed', 'call.completed'],
  );
  const { occurred_at, ...dtmf } = events[1].data;
  assert.deepEqual(dtmf, { object: 'call_dtmf', call_id: id, digit: '5', pressed_by: 'customer' });
  assert.ok(Date.parse(occurred_at) > 0);
  assert.deepEqual(events[2].data, events[3].data);
  assert.deepEqual(events[3].data, await read(harness, `/calls/${id}`));
});

test('a call that ended at the carrier before its parties were connected here ends, and costs nothing', async () => {
  const { id } = await connect(harness, voice, number.id);
  const [, customer] = await legsOf(harness, id);
  const endedAt = new Date(now() - 3_600_000);
  await voice.report({ type: 'leg.ended', callRef: id, legRef: customer.id, cause: 'hangup', endedAt });
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.duration_seconds], ['completed', 0]);
  const used =
    'select 1 from usage_entries where reference = $1 union all select 1 from usage_archive where reference = $1';
  assert.deepEqual(await sql(harness.context.db, used, [`call:${id}`]), []);
});

test('an event does not show what is written after its step', async () => {
  const { id } = await connect(harness, voice, number.id);
  const ledgerId = await testLedger(harness);
  const later = { do: 'log', type: 'failed', detail: { later: true } } as const;
  await harness.context.db.transaction((tx) =>
    stepCallWith(tx, { ledgerId }, id, { inputs: [{ type: 'hang_up' }], also: [later] }),
  );
  const completed = (await listEvents(harness, id)).at(-1);
  assert.equal(completed.data.events.at(-1).type, 'hangup');
  assert.equal((await read(harness, `/calls/${id}`)).events.at(-1).type, 'failed');
});

test('concurrent steps run one at a time: none is lost, and each log entry has its own position', async () => {
  const { id, connect_to } = await connect(harness, voice, number.id);
  const [agent] = await legsOf(harness, id);
  assert.equal(agent.address, connect_to);
  const press = (n: number) =>
    voice.report({ type: 'leg.digit', callRef: id, legRef: agent.id, digit: String(n), keyRef: `key ${n}` });
  await Promise.all(Array.from({ length: 10 }, (_, n) => press(n)));
  const { events } = await read(harness, `/calls/${id}`);
  const digits = events.filter(({ type }: Json) => type === 'dtmf').map(({ detail }: Json) => detail.digit);
  assert.deepEqual(digits.toSorted(), [...'0123456789']);
  assert.equal((await types(id)).filter((type: string) => type === 'call.dtmf').length, 10);
});

test('a step is written completely or not at all', async () => {
  const { id } = await connect(harness, voice, number.id);
  const ledgerId = await testLedger(harness);
  const before = await read(harness, `/calls/${id}`);
  const rows = () =>
    sql(
      harness.context.db,
      `select (select count(*) from call_commands where call_id = $1) as commands,
         (select count(*) from jobs where id like 'call:' || $1 || ':%') as timers,
         (select pending from lanes where lane_key = $1) as pending`,
      [id],
    );
  const [stored] = await rows();
  const failing = harness.context.db.transaction(async (tx) => {
    await stepCall(tx, { ledgerId }, id, [{ type: 'hang_up' }]);
    throw new Error('crash');
  });
  await assert.rejects(failing, /crash/);
  assert.deepEqual(await read(harness, `/calls/${id}`), before);
  assert.deepEqual((await rows())[0], stored);
  assert.deepEqual(await types(id), ['call.placed', 'call.answered']);
});

test('a call of another ledger is not found', async () => {
  const { id } = await place(harness, number.id);
  const stranger = await harness.secondAccount();
  const [other] = await sql<{ id: number }>(
    harness.context.db,
    `select id from ledgers where account_id = $1 and mode = 'test'`,
    [stranger.id],
  );
  const ledgerId = (other as { id: number }).id;
  const stepped = await harness.context.db.transaction((tx) => stepCall(tx, { ledgerId }, id, [{ type: 'hang_up' }]));
  assert.equal(stepped, undefined);
  assert.equal((await read(harness, `/calls/${id}`)).status, 'dialing');
});

test('an unanswered ring ends at its time, to the second of ledger time, and exactly once', async () => {
  const { id, started_at } = await place(harness, number.id);
  await harness.advance(15);
  assert.equal((await read(harness, `/calls/${id}`)).status, 'dialing');
  await harness.advance(3_600);
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.status, call.outcome, call.duration_seconds], ['failed', 'no_answer', 0]);
  const rangMs = Date.parse(call.ended_at) - Date.parse(started_at);
  assert.ok(rangMs >= 30_000 && rangMs < 60_000, `${rangMs} ms`);
  assert.deepEqual(await types(id), ['call.placed', 'call.completed']);
  assert.equal(voice.instructions(id).at(-1)?.do, 'hang_up');
  const left = await sql(harness.context.db, `select id from jobs where id like 'call:' || $1 || ':%'`, [id]);
  assert.deepEqual(left, [], 'no timer outlives its call');
});

test('a timer that was set again expires only at its new time', async () => {
  const { id } = await place(harness, number.id);
  await harness.advance(20);
  const [agent] = await legsOf(harness, id);
  await voice.report({ type: 'leg.answered', callRef: id, legRef: agent.id });
  await harness.advance(20);
  assert.equal((await read(harness, `/calls/${id}`)).status, 'ringing', 'the customer has not rung for long');
  await harness.advance(12);
  assert.equal((await read(harness, `/calls/${id}`)).outcome, 'no_answer');
});

test('a timer that is set again while it expires has no effect; the later one does', async () => {
  const { id } = await connect(harness, voice, number.id);
  const [, customer] = await legsOf(harness, id);
  const body = { prompt: 'Press a key', max_digits: 3, timeout_ms: 5_000 };
  assert.equal((await harness.call('POST', `/v1/calls/${id}/gather`, { body })).status, 200);
  const ledgerId = await testLedger(harness);
  const { db } = harness.context;
  // The digit locks the call first. The timer's job is claimed and waits for the lock.
  let ringing: Promise<unknown> | undefined;
  await db.transaction(async (tx) => {
    await stepCall(tx, { ledgerId }, id, [{ type: 'digit', legId: customer.id, digit: '1', digitRef: 'first' }]);
    await sql(db, `update jobs set run_at = now() where id = $1`, [`call:${id}:longest`]);
    ringing = runLedgerDue(harness.workers.ledgerWork, ledgerId);
    await sleep(100);
  });
  await ringing;
  const [ended] = await sql<{ status: string }>(db, 'select status from calls where id = $1', [id]);
  assert.equal(ended?.status, 'completed', 'the longest time is up, and the call ended over the open gather');
  assert.deepEqual(await types(id), ['call.placed', 'call.answered', 'call.dtmf', 'call.gather', 'call.completed']);
});

test('a call updates the conversation with its customer at its start and at its end', async () => {
  const to = newPerson();
  await harness.call('POST', '/v1/messages', { body: { from: number.id, to, body: 'I will call you' } });
  const { conversation_id, id } = await connect(harness, voice, number.id, { to });
  const begun = await read(harness, `/conversations/${conversation_id}`);
  assert.deepEqual([begun.external_number, begun.last_message_preview], [to, 'Call']);
  await harness.advance(60);
  await harness.call('POST', `/v1/calls/${id}/hangup`);
  const ended = await read(harness, `/conversations/${conversation_id}`);
  assert.ok(Date.parse(ended.last_activity_at) - Date.parse(begun.last_activity_at) >= 60_000);
  assert.deepEqual([ended.last_activity_kind, ended.last_message_preview], ['call', 'Call']);
});

test('call.placed shows the call as the reply does, and call.answered as it is once the customer has answered', async () => {
  const placed = await place(harness, number.id);
  const { id, connect_to, to } = placed;
  const [event] = await listEvents(harness, id);
  assert.deepEqual([event.type, event.data], ['call.placed', placed]);
  assert.deepEqual(await read(harness, `/calls/${id}`), placed);
  const answer = async (party: number) => {
    const legRef = (await legsOf(harness, id))[party].id;
    await voice.report({ type: 'leg.answered', callRef: id, legRef });
  };
  await answer(0);
  assert.deepEqual(await types(id), ['call.placed'], `the agent ${connect_to} is not whom the call is for`);
  await answer(1);
  const answered = (await listEvents(harness, id))[1];
  assert.deepEqual(
    [answered.type, answered.data.status, answered.data.answered_by],
    ['call.answered', 'in_progress', to],
  );
  assert.deepEqual(answered.data, await read(harness, `/calls/${id}`));
});

test('a missed call is named in its conversation, and a later text replaces it, also one with the same words', async () => {
  const { id, legRef } = await ring(voice, number.phone_number);
  const { conversation_id, from } = await read(harness, `/calls/${id}`);
  const preview = async () => {
    const { last_activity_kind, last_message_preview } = await read(harness, `/conversations/${conversation_id}`);
    return [last_activity_kind, last_message_preview];
  };
  assert.deepEqual(await preview(), ['call', 'Call']);
  await voice.report({ type: 'leg.ended', callRef: id, legRef, cause: 'hangup' });
  assert.deepEqual(await preview(), ['missed_call', 'Missed call']);
  await harness.call('POST', '/v1/messages', { body: { from: number.id, to: from, body: 'Missed call' } });
  assert.deepEqual(await preview(), ['message', 'Missed call']);
});

test('a call has at most 500 log entries, and its end is always among them', async () => {
  const { id } = await connect(harness, voice, number.id);
  const [agent, customer] = await legsOf(harness, id);
  const digits = (from: number, count: number) =>
    Array.from({ length: count }, (_, n) => {
      const keyRef = `many ${from + n}`;
      return { type: 'leg.digit', callRef: id, legRef: agent.id, digit: '5', keyRef } as const;
    });
  for (let from = 0; from < 600; from += 100) await voice.report(...digits(from, 100));
  const full = (await read(harness, `/calls/${id}`)).events;
  assert.equal(full.length, 450);
  assert.deepEqual([full[0].type, full.at(-1).type], ['initiated', 'dtmf']);
  const end = { type: 'leg.ended', callRef: id, legRef: customer.id, cause: 'hangup' } as const;
  await harness.call('POST', `/v1/calls/${id}/gather`, { body: { prompt: 'Press a key' } });
  // The digits of one report do not use the entries that are reserved for the end.
  await voice.report(...digits(600, 300), end);
  const { events } = await read(harness, `/calls/${id}`);
  assert.ok(events.length <= 500, `${events.length} entries`);
  assert.equal(events.at(-1).type, 'hangup');
  assert.ok(events.some(({ type }: Json) => type === 'gather_finished'));
  assert.equal((await types(id)).at(-1), 'call.completed');
});

test('a caller who hides the number has no conversation', async () => {
  const { id } = await ring(voice, number.phone_number, 'anonymous');
  const call = await read(harness, `/calls/${id}`);
  assert.deepEqual([call.from, call.conversation_id], ['anonymous', null]);
});
