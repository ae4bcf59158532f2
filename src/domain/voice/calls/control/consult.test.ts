/** Consult transfers over the API. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Json, listEvents } from '../../../../../test/support/events.ts';
import { sql } from '../../../../../test/support/jobs.ts';
import { newPerson, read, refusal } from '../../../../../test/support/messages.ts';
import { connect, legsOf, useScriptedLine } from '../../../../../test/support/voice.ts';
import { makeWebClient } from '../../../../../test/support/web-clients.ts';
import { now } from '../../../../lib/time/time.ts';

const { harness, voice, number, tenantId } = await useScriptedLine();

const post = (id: string, path: string, body: object = {}) => harness.call('POST', `/v1/calls/${id}/${path}`, { body });

/** A call whose agent talks to a new one. */
async function consult(fields: object = {}) {
  const call = await connect(harness, voice, number.id, fields);
  const to = newPerson();
  const started = await post(call.id, 'transfer', { to, mode: 'consult' });
  assert.equal(started.status, 202, JSON.stringify(started.body));
  const [agent, customer, other] = (await legsOf(harness, call.id)).map(({ id }) => id);
  await voice.report({ type: 'leg.answered', callRef: call.id, legRef: other });
  await harness.advance(0);
  return { id: call.id as string, to, agent, customer, other };
}

test('complete and cancel answer with the call, and a repeat finds no consultation', async () => {
  for (const [path, result] of [
    ['complete', 'transfer_completed'],
    ['cancel', 'transfer_failed'],
  ] as const) {
    const { id, to } = await consult();
    const done = await post(id, `transfer/${path}`);
    assert.equal(done.status, 200, JSON.stringify(done.body));
    const last = done.body.events.findLast(({ type }: Json) => type.startsWith('transfer_'));
    assert.deepEqual([last.type, last.detail.to], [result, to]);
    assert.deepEqual(refusal(await post(id, `transfer/${path}`)).slice(0, 2), [409, 'no_consult_in_progress']);
  }
});

test('the event of the answer names the new agent, and comes between those of the start and the end', async () => {
  const { id, to } = await consult();
  await post(id, 'transfer/complete');
  const events = (await listEvents(harness, id)).filter(({ type }: Json) => type.startsWith('call.transfer.'));
  assert.deepEqual(
    events.map(({ type, data }: Json) => [type, data]),
    ['started', 'answered', 'completed'].map((step) => {
      return [`call.transfer.${step}`, { object: 'call_transfer', call_id: id, to, reason: null }];
    }),
  );
});

test('the voicemail cannot be talked to, a call that is over has no consultation, and an unknown mode is refused', async () => {
  const { id } = await connect(harness, voice, number.id);
  assert.deepEqual(refusal(await post(id, 'transfer', { to: 'voicemail', mode: 'consult' })), [
    400,
    'invalid_connect_to',
    'to',
  ]);
  assert.deepEqual(refusal(await post(id, 'transfer', { to: newPerson(), mode: 'blind' })), [
    400,
    'invalid_body',
    'mode',
  ]);
  await post(id, 'hangup');
  for (const path of ['complete', 'cancel']) {
    assert.deepEqual(refusal(await post(id, `transfer/${path}`)).slice(0, 2), [409, 'call_not_active']);
  }
});

test('an application cannot consult', async () => {
  const placed = await harness.call('POST', '/v1/calls', {
    body: { from: number.id, to: newPerson(), connect_to: 'application' },
  });
  const { id } = placed.body;
  const [customer] = await legsOf(harness, id);
  await voice.report({ type: 'leg.answered', callRef: id, legRef: customer.id });
  const refused = await post(id, 'transfer', { to: newPerson(), mode: 'consult' });
  assert.deepEqual(refusal(refused).slice(0, 2), [409, 'call_not_active']);
  assert.match(refused.body.error.message, /no agent/);
});

test('what agents say to each other is in no transcript; what they say to the customer is', async () => {
  const { id, agent, customer, other } = await consult({ transcribe: true });
  const say = async (legRef: string, text: string) => {
    const [row] = await sql<{ at: Date }>(
      harness.context.db,
      'select ledger_now(ledger_id) as at from calls where id = $1',
      [id],
    );
    const endedAt = row?.at ?? new Date(now());
    const startedAt = new Date(endedAt.getTime() - 500);
    const utteranceRef = `utt_${legRef}_${text.length}`;
    await voice.report({ type: 'leg.utterance', callRef: id, legRef, utteranceRef, text, startedAt, endedAt });
  };
  await harness.advance(2);
  await say(agent, 'This one is angry.');
  await say(other, 'I take it all the same.');
  await say(customer, 'Hello, are you there?');
  await post(id, 'transfer/complete');
  await harness.advance(2);
  await say(other, 'Good morning.');
  const { segments } = await read(harness, `/calls/${id}/transcript`);
  assert.deepEqual(
    segments.map(({ speaker, text }: Json) => [speaker, text]),
    [
      ['customer', 'Hello, are you there?'],
      ['agent', 'Good morning.'],
    ],
  );
});

test('a web client of the tenant can be consulted', async () => {
  const { id } = await connect(harness, voice, number.id);
  const { id: to } = await makeWebClient(harness, tenantId);
  const started = await post(id, 'transfer', { to, mode: 'consult' });
  assert.equal(started.status, 202, JSON.stringify(started.body));
});
