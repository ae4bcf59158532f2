/** Who answers calls of a live key over the emulated Telnyx, by Telnyx's own detector. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, number, get, make, untilHas } = await useTelnyxLine({ machine_detection: 'telnyx' });
const { control } = telnyx;

const MESSAGE = { on_machine: 'leave_message', message: { text: 'This is the clinic. Please call us back.' } };

/** Places a call to a person, a machine or a fax. Returns its id. */
async function call(is: 'person' | 'machine' | 'fax', machine_detection: object): Promise<{ id: string; to: string }> {
  const to = newPerson();
  await control.person({ phoneNumber: to, is, presses: '' });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to, machine_detection });
  return { id, to };
}

const alive = async () => (await control.calls({})).filter(({ state }) => state !== 'ended').length;
const typesOf = async (id: string): Promise<string[]> =>
  (await get(`/events?resource_id=${id}&limit=100`)).data.map(({ type }: { type: string }) => type);

test('a person talks with the agent', async () => {
  const { id } = await call('person', MESSAGE);
  await untilHas(`/calls/${id}`, { answered_by_kind: 'person', status: 'in_progress' });
  assert.ok(!(await typesOf(id)).includes('call.machine_detected'));
  await make(`/calls/${id}/hangup`, {}, 200);
  await until('no leg is left', async () => (await alive()) === 0);
});

test('a machine gets the message after its beep, and then the call ends', async () => {
  const { id, to } = await call('machine', MESSAGE);
  await untilHas(`/calls/${id}`, { answered_by_kind: 'machine', status: 'completed', outcome: 'answered' });
  const legs = await control.calls({});
  const heard = legs.find((leg) => leg.to === to)?.heard ?? [];
  assert.equal(heard.length, 1, JSON.stringify(heard));
  const types = await typesOf(id);
  for (const type of ['call.machine_detected', 'call.greeting_ended']) assert.ok(types.includes(type), type);
  const { events } = await get(`/calls/${id}`);
  assert.ok(events.some((entry: { type: string; detail: object }) => entry.type === 'message_left'));
  await until('no leg is left', async () => (await alive()) === 0);
});

test('a fax is hung up', async () => {
  const { id } = await call('fax', { on_machine: 'hangup' });
  await untilHas(`/calls/${id}`, { answered_by_kind: 'fax', status: 'completed' });
  await until('no leg is left', async () => (await alive()) === 0);
});

test('a call that does not ask is dialled without the detector, which Telnyx bills', async () => {
  const to = newPerson();
  await control.person({ phoneNumber: to, is: 'machine' });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await make(`/calls/${id}/hangup`, {}, 200);
  const { answered_by_kind } = await get(`/calls/${id}`);
  assert.equal(answered_by_kind, null);
});
