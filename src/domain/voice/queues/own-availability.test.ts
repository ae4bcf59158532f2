/** A web client that is an agent sets its own availability: over its socket, and from a page with a browser session. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, route } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { newPerson, read } from '../../../../test/support/messages.ts';
import { makeTenant, useLine } from '../../../../test/support/numbers.ts';
import { logIn, makeWebClient } from '../../../../test/support/web-clients.ts';

const { harness, line } = await useLine();
const { tenantId: tenant_id } = line;

async function makeQueue(name: string, agents: readonly string[], tenant = tenant_id): Promise<string> {
  const made = await harness.call('POST', '/v1/queues', { body: { tenant_id: tenant, name, agents } });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body.id;
}

const agentIn = async (queueId: string, agent: string): Promise<string> =>
  (await read(harness, `/queues/${queueId}`)).agents.find((each: Json) => each.agent === agent).state;

test('a web client sees its queues after its login, and takes a break from one or from all of them', async () => {
  const { id: agent } = await makeWebClient(harness, tenant_id);
  const [sales, support] = [await makeQueue('Sales', [agent]), await makeQueue('Support', [newPerson(), agent])];
  const other = await makeQueue('Other', [newPerson()]);
  const phone = await logIn(harness, agent);
  const shown = (...states: string[]) => ({
    type: 'queues',
    queues: [
      { queue_id: sales, name: 'Sales', availability: states[0] },
      { queue_id: support, name: 'Support', availability: states[1] },
    ],
  });
  assert.deepEqual(await phone.receive('queues'), shown('available', 'available'));
  phone.send({ type: 'availability', availability: 'away', queue_id: support });
  assert.deepEqual(await phone.receive('queues'), shown('available', 'away'));
  assert.deepEqual([await agentIn(sales, agent), await agentIn(support, agent)], ['available', 'away']);
  phone.send({ type: 'availability', availability: 'away' });
  assert.deepEqual(await phone.receive('queues'), shown('away', 'away'));
  phone.send({ type: 'availability', availability: 'available', queue_id: other });
  const { code, request } = await phone.receive('error');
  assert.deepEqual([code, request], ['queue_not_found', 'availability']);
  phone.socket.send(JSON.stringify({ type: 'availability', availability: 'busy' }));
  assert.equal((await phone.receive('error')).code, 'invalid_body');
  phone.send({ type: 'availability', availability: 'available' });
  assert.deepEqual(await phone.receive('queues'), shown('available', 'available'));
  await phone.close();
});

test('a web client that becomes available by its socket is rung for the caller who waits', async () => {
  const { id: agent } = await makeWebClient(harness, tenant_id);
  const queue_id = await makeQueue('Line', [agent]);
  await route(harness, line, { open_behavior: { type: 'queue', queue_id } });
  const phone = await logIn(harness, agent);
  phone.send({ type: 'availability', availability: 'away' });
  await phone.receive('queues');
  await phone.receive('queues');
  const { id } = await callIn(harness, line);
  await harness.advance(2);
  assert.equal((await read(harness, `/queues/${queue_id}`)).waiting, 1);
  phone.send({ type: 'availability', availability: 'available' });
  assert.equal((await phone.receive('incoming')).call_id, id);
  await phone.close();
});

test('a web client of no queue is sent no queues', async () => {
  const { id } = await makeWebClient(harness, tenant_id);
  const phone = await logIn(harness, id);
  phone.send({ type: 'availability', availability: 'away' });
  assert.deepEqual(await phone.receive('queues'), { type: 'queues', queues: [] });
  assert.deepEqual(
    phone.messages.map(({ type }) => type),
    ['registered', 'queues'],
  );
  await phone.close();
});

test('a page sets the availability of the web client of its session, and of no other agent', async () => {
  const [own, colleague] = [await makeWebClient(harness, tenant_id), await makeWebClient(harness, tenant_id)];
  const person = newPerson();
  const queueId = await makeQueue('Support', [own.id, colleague.id, person]);
  const mint = async (fields: object): Promise<string> => {
    const body = { tenant_id, abilities: ['phone'], ...fields };
    return (await harness.call('POST', '/v1/browser_sessions', { body })).body.token;
  };
  const set = async (key: string, agent: string, queue = queueId): Promise<unknown[]> => {
    const path = `/v1/queues/${queue}/agents/${encodeURIComponent(agent)}/availability`;
    const { status, body } = await harness.call('PUT', path, { key, body: { availability: 'away' } });
    return [status, body.error?.code];
  };
  const key = await mint({ web_client_id: own.id });
  assert.deepEqual(await set(key, own.id), [200, undefined]);
  for (const agent of [colleague.id, person]) {
    assert.deepEqual(await set(key, agent), [403, 'key_not_permitted'], agent);
  }
  const ofAny = await mint({});
  assert.deepEqual(await set(ofAny, colleague.id), [200, undefined]);
  assert.deepEqual(await set(ofAny, person), [403, 'key_not_permitted']);
  assert.deepEqual(await set(await mint({ abilities: ['calls:read'] }), own.id), [403, 'key_not_permitted']);
  const elsewhere = await makeTenant(harness);
  const stranger = await makeWebClient(harness, elsewhere);
  const theirs = await makeQueue('Else', [stranger.id], elsewhere);
  assert.deepEqual(await set(ofAny, stranger.id, theirs), [403, 'tenant_restricted_key']);
  assert.deepEqual((await harness.call('GET', '/v1/queues', { key })).status, 200);
  assert.deepEqual(
    (await harness.call('DELETE', `/v1/queues/${queueId}`, { key })).body.error.code,
    'key_not_permitted',
  );
});
