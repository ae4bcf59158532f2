/** Holds, transfers, software that answers, and recordings of calls of a live key over the emulated Telnyx. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeWav } from '../../src/audio/wav.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, key, tenantId, number, get, make, untilHas, withFaults } = await useTelnyxLine();
const { control } = telnyx;

const voicemail = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: false };

/** A person calls the number, whose open behavior is this one. Resolves with the call's id and the caller. */
async function callIn(open_behavior: object) {
  const config = await make('/routing_configs', { tenant_id: tenantId, name: 'Front desk', open_behavior });
  const patch = { key, body: { routing_config_id: config.id } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  const caller = newPerson();
  await control.person({ phoneNumber: caller, hangsUpAfterMs: null, saysMs: 0 });
  await control.callIn({ from: caller, to: number.phone_number });
  const find = async () => (await get('/calls?limit=20')).data.find(({ from }: Json) => from === caller);
  await until('the call has arrived', async () => (await find()) !== undefined);
  return { id: (await find()).id as string, caller };
}

async function connect(fields: object = {}) {
  const [agent, customer] = [newPerson(), newPerson()];
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: customer, ...fields });
  await until(
    'they hear each other',
    async () => (await legOf(agent))?.partner === (await legOf(customer))?.call_control_id,
  );
  await until('the bridge is reported', async () => (await logOf(id)).includes('bridged'));
  return { id, agent, customer };
}

const logOf = async (id: string): Promise<string[]> => (await get(`/calls/${id}`)).events.map(({ type }: Json) => type);
const eventsOf = async (id: string, type: string): Promise<Json[]> =>
  (await get(`/events?resource_id=${id}&type=${type}`)).data.map(({ data }: Json) => data);
const untilEvent = (id: string, type: string, times = 1) =>
  until(`${type} of ${id}`, async () => (await eventsOf(id, type)).length >= times, 20_000);
const legOf = async (person: string) => (await control.calls({})).findLast((leg) => leg.person === person);

/** The tones that a person has heard in the last half second. */
async function hearingOf(person: string) {
  const leg = (await legOf(person)) ?? assert.fail(`${person} is on no call`);
  return await control.heard({ callControlId: leg.call_control_id, lastMs: 500 });
}

/** Hangs a call up. Fails unless the legs of these people end. */
async function hangUp(id: string, ...people: string[]): Promise<void> {
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  const areOver = async () => (await Promise.all(people.map(legOf))).every((leg) => leg?.state === 'ended');
  await until('no leg is left', areOver);
}

/** The notes of the built-in hold audio. */
const HOLD_HZ = [390, 590];
const hearsHold = async (person: string) => (await hearingOf(person)).peaksHz.some((hz) => HOLD_HZ.includes(hz));

test('a customer on hold hears hold audio, is not heard, and hears the agent again afterwards', async () => {
  const { id, agent, customer } = await connect();
  await make(`/calls/${id}/hold`, {}, 200);
  await until('the customer hears hold audio', () => hearsHold(customer), 20_000);
  assert.equal((await legOf(customer))?.partner, null);
  assert.equal((await legOf(agent))?.state, 'answered');
  await make(`/calls/${id}/resume`, {}, 200);
  await until(
    'they are joined again',
    async () => (await legOf(agent))?.partner === (await legOf(customer))?.call_control_id,
  );
  await control.say({ phoneNumber: agent, ms: 1_500 });
  await until('the customer hears the agent alone', async () => {
    const { level } = await hearingOf(customer);
    return level > 1_000 && !(await hearsHold(customer));
  });
  await hangUp(id, agent, customer);
});

test('a speech to a customer on hold is heard over the hold audio, which goes on', async () => {
  const { id, customer } = await connect();
  await make(`/calls/${id}/hold`, {}, 200);
  await until('the customer hears hold audio', () => hearsHold(customer), 20_000);
  await make(`/calls/${id}/speak`, { text: 'We will be with you in a moment.' });
  await untilEvent(id, 'call.speech.ended');
  assert.equal((await eventsOf(id, 'call.speech.ended'))[0]?.completed, true);
  await until('the hold audio goes on', () => hearsHold(customer));
  await hangUp(id, customer);
});

test('an application answers, speaks, is stopped, and passes the caller to a person', async () => {
  const { id, caller } = await callIn({ type: 'ring', targets: ['application'], no_answer: voicemail });
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: 'application' });
  await make(`/calls/${id}/speak`, { text: 'Good morning.' });
  await untilEvent(id, 'call.speech.ended');
  await make(`/calls/${id}/speak`, { text: 'Please wait until somebody is free to talk to you. '.repeat(10) });
  await until('it is spoken', async () => (await logOf(id)).filter((type) => type === 'speech_started').length > 1);
  await make(`/calls/${id}/speak/stop`, {}, 200);
  await untilEvent(id, 'call.speech.ended', 2);
  const next = newPerson();
  await make(`/calls/${id}/transfer`, { to: next, announce_text: 'A caller about a bill.' }, 202);
  await untilEvent(id, 'call.transfer.completed');
  await until('they are joined', async () => (await legOf(next))?.partner === (await legOf(caller))?.call_control_id);
  await hangUp(id, caller, next);
});

test('an agent passes a customer on, and leaves', async () => {
  const { id, agent, customer } = await connect();
  const next = newPerson();
  await make(`/calls/${id}/transfer`, { to: next }, 202);
  await untilEvent(id, 'call.transfer.completed');
  await until('the agent has left', async () => (await legOf(agent))?.state === 'ended');
  await until('they are joined', async () => (await legOf(next))?.partner === (await legOf(customer))?.call_control_id);
  await hangUp(id, agent, customer, next);
});

test('a caller chooses in a menu', async () => {
  const target = newPerson();
  const menu = {
    type: 'menu',
    prompt: 'Press 1 for appointments.',
    options: { 1: { type: 'ring', targets: [target], no_answer: voicemail } },
    otherwise: voicemail,
  };
  const { id, caller } = await callIn(menu);
  await until('the menu is spoken', async () => ((await legOf(caller))?.heard.length ?? 0) > 0, 20_000);
  await control.press({ phoneNumber: caller, digits: '1' });
  await until(
    'they are joined',
    async () => (await legOf(target))?.partner === (await legOf(caller))?.call_control_id,
    20_000,
  );
  await hangUp(id, caller, target);
});

test('keys are played to the customer', async () => {
  const { id, customer } = await connect();
  await make(`/calls/${id}/dtmf`, { digits: '12#' }, 200);
  await until('they have arrived', async () => (await legOf(customer))?.digitsSent === '12#');
  await hangUp(id, customer);
});

for (const [what, settings] of [
  ['whose link still works', {}],
  ['whose link has died', { recordingLifeMs: 0 }],
] as const) {
  test(`a recording ${what} is kept here`, async () => {
    await control.set(settings);
    const { id, customer } = await connect({ record: true });
    await until('it is being recorded', async () => (await logOf(id)).includes('recording_started'), 20_000);
    await control.say({ phoneNumber: customer, ms: 1_000 });
    await control.callsQuiet({});
    await hangUp(id, customer);
    // The product has taken the report with the link.
    await control.callsQuiet({});
    await control.set({ recordingLifeMs: 600_000 });
    await until('there is a recording', async () => (await get(`/calls/${id}`)).recording_id !== null, 30_000);
    const { recording_id } = await get(`/calls/${id}`);
    const headers = { authorization: `Bearer ${key}` };
    const reply = await fetch(`${harness.url}/v1/recordings/${recording_id}/audio`, { headers });
    const { pcm } = decodeWav(new Uint8Array(await reply.arrayBuffer()));
    assert.ok(
      pcm.some((sample) => Math.abs(sample) > 1_000),
      'it is silent',
    );
  });
}

for (const request of ['bridge', 'playback_start', 'playback_stop', 'record_start'] as const) {
  test(`${request} whose answer is lost is carried out, and the call goes on`, async () => {
    const operation = `POST /calls/{id}/actions/${request}`;
    await withFaults([{ request: operation, is: 'timeout_after_acceptance', times: 1 }], async () => {
      const { id, customer } = await connect({ record: true });
      await make(`/calls/${id}/hold`, {}, 200);
      await until('the customer hears hold audio', () => hearsHold(customer), 30_000);
      await make(`/calls/${id}/resume`, {}, 200);
      await until('they are joined again', async () => (await legOf(customer))?.partner !== null, 30_000);
      await hangUp(id, customer);
    });
  });
}
