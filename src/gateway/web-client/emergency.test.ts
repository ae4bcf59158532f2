import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readCall } from '../../../test/support/calls.ts';
import { type Json, listEvents } from '../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../test/support/numbers.ts';
import { logIn, makeWebClient, type WebClientSocket } from '../../../test/support/web-clients.ts';
import { moveAccount } from '../../domain/accounts/index.ts';

let harness: Harness;
before(async () => {
  harness = await startHarness();
});
after(() => harness.close());

const PLACE = { street: '100 N Central Ave', city: 'Phoenix', state: 'AZ', postal_code: '85004' };

async function makeDesk(): Promise<{ tenantId: string; number: Json; webClient: Json; line: WebClientSocket }> {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClient = await makeWebClient(harness, tenantId);
  return { tenantId, number, webClient, line: await logIn(harness, webClient.id) };
}

/** What was said on a call, by the books of the simulated network. */
async function saidOn(callId: string): Promise<string[]> {
  const text = `select content from simulated_sounds where call_ref = $1 and kind = 'speech' order by starts_at`;
  return (await sql<{ content: string }>(harness.context.db, text, [callId])).map(({ content }) => content);
}

async function dial(line: WebClientSocket, to: string, from?: string): Promise<string> {
  line.say({ type: 'place', to, ...(from !== undefined && { from }) });
  const { call_id } = await line.hear('dialing');
  await line.hear('answered');
  return call_id;
}

test('933 reads back the address that is registered for the number', async () => {
  const { line, tenantId, number } = await makeDesk();
  const body = { tenant_id: tenantId, ...PLACE, unit: 'Suite 4' };
  assert.equal((await harness.call('POST', '/v1/e911_addresses', { body })).status, 201);
  await harness.advance(1);
  const id = await dial(line, '933', number.id);
  await until('it was said', async () => (await saidOn(id)).length > 0);
  const [said] = await saidOn(id);
  assert.match(said ?? '', /100 N Central Ave, Suite 4, Phoenix, AZ, 85004/);
  await harness.advance(30);
  assert.equal((await line.hear('ended')).outcome, 'answered');
  await line.close();
});

test('933 says so where no address is registered', async () => {
  const { line } = await makeDesk();
  const id = await dial(line, '933');
  await until('it was said', async () => (await saidOn(id)).length > 0);
  assert.match((await saidOn(id))[0] ?? '', /^No emergency address is registered/);
  await line.close();
});

test('911 is told at once as emergency_call.placed, and in test mode reaches a voice of the simulation', async () => {
  const { line, number, webClient, tenantId } = await makeDesk();
  const id = await dial(line, '911');
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
    e911_address_id: null,
  });
  await until('the voice speaks', async () => (await saidOn(id)).length > 0);
  assert.match((await saidOn(id))[0] ?? '', /test call/);
  const call = await readCall(harness, id);
  assert.deepEqual([call.to, call.conversation_id], ['911', null]);
  await line.close();
});

test('933 is no emergency, and tells nobody', async () => {
  const { line } = await makeDesk();
  const id = await dial(line, '933');
  const data = await listEvents(harness, id);
  assert.ok(!data.some(({ type }: Json) => type === 'emergency_call.placed'));
  await line.close();
});

test('nothing stands in the way of 911: neither a limit, nor a call, nor a number that cannot be used', async () => {
  const { line, number } = await makeDesk();
  const foreign = await buyNumber(harness, await makeTenant(harness));
  line.say({ type: 'place', to: newPerson() });
  await line.hear('dialing');
  for (let n = 0; n < 59; n++) line.say({ type: 'answer', call_id: 'call_none' });
  line.say({ type: 'place', to: '911', from: foreign.id });
  const dialing = await line.hear('dialing');
  assert.deepEqual([dialing.to, dialing.from], ['911', number.phone_number]);
  await line.close();
});

test('help that is called many times at once is called each time', async () => {
  const { line, webClient } = await makeDesk();
  for (let n = 0; n < 40; n++) line.say({ type: 'place', to: n % 2 === 0 ? '911' : '933', ref: `r${n}` });
  const ids = new Set<string>();
  const refs = new Set<string | undefined>();
  for (let n = 0; n < 40; n++) {
    const { call_id, ref } = await line.hear('dialing');
    ids.add(call_id);
    refs.add(ref);
  }
  assert.deepEqual([ids.size, refs.size], [40, 40]);
  assert.ok(!line.said.some(({ type }) => type === 'error'));
  const calls = await sql<{ id: string }>(harness.context.db, 'select id from calls where connect_to = $1', [
    webClient.id,
  ]);
  assert.deepEqual(new Set(calls.map(({ id }) => id)), ids);
  await line.close();
});

test('a flood of other messages does not take a call for help along', async () => {
  for (const flood of [75, 8_000]) {
    const { line } = await makeDesk();
    for (let n = 0; n < flood; n++) line.say({ type: 'hang_up', call_id: 'call_none' });
    line.say({ type: 'place', to: '911', ref: 'help' });
    assert.equal((await line.hear('dialing')).ref, 'help');
    await until('the rest is answered', () => line.said.filter(({ type }) => type === 'error').length === flood);
    assert.ok(line.said.some((message) => message.type === 'error' && message.code === 'rate_limited'));
    await line.close();
  }
});

test('help is called in whatever form it was dialled', async () => {
  const { line } = await makeDesk();
  for (const [to, dialled] of [
    [911, '911'],
    [' 911 ', '911'],
    ['+1911', '911'],
    [933, '933'],
    ['+1 933', '933'],
  ] as const) {
    line.socket.send(JSON.stringify({ type: 'place', to, from: 5 }));
    const { call_id, to: shown } = await line.hear('dialing');
    assert.deepEqual([shown, (await readCall(harness, call_id)).to], [dialled, dialled]);
  }
  await line.close();
});

test('a suspended account calls nobody but help', async () => {
  const account = await harness.secondAccount();
  const key = account.test_key;
  const call: Harness['call'] = (method, path, options = {}) => harness.call(method, path, { key, ...options });
  const strange = { ...harness, call };
  const tenantId = await makeTenant(strange);
  await buyNumber(strange, tenantId);
  const line = await logIn(strange, (await makeWebClient(strange, tenantId)).id);
  await moveAccount(harness.context.db, account.id, 'suspended');
  line.say({ type: 'place', to: newPerson() });
  assert.equal((await line.hear('error')).code, 'account_suspended');
  await dial(line, '911');
  await line.close();
});
