/** What a live key does over a carrier behind HTTP, which reports by signed callbacks. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWav } from '../../src/audio/wav.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson, refusal } from '../support/messages.ts';
import { makePortIn } from '../support/port-ins.ts';
import { useWireLine } from '../wire/wire-line.ts';

const { harness, wire, key, get, post, make, untilHas, tenant, number, closeOffice } = await useWireLine({
  request_ms: '2000',
});
const { people } = wire;

async function inboundOf(person: string): Promise<string[]> {
  const { data } = await get('/messages?direction=inbound&limit=100');
  return data.filter(({ from }: Json) => from === person).map(({ body }: Json) => body);
}

const sendTo = (to: string, body = 'Your appointment is tomorrow at 9.') =>
  make('/messages', { from: number.id, to, body });

test('the check of the connection asks the carrier', async () => {
  const findings = await harness.connections.list()[0]?.connected.check();
  assert.deepEqual(findings, [{ check: 'key', state: 'good', found: 'accepted' }]);
});

test('a text is sent once and delivered, its answer arrives, and STOP blocks the next one', async () => {
  const person = newPerson();
  const { id } = await sendTo(person);
  await untilHas(`/messages/${id}`, { status: 'delivered' });
  assert.equal(await people.carriedOut({ operation: 'messaging.send', ref: id }), 1);
  await people.textIn({ from: person, to: number.phone_number, body: 'I will be there' });
  await people.textIn({ from: person, to: number.phone_number, body: 'STOP' });
  await until('both have arrived', async () => (await inboundOf(person)).length === 2);
  assert.deepEqual((await inboundOf(person)).reverse(), ['I will be there', 'STOP']);
  const refused = await post('/messages', { from: number.id, to: person, body: 'Hello?' });
  assert.equal(refusal(refused)[1], 'recipient_opted_out');
});

test('a click-to-call connects two people, asks one of them, and has its recording and transcript', async () => {
  const [connect_to, to] = [newPerson(), newPerson()];
  const { id } = await make('/calls', { from: number.id, connect_to, to, record: true, transcribe: true });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await make(`/calls/${id}/gather`, { prompt: 'Press 1 to keep your appointment.' }, 200);
  await until('the key is known', async () => logOf(await get(`/calls/${id}`)).includes('gather_finished'), 20_000);
  const control = {
    do: 'speak',
    party: 'customer',
    text: 'Thank you, we will be there at three.',
    ref: 'thanks',
  } as const;
  assert.ok(await people.play({ callRef: id, control }));
  await until('it was said', async () => (await segmentsOf(id)).some(({ text }) => text === control.text), 20_000);
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await until('there is a recording', async () => (await get(`/calls/${id}`)).recording_id !== null);
  await assertAudible(`/recordings/${(await get(`/calls/${id}`)).recording_id}/audio`);
});

test('a caller after hours leaves a voicemail', async () => {
  await closeOffice();
  const { callRef } = await people.callIn({ from: newPerson(), to: number.phone_number });
  await until('there is a voicemail', async () => (await get('/voicemails')).data.length === 1, 40_000);
  const [voicemail] = (await get('/voicemails')).data;
  assert.equal(voicemail.call_id, callRef);
  await assertAudible(`/voicemails/${voicemail.id}/audio`);
});

test('a port-in is confirmed and completed', async () => {
  const { id } = await makePortIn(harness, tenant.id, {}, key);
  await make(`/port_ins/${id}/submit`, {}, 200);
  await untilHas(`/port_ins/${id}`, { status: 'completed' });
});

test('an emergency address is registered, and the number at it', async () => {
  const place = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };
  const address = await make('/e911_addresses', { tenant_id: tenant.id, ...place });
  const patch = { key, body: { e911_address_id: address.id } };
  const patched = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch);
  assert.equal(patched.status, 200, JSON.stringify(patched.body));
  assert.equal(patched.body.e911_address_id, address.id);
});

for (const is of ['timeout_after_acceptance', '500', '429', 'lose'] as const) {
  test(`a send that meets the fault ${is} is carried out once, and delivered`, async () => {
    // The receipt is late, so that it cannot answer what became of the send.
    const late = { event: 'message.receipt', is: 'delay', delayMs: 6_000, times: 1 } as const;
    await people.faults({ rules: [{ operation: 'messaging.send', is, times: 1 }, late] });
    const { id } = await sendTo(newPerson());
    await untilHas(`/messages/${id}`, { status: 'delivered' });
    assert.equal(await people.carriedOut({ operation: 'messaging.send', ref: id }), 1);
    assert.equal(await people.struck({}), 2);
  });

  test(`a call whose commands meet the fault ${is} is connected and ended, and each is carried out once`, async () => {
    await people.faults({ rules: [{ operation: 'voice.dispatch', is, times: 3 }] });
    const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson() });
    await untilHas(`/calls/${id}`, { status: 'in_progress' });
    await make(`/calls/${id}/hangup`, {}, 200);
    await untilHas(`/calls/${id}`, { status: 'completed' });
    assert.equal(await people.struck({}), 3);
    const repeated = (await people.repeated({})).filter((name) => name.startsWith('voice.dispatch'));
    assert.deepEqual(repeated, []);
  });
}

test('texts of a person that are reported twice, late and out of order are stored once each', async () => {
  const rules = (['duplicate', 'disorder', 'delay', 'duplicate'] as const).map(
    (is) => ({ event: 'message.received', is, times: 2 }) as const,
  );
  await people.faults({ rules });
  const person = newPerson();
  const bodies = Array.from({ length: 8 }, (_, index) => `Text ${index}`);
  for (const body of bodies) await people.textIn({ from: person, to: number.phone_number, body });
  await people.drained({});
  assert.equal(await people.struck({}), 8);
  await until('all have arrived', async () => (await inboundOf(person)).length === bodies.length);
  assert.deepEqual((await inboundOf(person)).sort(), bodies);
});

test('a call whose reports come twice and out of order is connected, and has one end', async () => {
  const rules = [
    { event: 'leg.answered', is: 'disorder', delayMs: 300, times: 1 },
    { event: 'leg.answered', is: 'duplicate', times: 1 },
    { event: 'leg.ended', is: 'duplicate', times: 2 },
  ] as const;
  await people.faults({ rules });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson() });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await until('every fault has struck', async () => (await people.struck({})) === 4);
  await people.drained({});
  const { data } = await get(`/events?resource_id=${id}&limit=100`);
  assert.equal(data.filter(({ type }: Json) => type === 'call.completed').length, 1);
});

function logOf({ events }: Json): string[] {
  return events.map(({ type }: Json) => type);
}

async function segmentsOf(callId: string): Promise<{ text: string }[]> {
  const reply = await harness.call('GET', `/v1/calls/${callId}/transcript`, { key });
  return reply.status === 200 ? reply.body.segments : [];
}

async function assertAudible(path: string): Promise<void> {
  let reply = await fetch(`${harness.url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  await until(`${path} is there`, async () => {
    reply = await fetch(`${harness.url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    return reply.status === 200;
  });
  const { pcm } = decodeWav(new Uint8Array(await reply.arrayBuffer()));
  assert.ok(
    pcm.some((sample) => Math.abs(sample) > 1_000),
    'there is no speech',
  );
}
