import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../../../test/support/events.ts';
import { newPerson, read } from '../../../../../test/support/messages.ts';
import { makeLine } from '../../../../../test/support/numbers.ts';
import { connect, legsOf, ring, useScriptedLine } from '../../../../../test/support/voice.ts';
import type { LegEndCause } from '../../../../carriers/ports/voice.ts';

const { harness, voice } = await useScriptedLine();

const TARGETS = ['+16025550171', '+16025550172'];
const VOICEMAIL = { type: 'voicemail', greeting_text: 'Please leave a message.' };
const RING = { type: 'ring', targets: TARGETS, no_answer: VOICEMAIL };
const CLOSED = { business_hours: { schedule: [] } };

/** Calls a new number with a routing config, from a new person. */
async function arrive(config: object | null) {
  const line = await makeLine(harness);
  const configId = config === null ? null : (await route(harness, line, { open_behavior: RING, ...config })).id;
  const from = newPerson();
  const { id, legRef } = await ring(voice, line.number.phone_number, from);
  await harness.advance(0);
  return { ...line, id, legRef, from, configId };
}

const routeOf = async (id: string): Promise<Json> => (await read(harness, `/calls/${id}`)).route;
const why = async (id: string) => {
  const { branch, reason } = await routeOf(id);
  return [branch, reason];
};
const end = (callRef: string, legRef: string, cause: LegEndCause) =>
  voice.report({ type: 'leg.ended', callRef, legRef, cause });

async function endTargets(id: string, cause: LegEndCause): Promise<void> {
  for (const { id: legRef, party } of await legsOf(harness, id)) if (party === 'agent') await end(id, legRef, cause);
  await harness.advance(0);
}

test('a call has the routing config, the branch and the moment from its start, and the reason once it is decided', async () => {
  const { id, configId } = await arrive({});
  const { route: first, started_at } = await read(harness, `/calls/${id}`);
  assert.deepEqual(first, { routing_config_id: configId, branch: 'open', reason: null, at: started_at });
  const [, target] = await legsOf(harness, id);
  await voice.report({ type: 'leg.answered', callRef: id, legRef: target.id });
  await harness.advance(0);
  assert.deepEqual(await routeOf(id), { ...first, reason: 'answered' });
  const shown = (await listEvents(harness, id)).map(({ type, data }: Json) => [type, data.route.reason]);
  assert.deepEqual(shown, [
    ['call.started', null],
    ['call.answered', 'answered'],
  ]);
});

test('closed hours and a number without routing each have their reason at once', async () => {
  assert.deepEqual(await why((await arrive({ ...CLOSED, closed_behavior: VOICEMAIL })).id), ['closed', 'closed']);
  const { id } = await arrive(null);
  const { started_at: at } = await read(harness, `/calls/${id}`);
  assert.deepEqual(await routeOf(id), { routing_config_id: null, branch: 'none', reason: 'no_routing', at });
});

test('targets that rang without an answer are no_answer, targets that cannot be rung are unreachable', async () => {
  for (const cause of ['busy', 'rejected', 'no_answer', 'hangup'] as const) {
    const { id } = await arrive({});
    await endTargets(id, cause);
    assert.deepEqual(await why(id), ['open', 'no_answer'], cause);
  }
  for (const cause of ['unreachable', 'failed'] as const) {
    const { id } = await arrive({});
    await endTargets(id, cause);
    assert.deepEqual(await why(id), ['open', 'unreachable'], cause);
  }
  const silent = await arrive({});
  await harness.advance(40);
  assert.deepEqual(await why(silent.id), ['open', 'no_answer']);
  const lost = await arrive({ ...CLOSED, closed_behavior: { ...RING, no_answer: null } });
  await endTargets(lost.id, 'unreachable');
  assert.deepEqual(await why(lost.id), ['closed', 'unreachable']);
  const rung = await arrive({});
  const [, target] = await legsOf(harness, rung.id);
  await voice.report({ type: 'leg.ringing', callRef: rung.id, legRef: target.id });
  await endTargets(rung.id, 'failed');
  assert.deepEqual(await why(rung.id), ['open', 'no_answer']);
});

test('a caller who hangs up while targets ring has the reason no_answer, also in the events of the end', async () => {
  const { id, legRef } = await arrive({});
  await end(id, legRef, 'hangup');
  assert.deepEqual(await why(id), ['open', 'no_answer']);
  const ends = (await listEvents(harness, id)).slice(1).map(({ type, data }: Json) => [type, data.route.reason]);
  assert.deepEqual(ends, [
    ['call.missed', 'no_answer'],
    ['call.completed', 'no_answer'],
  ]);
});

test('a call that was offered a menu has the branch menu, and the reason of what the key led to', async () => {
  const menu = { type: 'menu', prompt: 'Press one.', options: { '1': RING, '2': VOICEMAIL }, otherwise: VOICEMAIL };
  const press = async (config: object, digit: string) => {
    const { id, legRef } = await arrive(config);
    assert.deepEqual(await why(id), ['menu', null]);
    await voice.report({ type: 'leg.digit', callRef: id, legRef, digit, keyRef: 'key_1' });
    await harness.advance(0);
    return id;
  };
  const rung = await press({ open_behavior: menu }, '1');
  assert.deepEqual(await why(rung), ['menu', null]);
  await endTargets(rung, 'busy');
  assert.deepEqual(await why(rung), ['menu', 'no_answer']);
  assert.deepEqual(await why(await press({ ...CLOSED, closed_behavior: menu }, '2')), ['menu', 'closed']);
  assert.deepEqual(await why(await press({ open_behavior: menu }, '2')), ['menu', 'answered']);
});

test('an application that does nothing has not answered: the reason is that of the targets after it', async () => {
  const { id } = await arrive({ open_behavior: { ...RING, targets: ['application'], no_answer: null } });
  assert.deepEqual(await why(id), ['open', 'answered']);
  await harness.advance(11);
  assert.deepEqual(await why(id), ['open', 'no_answer']);
});

test('the route stays as it was decided when the config is changed and deleted, and through a transfer', async () => {
  const { id, number, configId } = await arrive({ ...CLOSED, closed_behavior: VOICEMAIL });
  const decided = await routeOf(id);
  assert.equal(decided.routing_config_id, configId);
  const detached = await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, { body: { routing_config_id: null } });
  assert.equal(detached.status, 200, JSON.stringify(detached.body));
  assert.equal((await harness.call('DELETE', `/v1/routing_configs/${configId}`)).status, 204);
  assert.deepEqual(await routeOf(id), decided);
  const answered = await arrive({});
  const [, target] = await legsOf(harness, answered.id);
  await voice.report({ type: 'leg.answered', callRef: answered.id, legRef: target.id });
  await harness.advance(0);
  const moved = await harness.call('POST', `/v1/calls/${answered.id}/transfer`, { body: { to: 'voicemail' } });
  assert.equal(moved.status, 202, JSON.stringify(moved.body));
  assert.deepEqual(await why(answered.id), ['open', 'answered']);
});

test('calls are filtered by the reason of their route, alone and with other filters', async () => {
  const line = await makeLine(harness);
  const { tenantId: tenant_id, number } = line;
  const [ann, bob] = [newPerson(), newPerson()];
  const none = await ring(voice, number.phone_number, ann);
  await route(harness, line, { ...CLOSED, open_behavior: RING, closed_behavior: VOICEMAIL });
  const closed = await ring(voice, number.phone_number, ann);
  const hungUp = await ring(voice, number.phone_number, bob);
  await harness.advance(0);
  await end(hungUp.id, hungUp.legRef, 'hangup');
  const placed = await connect(harness, voice, number.id, { to: ann });
  assert.equal(placed.route, null);
  const idsOf = async (query: object) => {
    const { data } = await read(harness, `/calls?${new URLSearchParams({ ...query })}`);
    return data.map(({ id }: Json) => id);
  };
  const phone_number_id = number.id;
  const route_reason = 'closed';
  assert.deepEqual(await idsOf({ tenant_id, route_reason }), [hungUp.id, closed.id]);
  assert.deepEqual(await idsOf({ phone_number_id, route_reason }), [hungUp.id, closed.id]);
  assert.deepEqual(await idsOf({ phone_number_id, tenant_id, route_reason: 'no_routing' }), [none.id]);
  assert.deepEqual((await idsOf({ route_reason })).slice(0, 2), [hungUp.id, closed.id]);
  assert.deepEqual(await idsOf({ tenant_id, route_reason, status: 'completed' }), [hungUp.id]);
  assert.deepEqual(await idsOf({ tenant_id, route_reason, outcome: 'missed' }), [hungUp.id]);
  assert.deepEqual(await idsOf({ tenant_id, route_reason, status: 'in_progress' }), [closed.id]);
  assert.deepEqual(await idsOf({ tenant_id, route_reason, external_number: ann }), [closed.id]);
  assert.deepEqual(await idsOf({ tenant_id, route_reason, direction: 'outbound' }), []);
  assert.deepEqual(await idsOf({ tenant_id, route_reason: 'overflow' }), []);
  const { tenantId: other } = await makeLine(harness);
  assert.deepEqual(await idsOf({ phone_number_id, tenant_id: other, route_reason }), []);
});
