import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { newPerson, read, refusal } from '../../../../test/support/messages.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { connect, place, ring, useScriptedLine } from '../../../../test/support/voice.ts';

const { harness, voice } = await useScriptedLine();

const idsOf = async (query: object): Promise<string[]> => {
  const { data } = await read(harness, `/calls?${new URLSearchParams({ ...query })}`);
  return data.map(({ id }: Json) => id);
};

test('calls are filtered by direction, status, outcome and person, alone and together', async () => {
  const { tenantId: tenant_id, number } = await makeLine(harness);
  const other = await makeLine(harness);
  const [ann, bob] = [newPerson(), newPerson()] as [string, string];
  const talk = await connect(harness, voice, number.id, { to: ann });
  await harness.call('POST', `/v1/calls/${talk.id}/hangup`, { body: {} });
  const dialing = await place(harness, number.id, { to: bob });
  const arrived = await ring(voice, number.phone_number, ann);
  const elsewhere = await place(harness, other.number.id, { to: ann });
  const hidden = await ring(voice, number.phone_number, 'anonymous');
  const phone_number_id = number.id;
  const ended = await read(harness, `/calls/${talk.id}`);
  assert.equal(ended.outcome, 'answered');
  const all = [hidden.id, arrived.id, dialing.id, talk.id];
  assert.deepEqual(await idsOf({ tenant_id }), all);
  assert.deepEqual(await idsOf({ phone_number_id, tenant_id }), all);
  assert.deepEqual(await idsOf({ phone_number_id, tenant_id: other.tenantId }), []);
  assert.deepEqual(await idsOf({ tenant_id, direction: 'outbound' }), [dialing.id, talk.id]);
  assert.deepEqual(await idsOf({ tenant_id, outcome: 'answered' }), [talk.id]);
  assert.deepEqual(await idsOf({ tenant_id, status: ended.status, outcome: 'answered' }), [talk.id]);
  assert.deepEqual(await idsOf({ tenant_id, status: 'dialing' }), [dialing.id]);
  assert.deepEqual(await idsOf({ tenant_id, status: 'dialing', outcome: 'answered' }), []);
  assert.deepEqual(await idsOf({ phone_number_id, direction: 'inbound', outcome: 'answered' }), []);
  assert.deepEqual(await idsOf({ external_number: ann }), [elsewhere.id, arrived.id, talk.id]);
  assert.deepEqual(await idsOf({ external_number: ann, tenant_id }), [arrived.id, talk.id]);
  assert.deepEqual(await idsOf({ external_number: ann, phone_number_id }), [arrived.id, talk.id]);
  assert.deepEqual(await idsOf({ external_number: ann, direction: 'outbound', outcome: 'answered' }), [talk.id]);
  assert.deepEqual(await idsOf({ external_number: 'anonymous', tenant_id, direction: 'inbound' }), [hidden.id]);
  assert.deepEqual(await idsOf({ external_number: ann, status: 'dialing' }), [elsewhere.id]);
});

test('a value that no call can have is refused with its field', async () => {
  for (const [name, value] of [
    ['outcome', 'unknown'],
    ['external_number', 'ann'],
    ['direction', 'up'],
  ] as const) {
    const refused = await harness.call('GET', `/v1/calls?${name}=${value}`);
    assert.deepEqual(refusal(refused), [400, 'invalid_body', name]);
  }
});
