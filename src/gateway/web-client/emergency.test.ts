import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { readCall } from '../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../test/support/events.ts';
import { type Harness, useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../test/support/numbers.ts';
import { makeDesk, type WebClientSocket } from '../../../test/support/web-clients.ts';
import { updateAccountStatus } from '../../domain/accounts/index.ts';
import { attachSignalling } from './attach-signalling.ts';

const harness = await useHarness();

const PLACE = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };

/** Returns the texts that were spoken on a call, as the simulated carrier stores them. */
async function speechOn(callId: string): Promise<string[]> {
  const text = `select content from simulated_sounds where call_ref = $1 and kind = 'speech' order by starts_at`;
  return (await sql<{ content: string }>(harness.context.db, text, [callId])).map(({ content }) => content);
}

/** Dials and waits until the other party answers. @returns the call's id */
async function dial(client: WebClientSocket, to: string, from?: string): Promise<string> {
  client.send({ type: 'place', to, ...(from !== undefined && { from }) });
  const { call_id } = await client.receive('dialing');
  await client.receive('answered');
  return call_id;
}

test('933 reads back the address registered for the number', async () => {
  const { client, tenantId, number } = await makeDesk(harness);
  const body = { tenant_id: tenantId, ...PLACE, unit: 'Suite 4' };
  assert.equal((await harness.call('POST', '/v1/e911_addresses', { body })).status, 201);
  await harness.advance(1);
  const id = await dial(client, '933', number.id);
  await until('it was spoken', async () => (await speechOn(id)).length > 0);
  const [speech] = await speechOn(id);
  assert.match(speech ?? '', /100 N Central Ave, Suite 4, Phoenix, AZ, 85004/);
  await harness.advance(30);
  assert.equal((await client.receive('ended')).outcome, 'answered');
  await client.close();
});

test('933 says so if no address is registered', async () => {
  const { client } = await makeDesk(harness);
  const id = await dial(client, '933');
  await until('it was spoken', async () => (await speechOn(id)).length > 0);
  assert.match((await speechOn(id))[0] ?? '', /^No emergency address is registered/);
  await client.close();
});

test('911 emits emergency_call.placed at once, and in test mode reaches a simulated voice', async () => {
  const { client, number, webClient, tenantId } = await makeDesk(harness);
  const id = await dial(client, '911');
  const data = await listEvents(harness, id);
  assert.equal(data[0].type, 'emergency_call.placed');
  const { placed_at, ...rest } = data[0].data;
  assert.equal(placed_at, (await readCall(harness, id)).started_at);
  assert.deepEqual(rest, {
    object: 'emergency_call',
    call_id: id,
    tenant_id: tenantId,
    phone_number_id: number.id,
    from: number.phone_number,
    to: '911',
    web_client_id: webClient.id,
    telephone: null,
    e911_address_id: null,
    address_confirmed: false,
  });
  await until('the voice speaks', async () => (await speechOn(id)).length > 0);
  assert.match((await speechOn(id))[0] ?? '', /test call/);
  const call = await readCall(harness, id);
  assert.deepEqual([call.to, call.conversation_id], ['911', null]);
  await client.close();
});

test('911 says whether the carrier has confirmed the address of the number', async () => {
  const { client, number, tenantId } = await makeDesk(harness);
  const body = { tenant_id: tenantId, ...PLACE };
  const { id } = (await harness.call('POST', '/v1/e911_addresses', { body })).body;
  await harness.advance(1);
  const [placed] = await listEvents(harness, await dial(client, '911', number.id));
  assert.deepEqual([placed.data.e911_address_id, placed.data.address_confirmed], [id, true]);
  await client.close();
});

test('933 emits no emergency event', async () => {
  const { client } = await makeDesk(harness);
  const id = await dial(client, '933');
  const data = await listEvents(harness, id);
  assert.ok(!data.some(({ type }: Json) => type === 'emergency_call.placed'));
  await client.close();
});

test('911 is dialled despite a used-up limit, another call and a from number that cannot be used', async () => {
  const { client, number } = await makeDesk(harness);
  const foreign = await buyNumber(harness, await makeTenant(harness));
  client.send({ type: 'place', to: newPerson() });
  await client.receive('dialing');
  for (let n = 0; n < 59; n++) client.send({ type: 'answer', call_id: 'call_none' });
  client.send({ type: 'place', to: '911', from: foreign.id });
  const dialing = await client.receive('dialing');
  assert.deepEqual([dialing.to, dialing.from], ['911', number.phone_number]);
  await client.close();
});

test('every one of many concurrent emergency calls is dialled', async () => {
  const { client, webClient } = await makeDesk(harness);
  for (let n = 0; n < 40; n++) client.send({ type: 'place', to: n % 2 === 0 ? '911' : '933', ref: `r${n}` });
  const ids = new Set<string>();
  const refs = new Set<string | undefined>();
  for (let n = 0; n < 40; n++) {
    const { call_id, ref } = await client.receive('dialing');
    ids.add(call_id);
    refs.add(ref);
  }
  assert.deepEqual([ids.size, refs.size], [40, 40]);
  assert.ok(!client.messages.some(({ type }) => type === 'error'));
  const calls = await sql<{ id: string }>(harness.context.db, 'select id from calls where connect_to = $1', [
    webClient.id,
  ]);
  assert.deepEqual(new Set(calls.map(({ id }) => id)), ids);
  await client.close();
});

test('emergency calls are dialled while the legs cannot be read', async () => {
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const exchange = {
    // The first query belongs to the login.
    listLegs: async () => {
      if (asked++ > 0) await gate.promise;
      return [];
    },
    addCall: async () => undefined,
  };
  const server = createServer();
  const softphone = attachSignalling(server, harness.context, { exchange: exchange as never });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const at = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  const { client, webClient } = await makeDesk(harness, { at });
  for (let n = 0; n < 30; n++) client.send({ type: 'place', to: '911' });
  const text = 'select id from calls where connect_to = $1';
  await until('all are dialled', async () => (await sql(harness.context.db, text, [webClient.id])).length === 30);
  gate.resolve();
  await client.close();
  await softphone.close();
  server.close();
});

test('an emergency call behind a flood of other messages is dialled', async () => {
  for (const flood of [75, 8_000]) {
    const { client } = await makeDesk(harness);
    for (let n = 0; n < flood; n++) client.send({ type: 'hang_up', call_id: 'call_none' });
    client.send({ type: 'place', to: '911', ref: 'emergency' });
    assert.equal((await client.receive('dialing')).ref, 'emergency');
    await until('the rest is answered', () => client.messages.filter(({ type }) => type === 'error').length === flood);
    assert.ok(client.messages.some((message) => message.type === 'error' && message.code === 'rate_limited'));
    await client.close();
  }
});

test('an emergency number is recognised in every usual form', async () => {
  const { client } = await makeDesk(harness);
  for (const [to, dialled] of [
    [911, '911'],
    [' 911 ', '911'],
    ['+1911', '911'],
    [933, '933'],
    ['+1 933', '933'],
  ] as const) {
    client.socket.send(JSON.stringify({ type: 'place', to, from: 5 }));
    const { call_id, to: shown } = await client.receive('dialing');
    assert.deepEqual([shown, (await readCall(harness, call_id)).to], [dialled, dialled]);
  }
  await client.close();
});

test('a suspended account can dial only emergency numbers', async () => {
  const account = await harness.secondAccount();
  const key = account.test_key;
  const call: Harness['call'] = (method, path, options = {}) => harness.call(method, path, { key, ...options });
  const { client } = await makeDesk({ ...harness, call });
  await updateAccountStatus(harness.context.db, account.id, 'suspended');
  client.send({ type: 'place', to: newPerson() });
  assert.equal((await client.receive('error')).code, 'account_suspended');
  await dial(client, '911');
  await client.close();
});
