/** Who answers calls of a live key over the emulated Telnyx, by the gateway's detector, which shares the one stream. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { useTelnyxLine } from './telnyx-line.ts';

const { telnyx, harness, number, get, make, untilHas } = await useTelnyxLine();
const { control } = telnyx;

const LEAVE = { on_machine: 'leave_message', message: { text: 'This is the clinic. Please call us back.' } };

/** Places a call to a person, a machine or a fax. The answer sounds like that party. */
async function call(is: 'person' | 'machine' | 'fax', machine_detection: object, fields: object = {}) {
  const to = newPerson();
  await control.person({ phoneNumber: to, is, sounds: true, presses: '' });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to, machine_detection, ...fields });
  return { id: id as string, to };
}

const alive = async () => (await control.calls({})).filter(({ state }) => state !== 'ended').length;
const typesOf = async (id: string): Promise<string[]> =>
  (await get(`/events?resource_id=${id}&limit=100`)).data.map(({ type }: Json) => type);

async function hangUp(id: string): Promise<void> {
  await make(`/calls/${id}/hangup`, {}, 200);
  await until('no leg is left', async () => (await alive()) === 0);
}

test('a person talks with the agent from the answer on', async () => {
  const { id } = await call('person', LEAVE);
  await untilHas(`/calls/${id}`, { answered_by_kind: 'person', status: 'in_progress' });
  const { events } = await get(`/calls/${id}`);
  const types = events.map(({ type }: Json) => type);
  assert.ok(types.includes('bridged') && types.indexOf('answered') < types.indexOf('answer_classified'));
  assert.ok(!(await typesOf(id)).includes('call.machine_detected'));
  await hangUp(id);
});

test('a machine gets the message after its beep, and then the call ends', async () => {
  const { id, to } = await call('machine', LEAVE);
  await untilHas(`/calls/${id}`, { answered_by_kind: 'machine', status: 'completed', outcome: 'answered' });
  const heard = (await control.calls({})).find((leg) => leg.to === to)?.heard ?? [];
  assert.equal(heard.length, 1, JSON.stringify(heard));
  const { said, played } = await control.spans({ phoneNumber: to });
  // The sound of the answer ends with the beep.
  const [answer, message] = [said[0] ?? assert.fail(), played[0] ?? assert.fail()];
  assert.equal(played.length, 1);
  assert.ok(message.from >= answer.until, 'the message starts after the last frame of the beep');
  const { data } = await get(`/events?resource_id=${id}&type=call.greeting_ended`);
  assert.deepEqual(
    data.map((event: Json) => event.data.beep),
    [true],
  );
  await until('no leg is left', async () => (await alive()) === 0);
});

test('a fax is hung up', async () => {
  const { id } = await call('fax', { on_machine: 'hangup' });
  await untilHas(`/calls/${id}`, { answered_by_kind: 'fax', status: 'completed' });
  await until('no leg is left', async () => (await alive()) === 0);
});

test('a stream and the detector hear the same leg, and the stream goes on after the verdict', async () => {
  const { id, to } = await call('machine', { on_machine: 'continue' });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  const stream = await make(`/calls/${id}/streams`, { direction: 'fork', track: 'inbound' });
  const client = openMediaClient(`${stream.url}?token=${stream.token}`);
  await untilHas(`/calls/${id}`, { answered_by_kind: 'machine' });
  await until('the greeting has ended', async () => (await typesOf(id)).includes('call.greeting_ended'));
  const before = client.audioOf('inbound').length;
  await control.say({ phoneNumber: to, ms: 2_000 });
  const isHeard = () =>
    client
      .audioOf('inbound')
      .subarray(before)
      .some((code) => code !== 0xff);
  await until('the client hears the customer', async () => isHeard());
  await hangUp(id);
});

test('a party whose voice does not reach the gateway is of an unknown kind, and the call goes on', async () => {
  await control.set({ streamsFail: true });
  const { id } = await call('machine', { on_machine: 'hangup' });
  await untilHas(`/calls/${id}`, { answered_by_kind: 'unknown', status: 'in_progress' });
  await control.set({ streamsFail: false });
  await hangUp(id);
});

test('Telnyx is not asked to detect, and a call that does not ask has no stream', async () => {
  const to = newPerson();
  await control.person({ phoneNumber: to, is: 'machine', sounds: true });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  const asked = await sql(harness.context.db, 'select 1 from call_audio_nodes where call_id = $1', [id]);
  assert.equal(asked.length, 0);
  await hangUp(id);
  assert.equal((await get(`/calls/${id}`)).answered_by_kind, null);
});
