import assert from 'node:assert/strict';
import { test } from 'node:test';
import { route } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { makeLine, makeTenant, useLine } from '../../../../test/support/numbers.ts';
import { makeWebClient } from '../../../../test/support/web-clients.ts';

const { harness, line } = await useLine();
const { tenantId: tenant_id } = line;

type Reply = { readonly status: number; readonly body: Json };

const send = (method: string, path: string, body?: object): Promise<Reply> =>
  harness.call(method, `/v1/queues${path}`, body === undefined ? {} : { body });
const create = (fields: object = {}) => send('POST', '', { tenant_id, name: 'Support', ...fields });
const toQueue = (queue_id: string) => ({ type: 'queue', queue_id });

async function make(fields: object = {}): Promise<Json> {
  const made = await create(fields);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

function refusal({ status, body }: Reply): unknown[] {
  return [status, body.error?.code, body.error?.param];
}

test('a queue has defaults for all that is not given, and is read and listed as it was made', async () => {
  const queue = await make();
  const { id, created_at, ...others } = queue;
  assert.match(id, /^que_/);
  assert.ok(Number.isFinite(Date.parse(created_at)));
  assert.deepEqual(others, {
    object: 'queue',
    tenant_id,
    name: 'Support',
    strategy: 'longest_idle',
    agents: [],
    ring_seconds: 20,
    wrap_up_seconds: 0,
    max_waiting: 100,
    max_wait_seconds: 1800,
    announce_position_seconds: null,
    callback_digit: null,
    overflow: {
      type: 'voicemail',
      greeting_text: 'Nobody can take your call right now. Please leave a message after the tone.',
      transcribe: true,
    },
    waiting: 0,
    longest_wait_seconds: 0,
  });
  assert.deepEqual(await read(harness, `/queues/${id}`), queue);
  assert.deepEqual((await read(harness, `/queues?tenant_id=${tenant_id}&limit=1`)).data, [queue]);
});

test('a change keeps what it does not name, and the availability of the agents that stay', async () => {
  const [kept, dropped, added] = [newPerson(), newPerson(), newPerson()];
  const { id } = await make({ agents: [dropped, kept], callback_digit: '1' });
  const path = `/${id}/agents/${encodeURIComponent(kept)}/availability`;
  assert.equal((await send('PUT', path, { availability: 'away' })).status, 200);
  const { body } = await send('PATCH', `/${id}`, { agents: [added, kept], ring_seconds: 30 });
  assert.partialDeepStrictEqual(body, { name: 'Support', callback_digit: '1', ring_seconds: 30 });
  assert.deepEqual(body.agents, [
    { agent: added, state: 'available' },
    { agent: kept, state: 'away' },
  ]);
  assert.equal((await send('PATCH', `/${id}`, { callback_digit: null })).body.callback_digit, null);
  assert.deepEqual(refusal(await send('PUT', `/${id}/agents/${dropped}/availability`, { availability: 'away' })), [
    404,
    'queue_not_found',
    'agent',
  ]);
});

test('a change of one field keeps every other setting', async () => {
  const settings = {
    ...{ strategy: 'ring_all', ring_seconds: 21, wrap_up_seconds: 22, max_waiting: 23, max_wait_seconds: 24 },
    ...{ announce_position_seconds: 25, callback_digit: '2', agents: [newPerson()] },
    overflow: { type: 'voicemail', greeting_text: 'Please wait for a call.', transcribe: false },
  };
  const queue = await make(settings);
  assert.partialDeepStrictEqual(queue, { ...settings, agents: [{ agent: settings.agents[0] }] });
  const { id } = queue;
  assert.deepEqual((await send('PATCH', `/${id}`, {})).body, queue, 'a change of nothing');
  assert.deepEqual((await send('PATCH', `/${id}`, { name: 'Sales' })).body, { ...queue, name: 'Sales' });
  assert.deepEqual((await send('PATCH', `/${id}`, { ring_seconds: 30 })).body, {
    ...{ ...queue, name: 'Sales', ring_seconds: 30 },
  });
});

test('a queue without a name is refused as any other missing field', async () => {
  for (const name of [undefined, null, '', ' ']) {
    assert.deepEqual(refusal(await create({ name })), [400, 'missing_fields', 'name'], String(name));
  }
});

test('agents are web clients of the tenant and numbers that can be dialled', async () => {
  const { id } = await makeWebClient(harness, tenant_id);
  const { id: stranger } = await makeWebClient(harness, await makeTenant(harness));
  assert.deepEqual((await make({ agents: [id] })).agents, [{ agent: id, state: 'away' }]);
  for (const [agent, expected] of [
    [stranger, [404, 'web_client_not_found', 'agents[1]']],
    ['wcl_none', [404, 'web_client_not_found', 'agents[1]']],
    ['+19005550143', [422, 'destination_not_supported', 'agents[1]']],
    ['+16021110143', [400, 'invalid_body', 'agents[1]']],
    ['application', [400, 'invalid_body', 'agents[1]']],
  ] as const) {
    assert.deepEqual(refusal(await create({ agents: [id, agent] })), expected, agent);
  }
  assert.deepEqual(refusal(await create({ agents: [id, id] })), [400, 'invalid_body', 'agents']);
});

test('an overflow that leads back to its queue is refused, also over menus and other queues', async () => {
  const last = await make();
  const middle = await make({ overflow: toQueue(last.id) });
  const prompt = 'Press one.';
  const menu = { type: 'menu', prompt, options: { '1': toQueue(middle.id) }, otherwise: { type: 'voicemail' } };
  const first = await make({ overflow: menu });
  const change = (id: string, overflow: object) => send('PATCH', `/${id}`, { overflow });
  for (const queue_id of [last.id, middle.id, first.id]) {
    assert.deepEqual(refusal(await change(last.id, toQueue(queue_id))), [400, 'invalid_body', 'overflow'], queue_id);
  }
  assert.equal((await change(middle.id, { type: 'voicemail' })).status, 200);
  assert.equal((await change(last.id, toQueue(first.id))).body.overflow.queue_id, first.id);
});

test('a behavior can name the queues of its tenant only, and a queue to which something leads is not deleted', async () => {
  const other = await makeLine(harness);
  const { id } = await make();
  const elsewhere = { tenant_id: other.tenantId, name: 'Other', overflow: toQueue(id) };
  assert.deepEqual(refusal(await send('POST', '', elsewhere)), [404, 'queue_not_found', 'overflow.queue_id']);
  const body = { tenant_id: other.tenantId, name: 'Line', open_behavior: toQueue(id) };
  const refused = await harness.call('POST', '/v1/routing_configs', { body });
  assert.deepEqual(refusal(refused), [404, 'queue_not_found', 'open_behavior.queue_id']);
  const config = await route(harness, line, { open_behavior: toQueue(id), closed_behavior: toQueue(id) });
  assert.deepEqual(config.open_behavior, toQueue(id));
  assert.deepEqual(refusal(await send('DELETE', `/${id}`)), [409, 'queue_in_use', undefined]);
  const ring = { type: 'ring', targets: [newPerson()] };
  await harness.call('PUT', `/v1/routing_configs/${config.id}`, {
    body: { tenant_id, name: 'x', open_behavior: ring },
  });
  assert.equal((await send('DELETE', `/${id}`)).status, 204);
  assert.deepEqual(refusal(await send('GET', `/${id}`)), [404, 'queue_not_found', undefined]);
});

test('deleting a routing config and a tenant frees and deletes their queues', async () => {
  const { tenantId, ...own } = await makeLine(harness);
  const { id } = (await send('POST', '', { tenant_id: tenantId, name: 'Support', agents: [newPerson()] })).body;
  await send('POST', '', { tenant_id: tenantId, name: 'Sales', overflow: toQueue(id) });
  await route(harness, { tenantId, ...own }, { open_behavior: toQueue(id) });
  assert.equal((await harness.call('DELETE', `/v1/tenants/${tenantId}`)).status, 204);
  assert.deepEqual(refusal(await send('GET', `/${id}`)), [404, 'queue_not_found', undefined]);
});
