/** Calls on the simulated network, with a manual clock. */
import assert from 'node:assert/strict';
import { type Json, listEvents } from './events.ts';
import type { Harness } from './harness.ts';
import { newPerson, read } from './messages.ts';
import type { Line } from './numbers.ts';

export const voicemail = { type: 'voicemail', greeting_text: 'Please leave a message.', transcribe: true };

export function ringing(targets: readonly string[], fields: object = {}): object {
  return { type: 'ring', targets, strategy: 'simultaneous', timeout_seconds: 20, no_answer: voicemail, ...fields };
}

/** Attaches a new routing config to a number. */
export async function route(harness: Harness, line: Line, config: object): Promise<Json> {
  const body = { tenant_id: line.tenantId, name: 'Front desk', ...config };
  const made = await harness.call('POST', '/v1/routing_configs', { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const patch = { body: { routing_config_id: made.body.id } };
  const attached = await harness.call('PATCH', `/v1/phone_numbers/${line.number.id}`, patch);
  assert.equal(attached.status, 200, JSON.stringify(attached.body));
  return made.body;
}

/** Places an inbound call to a number. */
export async function callIn(harness: Harness, line: Line, fields: object = {}): Promise<Json> {
  const body = { from: newPerson(), to: line.number.phone_number, ...fields };
  const arrived = await harness.call('POST', '/v1/test/inbound_calls', { body });
  assert.equal(arrived.status, 201, JSON.stringify(arrived.body));
  return arrived.body;
}

/** Plays a party's action. Returns the call after the action. */
export async function playParty(harness: Harness, callId: string, control: string, body: object = {}): Promise<Json> {
  const played = await harness.call('POST', `/v1/test/calls/${callId}/${control}`, { body });
  assert.equal(played.status, 200, JSON.stringify(played.body));
  return played.body;
}

/** Lets a person call a queue and ask for a callback. Returns the call, which has ended. */
export async function askForCallback(harness: Harness, line: Line, from: string): Promise<Json> {
  const body = { tenant_id: line.tenantId, name: 'Support', callback_digit: '1' };
  const { id: queue_id } = (await harness.call('POST', '/v1/queues', { body })).body;
  await route(harness, line, { open_behavior: { type: 'queue', queue_id } });
  const { id } = await callIn(harness, line, { from, script: 'wait 2, press 1, wait 30' });
  await harness.advance(20);
  const call = await readCall(harness, id);
  assert.deepEqual([call.status, call.outcome], ['completed', 'missed']);
  return call;
}

/** Calls a person from the number, and hangs up once both are connected. */
export async function callBack(harness: Harness, line: Line, to: string): Promise<void> {
  const body = { from: line.number.id, to, connect_to: newPerson() };
  const placed = await harness.call('POST', '/v1/calls', { body });
  assert.equal(placed.status, 201, JSON.stringify(placed.body));
  await harness.advance(30);
  assert.equal((await readCall(harness, placed.body.id)).outcome, 'answered');
}

export async function readCall(harness: Harness, callId: string): Promise<Json> {
  return read(harness, `/calls/${callId}`);
}

/** Checks how long the parties of an ended call were connected. On a slow machine it may be up to 3 s longer. */
export function assertTalked({ duration_seconds: seconds }: Json, expected: number): void {
  assert.ok(seconds >= expected && seconds <= expected + 3, `${seconds} s`);
}

/**
 * Returns the milliseconds between two entries in the log of a call: the first of type `from`, and the first of type
 * `to`.
 */
export function passedMs(call: Json, from: string, to: string): number {
  const at = (type: string) => Date.parse(call.events.find((entry: Json) => entry.type === type).at);
  return at(to) - at(from);
}

/** Returns the types of a call's log entries. */
export function logOf(call: Json): string[] {
  return call.events.map((entry: Json) => entry.type);
}

/** Returns the types of a resource's events, in order. */
export async function typesOf(harness: Harness, resourceId: string): Promise<string[]> {
  return (await listEvents(harness, resourceId)).map((event: Json) => event.type);
}
