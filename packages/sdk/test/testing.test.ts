import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockOffsetMs } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { webhooks } from '../src/index.ts';
import { signWebhook, TestMode } from '../src/testing.ts';
import { clientOf, makeSender } from './support/sender.ts';

const harness = await useHarness();
const client = clientOf(harness);
const lab = new TestMode(client);
let people = 0;
const newPhone = () => lab.phone(`+1602555${String(3000 + people++)}`);

test('the clock moves, and what was due has happened', async () => {
  const { number } = await makeSender(client);
  const before = await lab.now();
  const sendAt = new Date(before.getTime() + 36 * 3_600_000).toISOString();
  const phone = newPhone();
  const { id } = await client.messages.send({ from: number.id, to: phone.number, body: 'Later', send_at: sendAt });
  assert.deepEqual(await phone.texts(), []);
  const after = await lab.advanceClock({ days: 1, hours: 12, minutes: 1 });
  const advancedMs = (36 * 60 + 1) * 60_000;
  assert.ok(after.getTime() - before.getTime() >= advancedMs && (await clockOffsetMs(harness)) <= advancedMs);
  assert.equal((await client.messages.get(id)).status, 'delivered');
  assert.equal((await lab.advanceClock(90)).getTime() >= after.getTime() + 90_000, true);
});

test('a person answers the newest text', async () => {
  const { number, tenant } = await makeSender(client);
  const phone = newPhone();
  await assert.rejects(phone.reply('Yes'), { code: 'invalid_argument' });
  await client.messages.send({ from: number.id, to: phone.number, body: 'Biscuit is due. Come on Monday?' });
  const text = await phone.waitForText('Monday');
  assert.equal(text.from, number.phone_number);
  const answer = await phone.reply('STOP');
  assert.deepEqual([answer.to, answer.direction], [number.phone_number, 'inbound']);
  const send = client.messages.send({ from: number.id, to: phone.number, body: 'Tuesday?' });
  await assert.rejects(send, { code: 'recipient_opted_out' });
  await phone.waitForText(/unsubscribed/i);
  assert.equal((await client.optOuts.list({ tenant_id: tenant.id })).data.length, 1);
});

test('a text that does not come is an error', async () => {
  await assert.rejects(newPhone().waitForText('anything', { timeoutMs: 100 }), { code: 'timeout' });
});

test('faults happen as often as they are set, and are cleared', async () => {
  const { number } = await makeSender(client);
  const send = async () => (await client.messages.send({ from: number.id, to: newPhone().number, body: 'Hello' })).id;
  await lab.fault('drop', { times: 1 });
  await lab.fault('delay', { delaySeconds: 3600 });
  await lab.clearFaults();
  const undisturbed = await send();
  await lab.advanceClock(5);
  assert.equal((await client.messages.get(undisturbed)).status, 'delivered');
  await lab.fault('drop', { times: 1 });
  const dropped = await send();
  // The carrier has the text when this returns. The fault applies to the next text that reaches the carrier.
  await lab.advanceClock(1);
  const next = await send();
  await lab.advanceClock(5);
  assert.equal((await client.messages.get(dropped)).status, 'queued');
  assert.equal((await client.messages.get(next)).status, 'delivered');
});

test('people on a call answer, press, speak, hang up and leave messages', async () => {
  const { number, tenant } = await makeSender(client);
  const routing = await client.routingConfigs.create({
    tenant_id: tenant.id,
    name: 'Office',
    // A number that rings and is answered only by hand.
    open_behavior: { type: 'ring', targets: ['+15005550003'], no_answer: { type: 'voicemail' } },
  });
  await client.phoneNumbers.update(number.id, { routing_config_id: routing.id });
  const answered = await newPhone().call(number.phone_number);
  const people = lab.call(answered.id);
  assert.equal((await people.answer()).status, 'in_progress');
  await people.press('5');
  await people.say('Goodbye', 'agent');
  const ended = await people.hangUp('agent');
  assert.equal(ended.outcome, 'answered');
  assert.ok(ended.events.some(({ type }) => type === 'dtmf'));

  const scripted = await newPhone().call(number.phone_number, 'ring 1, answer, press 12#, hangup');
  await lab.advanceClock(30);
  assert.equal((await client.calls.get(scripted.id)).outcome, 'answered');

  const left = await newPhone().call(number.phone_number);
  assert.equal((await lab.call(left.id).hangUp()).outcome, 'missed');

  const missed = await newPhone().call(number.phone_number);
  await lab.call(missed.id).leaveVoicemail({ seconds: 2, transcript: 'Please call back.' });
  await lab.advanceClock(30);
  const [voicemail] = (await client.voicemails.list({ tenant_id: tenant.id })).data;
  assert.equal(voicemail?.transcript, 'Please call back.');
});

test('a person who is taken over answers only by hand', async () => {
  const { number, tenant } = await makeSender(client);
  const patient = newPhone();
  const routing = await client.routingConfigs.create({
    tenant_id: tenant.id,
    name: 'Office',
    // The first phone rings for 5 s and does not answer. So the test takes over the second person before the second
    // phone rings.
    open_behavior: {
      type: 'ring',
      targets: ['+15005550003', patient.number],
      strategy: 'sequential',
      no_answer: null,
    },
  });
  await client.phoneNumbers.update(number.id, { routing_config_id: routing.id });
  const { id } = await newPhone().call(number.phone_number);
  await lab.call(id).takeOver(patient.number);
  await lab.advanceClock(30);
  const { outcome, events } = await client.calls.get(id);
  assert.equal(outcome, 'missed');
  assert.equal(events.filter(({ type }) => type === 'target_ringing').length, 2);
});

test('a signed body is a delivery', async () => {
  const secret = 'whsec_DNtU4ovYuODtpF+hSTsymXRPViAn/+H7MwT0t08ALuY=';
  const body = JSON.stringify({ type: 'message.received' });
  assert.equal((await webhooks.unwrap(body, await signWebhook(body, secret), secret)).type, 'message.received');
});

test('reset deletes the test data and sets the clock back', async () => {
  await makeSender(client);
  await lab.advanceClock({ days: 3 });
  await lab.reset();
  assert.deepEqual((await client.tenants.list()).data, []);
  assert.equal(await clockOffsetMs(harness), 0);
});
