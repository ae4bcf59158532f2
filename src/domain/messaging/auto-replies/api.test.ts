import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, playParty, readCall, ringing, route, voicemail } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf } from '../../../../test/support/messages.ts';
import { makeLine, useLine } from '../../../../test/support/numbers.ts';
import { MAGIC } from '../../../carriers/simulated/magic-numbers.ts';
import { now } from '../../../lib/time/time.ts';
import { isAutomatic } from './automatic.ts';

const { harness } = await useLine();

const MISSED = 'Sorry that we missed your call. How can we help?';
const CLOSED = 'We are closed now, and will read this at eight.';
/** Hours of only one day of the week, three days from today. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const CLOSED_NOW = {
  business_hours: {
    schedule: [{ days: [DAYS[(new Date(now()).getUTCDay() + 3) % 7]], open: '09:00', close: '17:00' }],
  },
  closed_behavior: voicemail,
};

async function makeAnsweringLine(replies: object, routing: object = {}) {
  const line = await makeLine(harness);
  const reply = await harness.call('PATCH', `/v1/tenants/${line.tenantId}`, { body: { auto_replies: replies } });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  await route(harness, line, { open_behavior: ringing([MAGIC.neverAnswers], { no_answer: null }), ...routing });
  return line;
}

/** Lets a person call and hang up without being answered. */
async function missCall(line: Awaited<ReturnType<typeof makeLine>>, caller: string): Promise<Json> {
  const { id } = await callIn(harness, line, { from: caller });
  await harness.advance(1);
  await playParty(harness, id, 'hangup');
  await harness.advance(1);
  return readCall(harness, id);
}

const textsTo = async (person: string) => {
  await harness.advance(1);
  return (await outboxOf(harness, person)).map(({ body }: Json) => body as string);
};

test('a tenant answers nobody by itself until it says so, and bad values change nothing', async () => {
  const { tenantId } = await makeLine(harness);
  const path = `/v1/tenants/${tenantId}`;
  const none = { missed_call: null, after_hours: null, once_every_hours: 12 };
  assert.deepEqual((await harness.call('GET', path)).body.auto_replies, none);
  for (const auto_replies of [
    { missed_call: '' },
    { after_hours: 'x'.repeat(321) },
    { once_every_hours: 0 },
    { once_every_hours: 169 },
    { missed: 'x' },
  ]) {
    const refused = await harness.call('PATCH', path, { body: { auto_replies } });
    assert.deepEqual([refused.status, refused.body.error.code], [400, 'invalid_body'], JSON.stringify(auto_replies));
    assert.match(refused.body.error.param, /^auto_replies\./);
  }
  assert.deepEqual((await harness.call('GET', path)).body.auto_replies, none);
  const changed = await harness.call('PATCH', path, { body: { auto_replies: { missed_call: MISSED } } });
  assert.deepEqual(changed.body.auto_replies, { ...none, missed_call: MISSED });
  const again = await harness.call('PATCH', path, { body: { auto_replies: { once_every_hours: 1 } } });
  assert.deepEqual(again.body.auto_replies, { ...none, missed_call: MISSED, once_every_hours: 1 });
});

test('a caller whom nobody answered gets one text in a period, in the conversation, as a send of the tenant', async () => {
  const line = await makeAnsweringLine({ missed_call: MISSED, once_every_hours: 2 });
  const caller = newPerson();
  const call = await missCall(line, caller);
  assert.equal(call.outcome, 'missed');
  assert.deepEqual(await textsTo(caller), [MISSED]);
  const { data } = (await harness.call('GET', `/v1/messages?to=${encodeURIComponent(caller)}`)).body;
  assert.deepEqual(
    data.map(({ metadata, conversation_id }: Json) => [metadata, conversation_id]),
    [[{ auto_reply: 'missed_call' }, call.conversation_id]],
  );
  await missCall(line, caller);
  assert.deepEqual(await textsTo(caller), [MISSED]);
  await harness.advance(2 * 3_600);
  await missCall(line, caller);
  assert.deepEqual(await textsTo(caller), [MISSED, MISSED]);
});

test('a caller who leaves a message was answered by nobody either', async () => {
  const line = await makeAnsweringLine(
    { missed_call: MISSED },
    { open_behavior: ringing([newPerson()], { no_answer: voicemail }) },
  );
  const caller = newPerson();
  const { id } = await callIn(harness, line, { from: caller });
  await harness.advance(0);
  await harness.call('POST', `/v1/test/calls/${id}/voicemail`, { body: {} });
  await harness.advance(30);
  assert.equal((await readCall(harness, id)).outcome, 'voicemail');
  assert.deepEqual(await textsTo(caller), [MISSED]);
});

test('a text outside of the hours is answered once, and one within them never', async () => {
  const closed = await makeAnsweringLine({ after_hours: CLOSED }, CLOSED_NOW);
  const open = await makeAnsweringLine({ after_hours: CLOSED });
  const person = newPerson();
  await arrive(harness, person, open.number.phone_number, 'Are you there?');
  assert.deepEqual(await textsTo(person), []);
  for (let n = 0; n < 3; n++) await arrive(harness, person, closed.number.phone_number, 'Are you there?');
  assert.deepEqual(await textsTo(person), [CLOSED]);
  const other = newPerson();
  assert.equal((await missCall(closed, other)).route.branch, 'closed');
  assert.deepEqual(await textsTo(other), [CLOSED], 'a call outside of the hours has the same answer');
});

test('people who opted out, short codes, keywords and machines get no answer', async () => {
  const line = await makeAnsweringLine({ missed_call: MISSED, after_hours: CLOSED }, CLOSED_NOW);
  const { phone_number: number } = line.number;
  const [opted, machine, keyword] = [newPerson(), newPerson(), newPerson()];
  await arrive(harness, opted, number, 'STOP');
  const before = await textsTo(opted);
  await missCall(line, opted);
  assert.deepEqual(await textsTo(opted), before);
  await arrive(harness, machine, number, 'Automatic reply: I am away until Monday.');
  assert.deepEqual(await textsTo(machine), []);
  await arrive(harness, '72345', number, 'Your code is 123.');
  assert.deepEqual(await textsTo('72345'), []);
  await arrive(harness, keyword, number, 'HELP');
  assert.equal((await textsTo(keyword)).includes(CLOSED), false);
});

test('two tenants that answer each other stop after one round', async () => {
  const one = await makeAnsweringLine({ after_hours: CLOSED }, CLOSED_NOW);
  const two = await makeAnsweringLine({ after_hours: 'Closed here too.' }, CLOSED_NOW);
  const body = { from: one.number.id, to: two.number.phone_number, body: 'Hello?' };
  assert.equal((await harness.call('POST', '/v1/messages', { body })).status, 201);
  await harness.advance(600);
  const between = await sql(
    harness.context.db,
    `select body, direction from messages where tenant_id in ($1, $2) and direction = 'outbound' order by id`,
    [one.tenantId, two.tenantId],
  );
  assert.deepEqual(
    between.map(({ body: text }: Json) => text),
    ['Hello?', 'Closed here too.', CLOSED],
  );
  await harness.advance(3 * 3_600);
  const later = await sql(
    harness.context.db,
    `select 1 from messages where tenant_id in ($1, $2) and direction = 'outbound'`,
    [one.tenantId, two.tenantId],
  );
  assert.equal(later.length, between.length);
});

test('a sender that answers everything is answered once in a period', async () => {
  const line = await makeAnsweringLine({ after_hours: CLOSED }, CLOSED_NOW);
  const echo = newPerson();
  for (let n = 0; n < 5; n++) {
    await arrive(harness, echo, line.number.phone_number, CLOSED);
    await harness.advance(60);
  }
  assert.deepEqual(await textsTo(echo), [CLOSED]);
});

test('a refused reply is not sent later, and a job that runs twice sends once', async () => {
  const line = await makeAnsweringLine({ missed_call: MISSED });
  const caller = newPerson();
  const call = await missCall(line, caller);
  const payload = {
    cause: 'missed_call',
    source: call.id,
    number: line.number.phone_number,
    person: caller,
    isClosed: false,
  };
  await sql(
    harness.context.db,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at, due_at)
     select ledger_id, $1, 'audio', 'auto_reply', $2, clock_timestamp(), clock_timestamp() from calls where id = $3`,
    [`auto_reply:${call.id}`, JSON.stringify(payload), call.id],
  );
  assert.deepEqual(await textsTo(caller), [MISSED]);
  await harness.settled();
  assert.deepEqual(await textsTo(caller), [MISSED]);
});

test('what machines say of themselves is known, and ordinary texts are not taken for it', () => {
  for (const text of [
    'Auto-reply: out until 5',
    'AUTOMATED MESSAGE - this line is not monitored',
    "I'm driving with Focus turned on",
    'I’m driving right now',
    'Thanks! We have received your message and will answer within 24 hours.',
    'This number does not accept texts. Please do not reply.',
    'Respuesta automática: estamos cerrados',
    'Réponse automatique : absent',
    'Out of office until 3 May',
  ]) {
    assert.equal(isAutomatic(text), true, text);
  }
  for (const text of [
    'Can I bring my dog?',
    'I am driving over now, be there in ten',
    'Is my car ready?',
    'Please reply when you can',
    'Is the automatic door still broken?',
    'No, reply to my email please',
    'My transmission is automatic',
  ]) {
    assert.equal(isAutomatic(text), false, text);
  }
});
