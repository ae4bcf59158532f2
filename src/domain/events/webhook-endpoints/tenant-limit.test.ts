import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveriesOf, happen, type Json, register } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { until } from '../../../../test/support/jobs.ts';

const harness = await useHarness();
const PATH = '/v1/webhook_endpoints';
const url = 'https://platform.example/hooks';

async function makeTenant(): Promise<string> {
  return (await harness.call('POST', '/v1/tenants', { body: { name: 'Desert Dental' } })).body.id;
}
const own = await makeTenant();
const other = await makeTenant();

/** Emits an event of each tenant and one of the account, and returns their ids. */
async function happenToAll(resource: string): Promise<{ own: string; other: string; account: string }> {
  const events = await happen(
    harness,
    { resource: `${resource}-own`, tenantId: own },
    { resource: `${resource}-other`, tenantId: other },
    { resource: `${resource}-account`, tenantId: null, type: 'balance.low' },
  );
  const [ownId, otherId, accountId] = events.map(({ id }) => id) as [string, string, string];
  return { own: ownId, other: otherId, account: accountId };
}

/** The events of the endpoint's deliveries, oldest first. */
async function deliveredTo({ id }: Json): Promise<string[]> {
  return (await deliveriesOf(harness, id)).map(({ event_id }) => event_id).reverse();
}

const change = (id: string, body: Json) => harness.call('PATCH', `${PATH}/${id}`, { body });

test('an endpoint of one tenant gets its events alone, and one without a tenant gets all', async () => {
  const limited = await register(harness, { url, tenant_id: own });
  const typed = await register(harness, { url, tenant_id: own, enabled_events: ['call.completed'] });
  const all = await register(harness, { url });
  assert.deepEqual([limited.tenant_id, all.tenant_id], [own, null]);
  const events = await happenToAll('alone');
  assert.deepEqual(await deliveredTo(limited), [events.own]);
  assert.deepEqual(await deliveredTo(typed), []);
  assert.deepEqual((await deliveredTo(all)).sort(), Object.values(events).sort());
});

test('a change of the tenant holds for the events that follow', async () => {
  const endpoint = await register(harness, { url, tenant_id: own });
  const before = await happenToAll('before');
  assert.equal((await change(endpoint.id, { tenant_id: other })).body.tenant_id, other);
  const between = await happenToAll('between');
  assert.equal((await change(endpoint.id, { description: 'unchanged' })).body.tenant_id, other);
  assert.equal((await change(endpoint.id, { tenant_id: null })).body.tenant_id, null);
  const after = await happenToAll('after');
  const [first, second, ...rest] = await deliveredTo(endpoint);
  assert.deepEqual([first, second], [before.own, between.other]);
  assert.deepEqual(rest.sort(), Object.values(after).sort());
});

test('a deleted tenant and one of another account are tenant_not_found, also if the endpoint has it already', async () => {
  const gone = await makeTenant();
  const endpoint = await register(harness, { url, tenant_id: gone });
  await harness.call('DELETE', `/v1/tenants/${gone}`);
  const stranger = await harness.secondAccount();
  const { body: foreign } = await harness.call('POST', '/v1/tenants', {
    body: { name: 'Foreign' },
    key: stranger.test_key,
  });
  const free = await register(harness, { url });
  for (const tenant_id of [gone, foreign.id, 'tnt_none']) {
    const made = await harness.call('POST', PATH, { body: { url, tenant_id } });
    for (const { status, body } of [made, await change(free.id, { tenant_id })]) {
      assert.deepEqual([status, body.error.code, body.error.param], [404, 'tenant_not_found', 'tenant_id']);
    }
  }
  // A form sends all fields, so a change may name the endpoint's tenant even if that tenant is deleted.
  const saved = await change(endpoint.id, { tenant_id: gone, description: 'saved' });
  assert.deepEqual([saved.status, saved.body.tenant_id], [200, gone]);
});

test('a replay and a resend send an endpoint of one tenant no event of another', async () => {
  const events = await happenToAll('again');
  const limited = await register(harness, { url, tenant_id: own, enabled_events: ['call.completed'] });
  const all = await register(harness, { url });
  const resend = (id: string, body: Json) => harness.call('POST', `/v1/events/${id}/resend`, { body });
  for (const id of [events.other, events.account]) {
    const { status, body } = await resend(id, { endpoint_id: limited.id });
    const { code, param } = body.error;
    assert.deepEqual([status, code, param], [404, 'webhook_endpoint_not_found', 'endpoint_id']);
  }
  assert.equal((await resend(events.own, { endpoint_id: limited.id })).status, 200);
  await change(limited.id, { enabled_events: null });
  assert.equal((await resend(events.other, {})).status, 200);
  assert.deepEqual([await deliveredTo(limited), await deliveredTo(all)], [[events.own], [events.other]]);

  const start = (await harness.call('GET', `/v1/events/${events.own}`)).body.created_at;
  const last = await harness.call('GET', `/v1/events?tenant_id=${own}&start=${start}&limit=100`);
  const made = await harness.call('POST', `${PATH}/${limited.id}/replays`, { body: { start } });
  assert.equal(made.status, 201);
  let replay: Json;
  await until('the replay ends', async () => {
    await harness.advance(1);
    replay = (await harness.call('GET', `${PATH}/${limited.id}/replays/${made.body.id}`)).body;
    return replay.status !== 'running';
  });
  const ids = last.body.data.map(({ id }: Json) => id);
  assert.equal(replay.delivery_count, ids.length);
  assert.deepEqual(new Set((await deliveredTo(limited)).slice(1)), new Set(ids));
});
