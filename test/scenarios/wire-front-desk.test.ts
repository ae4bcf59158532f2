/** The front desk with a live key, over a carrier behind HTTP. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useWireLine } from '../wire/wire-line.ts';

const { harness, wire, key, get, make, untilHas, tenant, number } = await useWireLine();
const { people } = wire;

const voicemail = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: true };
const ringing = (...targets: string[]) => ({ type: 'ring', targets, no_answer: voicemail });

/** A person calls the number, whose open behavior is this one. Resolves with the call's id. */
async function callIn(open_behavior: object): Promise<string> {
  const config = await make('/routing_configs', { tenant_id: tenant.id, name: 'Front desk', open_behavior });
  const patch = { key, body: { routing_config_id: config.id } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
  const { callRef } = await people.callIn({ from: newPerson(), to: number.phone_number });
  const path = `/v1/calls/${callRef}`;
  await until('the call has arrived', async () => (await harness.call('GET', path, { key })).status === 200);
  return callRef;
}

const eventsOf = async (id: string, type: string): Promise<Json[]> =>
  (await get(`/events?resource_id=${id}&type=${type}`)).data.map(({ data }: Json) => data);
const untilEvent = async (id: string, type: string): Promise<Json> => {
  await until(`${type} of ${id}`, async () => (await eventsOf(id, type)).length > 0, 20_000);
  return (await eventsOf(id, type))[0] as Json;
};
const logOf = async (id: string): Promise<string[]> => (await get(`/calls/${id}`)).events.map(({ type }: Json) => type);
const press = (callRef: string, digits: string) =>
  people.play({ callRef, control: { do: 'press_digits', party: 'customer', digits, ref: `keys ${digits}` } });

test('an application answers, speaks, is stopped, and passes the caller to a person', async () => {
  const id = await callIn(ringing('application'));
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: 'application' });
  const said = await make(`/calls/${id}/speak`, { text: 'Good morning.' });
  assert.equal((await untilEvent(id, 'call.speech.ended')).speech_id, said.speech_id);
  await make(`/calls/${id}/speak`, {
    text: 'Please hold on while I look for the right person to talk to. '.repeat(10),
  });
  await until(
    'it is being spoken',
    async () => (await logOf(id)).filter((type) => type === 'speech_started').length > 1,
  );
  await make(`/calls/${id}/speak/stop`, {}, 200);
  await until('it has stopped', async () => (await eventsOf(id, 'call.speech.ended')).length === 2);
  await make(`/calls/${id}/transfer`, { to: newPerson(), announce_text: 'A caller about a bill.' }, 202);
  await untilEvent(id, 'call.transfer.completed');
  await until('they hear each other', async () => (await logOf(id)).includes('bridged'), 20_000);
  await make(`/calls/${id}/hangup`, {}, 200);
  await until('no leg is left', async () => {
    const { legs } = await people.history({});
    return legs.filter(({ callRef }) => callRef === id).every(({ state }) => state === 'ended');
  });
});

test('an agent puts the customer on hold, and passes the customer on', async () => {
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: newPerson() });
  await until('they hear each other', async () => (await logOf(id)).includes('bridged'), 20_000);
  await make(`/calls/${id}/hold`, {}, 200);
  await make(`/calls/${id}/resume`, {}, 200);
  const to = newPerson();
  await make(`/calls/${id}/transfer`, { to }, 202);
  await untilEvent(id, 'call.transfer.completed');
  await until('the agent before has left', async () => {
    const { legs } = await people.history({});
    const agents = legs.filter(({ callRef, party }) => callRef === id && party === 'agent');
    return agents.length === 2 && agents.filter(({ state }) => state === 'ended').length === 1;
  });
  assert.ok(!(await logOf(id)).includes('failed'), 'the carrier has carried out everything');
  await make(`/calls/${id}/hangup`, {}, 200);
});

test('a caller chooses in menus, also before a prompt is over', async () => {
  const person = newPerson();
  const menu = (options: object) => ({
    type: 'menu',
    prompt: 'Please press a key now.',
    options,
    otherwise: voicemail,
  });
  const id = await callIn(menu({ '2': menu({ '1': ringing(person) }) }));
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  assert.ok(await press(id, '21'));
  await untilHas(`/calls/${id}`, { answered_by: person });
  assert.deepEqual((await eventsOf(id, 'call.menu')).map(({ path }: Json) => path).sort(), ['2', '21']);
  await make(`/calls/${id}/hangup`, {}, 200);
});

test('an application that does nothing has not answered', async () => {
  const person = newPerson();
  const id = await callIn(ringing('application', person));
  await untilHas(`/calls/${id}`, { answered_by: 'application' });
  await untilHas(`/calls/${id}`, { answered_by: person });
  await make(`/calls/${id}/hangup`, {}, 200);
});
