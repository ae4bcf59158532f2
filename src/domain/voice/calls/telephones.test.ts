/** Telephones at a SIP engine as parties of calls. In test mode every name is a telephone that answers. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, readCall, ringing, route, typesOf } from '../../../../test/support/calls.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { newPerson, refusal } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { place } from '../../../../test/support/voice.ts';

const harness = await useHarness({ startWorkers: false });
const line = await makeLine(harness);
const FRONT = 'sip_phone:front';

test('a telephone that is a ring target answers a caller', async () => {
  await route(harness, line, { open_behavior: ringing([FRONT]) });
  const { id } = await callIn(harness, line);
  await harness.advance(2);
  const talking = await readCall(harness, id);
  assert.deepEqual([talking.status, talking.answered_by], ['in_progress', FRONT]);
  await harness.advance(20);
  assert.deepEqual(await typesOf(harness, id), ['call.started', 'call.answered', 'call.completed']);
});

test('a telephone is the agent of a click-to-call', async () => {
  const { id } = await place(harness, line.number.id, { connect_to: FRONT });
  await harness.advance(3);
  const call = await readCall(harness, id);
  assert.deepEqual([call.connect_to, call.status], [FRONT, 'in_progress']);
  const answers = call.events.filter(({ type }: { type: string }) => type === 'answered');
  assert.equal(answers[0].detail.answered_by, FRONT);
});

test('a call is transferred to a telephone', async () => {
  const { id } = await place(harness, line.number.id, { connect_to: newPerson() });
  await harness.advance(3);
  const transferred = await harness.call('POST', `/v1/calls/${id}/transfer`, { body: { to: FRONT } });
  assert.equal(transferred.status, 202, JSON.stringify(transferred.body));
  await harness.advance(3);
  assert.ok((await typesOf(harness, id)).includes('call.transfer.completed'));
});

test('a name that no telephone can have is refused where a party is named', async () => {
  const from = line.number.id;
  for (const connect_to of ['sip_phone:', 'sip_phone:Front', 'sip_phone:front desk', 'sip_phone:1', 'sip_phone']) {
    const refused = await harness.call('POST', '/v1/calls', { body: { from, to: newPerson(), connect_to } });
    assert.deepEqual(refusal(refused), [400, 'invalid_connect_to', 'connect_to'], connect_to);
  }
  const open_behavior = ringing(['sip_phone:Front']);
  const config = { tenant_id: line.tenantId, name: 'Front', open_behavior };
  const refused = await harness.call('POST', '/v1/routing_configs', { body: config });
  assert.deepEqual(refusal(refused), [400, 'invalid_body', 'open_behavior.targets[0]']);
});
