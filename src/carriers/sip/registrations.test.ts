/** The registrations of telephones: the watch of an engine stores them, and the API lists them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signIn } from '../../../test/support/console.ts';
import { startFakeEngine } from '../../../test/support/fake-engine.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { silentLog, sql, until } from '../../../test/support/jobs.ts';
import { addConnection } from '../../../test/support/live-network.ts';
import { refusal } from '../../../test/support/messages.ts';
import { createEngineClient } from './ari-client.ts';
import { watchEngine } from './engine-watch.ts';
import { SIP_KIND } from './index.ts';
import { createRegistrationKeeper, listTelephones } from './registrations.ts';
import type { SipLine } from './sip-line.ts';

const harness = await useHarness({ startWorkers: false, adapterKinds: [SIP_KIND] });
const { db } = harness.context;
const key = harness.account.live_key;
const operator = await signIn(harness);

async function newTenant(of = key): Promise<string> {
  const made = await harness.call('POST', '/v1/tenants', { key: of, body: { name: 'Desert Paws Clinic' } });
  return made.body.id;
}

let connections = 0;

/** Adds a connection with telephones, some of them of a tenant. Returns its id. */
async function connect(phones: readonly { name?: string; tenant?: string; number: string; extensions?: object[] }[]) {
  const passwords = Object.fromEntries(phones.map(({ name, number }) => [name ?? number, 'secret']));
  const id = await addConnection(harness.context, {
    ...{ kind: 'sip', name: `office-${connections++}`, capabilities: [] },
    settings: {
      ...{ engines: 'a=http://127.0.0.1:1 b=http://127.0.0.1:2', dialplane_url: 'http://127.0.0.1:3', trunks: '[]' },
      phones: JSON.stringify(phones),
    },
    credentials: { ari_password: 'a-long-password', passwords: JSON.stringify(passwords) },
  });
  await harness.connections.refresh();
  return id;
}

/** Marks an engine as having a connected process, now or in the past. */
async function setReady(connectionId: string, engine: string, isReady = true): Promise<void> {
  await sql(
    db,
    `insert into sip_engines (connection_id, name, owner, owned_until, ready_at)
     values ($1, $2, 'p', now() + interval '1 hour', case when $3 then now() end)
     on conflict (connection_id, name) do update set ready_at = excluded.ready_at`,
    [connectionId, engine, isReady],
  );
}

/** Returns the keeper that the watch of an engine uses to store the states of telephones. */
function keeperOf(connectionId: string, name: string, phones: readonly string[]) {
  const settings = { phones: phones.map((phone) => ({ name: phone, tenant: 't', number: '+13035550100' })) };
  const line = { db, connectionId, settings } as unknown as SipLine;
  const client = createEngineClient({
    ...{ name, url: 'http://127.0.0.1:1', password: 'p' },
    connection: connectionId,
    log: silentLog,
  });
  return createRegistrationKeeper(line, client);
}

const states = (...pairs: (readonly [phone: string, state: string])[]) =>
  new Map(pairs.map(([phone, state]) => [`phone-${phone}`, state]));

const NUMBER = '+13035550100';
const list = async (query = '', of = key) => (await harness.call('GET', `/v1/sip_phones${query}`, { key: of })).body;

test("a tenant's telephones are listed by name, with number and extensions, and unknown while no engine is heard", async () => {
  const tenant = await newTenant();
  const extensions = [{ digits: '102', to: 'sip_phone:back' }];
  await connect([
    { name: 'front', tenant, number: NUMBER, extensions },
    { name: 'back', tenant, number: NUMBER },
    { number: '+13035550101' },
  ]);
  const { data, has_more } = await list(`?tenant_id=${tenant}`);
  const unknown = {
    object: 'sip_phone',
    tenant_id: tenant,
    phone_number: NUMBER,
    registration: 'unknown',
    registered_since: null,
  };
  assert.deepEqual(data, [
    { ...unknown, id: 'sip_phone:back', name: 'back', extensions: [] },
    { ...unknown, id: 'sip_phone:front', name: 'front', extensions },
  ]);
  assert.equal(has_more, false);
});

test('a telephone is registered at one engine, not registered at all engines that answer, or unknown', async () => {
  const tenant = await newTenant();
  const id = await connect([
    { name: 'front', tenant, number: NUMBER },
    { name: 'back', tenant, number: NUMBER },
  ]);
  const read = async () => {
    const { data } = await list(`?tenant_id=${tenant}`);
    return data.map((phone: { registration: string; registered_since: string | null }) => [
      phone.registration,
      phone.registered_since !== null,
    ]);
  };
  const keepers = [keeperOf(id, 'a', ['front', 'back']), keeperOf(id, 'b', ['front', 'back'])];
  await setReady(id, 'a');
  await keepers[0]?.keep(states(['front', 'online'], ['back', 'offline']));
  assert.deepEqual(await read(), [
    ['unknown', false],
    ['registered', true],
  ]);
  await setReady(id, 'b');
  await keepers[1]?.keep(states(['front', 'offline']));
  assert.deepEqual(await read(), [
    ['not_registered', false],
    ['registered', true],
  ]);
  await setReady(id, 'a', false);
  assert.deepEqual(await read(), [
    ['unknown', false],
    ['unknown', false],
  ]);
});

test('the time of a state is that of its change, and a telephone that is removed from the settings leaves no row', async () => {
  const tenant = await newTenant();
  const phones = [
    { name: 'front', tenant, number: NUMBER },
    { name: 'back', tenant, number: NUMBER },
  ];
  const id = await connect(phones);
  await setReady(id, 'a');
  const rows = () =>
    sql<{ endpoint: string; at: string }>(
      db,
      'select endpoint, changed_at::text as at from sip_registrations where connection_id = $1 order by endpoint',
      [id],
    );
  await keeperOf(id, 'a', ['front', 'back']).keep(states(['front', 'online'], ['back', 'offline']));
  const [back, front] = await rows();
  // Another process, which does not have the stored states in memory.
  await keeperOf(id, 'a', ['front', 'back']).keep(states(['front', 'online'], ['back', 'online']));
  const [backNow, frontNow] = await rows();
  assert.equal(frontNow?.at, front?.at);
  assert.ok((backNow?.at ?? '') > (back?.at ?? ''));
  await keeperOf(id, 'a', ['front']).keep(states(['front', 'online']));
  assert.deepEqual(
    (await rows()).map(({ endpoint }) => endpoint),
    ['phone-front'],
  );
});

test('states that are unchanged are not written again, until another process may have written', async () => {
  const tenant = await newTenant();
  const id = await connect([{ name: 'front', tenant, number: NUMBER }]);
  const keeper = keeperOf(id, 'a', ['front']);
  const count = async () => (await sql(db, 'select 1 from sip_registrations where connection_id = $1', [id])).length;
  await keeper.keep(states(['front', 'online']));
  await sql(db, 'delete from sip_registrations where connection_id = $1', [id]);
  await keeper.keep(states(['front', 'online']));
  assert.equal(await count(), 0);
  keeper.forget();
  await keeper.keep(states(['front', 'online']));
  assert.equal(await count(), 1);
});

test('telephones of other accounts and of deleted tenants are not listed, and of each tenant alone with its key', async () => {
  const [mine, second, deleted] = [await newTenant(), await newTenant(), await newTenant()];
  const { live_key: otherKey } = await harness.secondAccount();
  const theirs = await newTenant(otherKey);
  await connect([mine, second, deleted, theirs].map((tenant, at) => ({ name: `desk-${at}`, tenant, number: NUMBER })));
  await harness.call('DELETE', `/v1/tenants/${deleted}`, { key });
  const tenantsOf = async (of: string) =>
    (await list('?limit=100', of)).data.map((phone: { tenant_id: string }) => phone.tenant_id);
  const all = await tenantsOf(key);
  assert.deepEqual(
    [mine, second, deleted, theirs].map((id) => all.includes(id)),
    [true, true, false, false],
  );
  assert.deepEqual(await tenantsOf(otherKey), [theirs]);
  const tenantKey = await harness.tenantKey(second, 'live');
  assert.deepEqual(await tenantsOf(tenantKey), [second]);
  const refused = await harness.call('GET', `/v1/sip_phones?tenant_id=${mine}`, { key: tenantKey });
  assert.deepEqual(refusal(refused), [403, 'tenant_restricted_key', 'tenant_id']);
});

test('pages follow each other by tenant and name, without repetition', async () => {
  const tenant = await newTenant();
  await connect(['c', 'a', 'b'].map((name) => ({ name, tenant, number: NUMBER })));
  const first = await list(`?tenant_id=${tenant}&limit=2`);
  const second = await list(`?tenant_id=${tenant}&limit=2&after=${first.next_cursor}`);
  const names = (page: { data: { name: string }[] }) => page.data.map(({ name }) => name);
  assert.deepEqual([names(first), first.has_more, names(second), second.has_more], [['a', 'b'], true, ['c'], false]);
});

test('in test mode the list is empty', async () => {
  const { body } = await harness.call('GET', '/v1/sip_phones');
  assert.deepEqual(body, { data: [], has_more: false, next_cursor: null });
});

test('an operator sees all telephones of a connection with their tenants and the word of each engine, also while it is disabled', async () => {
  const tenant = await newTenant();
  const id = await connect([{ name: 'front', tenant, number: NUMBER }, { number: '+13035550101' }]);
  await setReady(id, 'b');
  await keeperOf(id, 'b', ['front']).keep(states(['front', 'online']));
  const read = async () => (await operator.call('GET', `/connections/${id}/telephones`)).body.data;
  const [front, other] = await read();
  const { since, ...atB } = front.engines[1];
  assert.deepEqual(front.tenant, { id: tenant, name: 'Desert Paws Clinic', account_id: harness.account.id });
  assert.deepEqual(
    [front.engines[0], atB],
    [
      { engine: 'a', registration: 'unknown', since: null },
      { engine: 'b', registration: 'registered' },
    ],
  );
  assert.ok(Date.parse(since) > 0);
  assert.deepEqual([other.name, other.tenant, other.number], [null, null, '+13035550101']);
  await sql(db, `update carrier_connections set status = 'disabled' where id = $1`, [id]);
  assert.equal((await read()).length, 2);
});

test("the watch of an engine stores the states of the engine's telephones", async (t) => {
  const engine = await startFakeEngine();
  t.after(engine.close);
  engine.endpoints = [{ resource: 'phone-front', state: 'online' }];
  const connection = await connect([]);
  const parts = {
    engines: [{ name: 'a', url: engine.url }],
    phones: [{ name: 'front', tenant: 't', number: NUMBER, extensions: [] }],
  };
  const settings = { ...parts, trunks: [], ariPassword: 'p' };
  const client = createEngineClient({ ...{ name: 'a', url: engine.url, password: 'p' }, connection, log: silentLog });
  t.after(client.close);
  const line = {
    db,
    log: silentLog,
    metrics: harness.context.metrics,
    connectionId: connection,
    settings,
  } as unknown as SipLine;
  const watch = watchEngine({ line, client, isReport: () => false, onEvents: async () => undefined });
  t.after(watch.close);
  watch.start();
  await until('the telephone is registered', async () => {
    const [listed] = await listTelephones(db, { connectionId: connection, ...parts });
    return listed?.engines[0]?.registration === 'registered';
  });
});
