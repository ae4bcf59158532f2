import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deliveriesOf, happen, type Json, register } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { useReceiver } from '../../../../test/support/receiver.ts';
import { migrate } from '../../../db/migrate.ts';

const harness = await useHarness();

const forward = async (query = ''): Promise<string[]> => {
  const page: Json = (await harness.call('GET', `/v1/events?order=asc&limit=100${query}`)).body;
  return page.data.map(({ id }: { id: string }) => id);
};
const placesOf = (resource: string) =>
  sql<{ id: string; written_by: string }>(
    harness.context.db,
    'select id, written_by::text from events where resource_id = $1 order by id',
    [resource],
  );

/** The state of a restored dump: the server has not reached the transactions that wrote the events. */
const restore = (resource: string) =>
  sql(
    harness.context.db,
    `update events set written_by = (written_by::text::numeric + 1000000000000)::text::xid8 where resource_id = $1`,
    [resource],
  );

test('the start makes the events of a restored dump visible again, in order and before all later ones', async () => {
  const old: string[] = [];
  for (let n = 0; n < 5; n++) old.push(...(await happen(harness, { resource: 'dumped' })).map(({ id }) => id));
  await restore('dumped');
  assert.deepEqual(await forward('&resource_id=dumped'), [], 'hidden until then');
  assert.deepEqual(await migrate(harness.databaseUrl), []);
  const [fresh] = await happen(harness, { resource: 'dumped' });
  await until('all are shown', async () => (await forward('&resource_id=dumped')).length === 6);
  assert.deepEqual(await forward('&resource_id=dumped'), [...old, fresh?.id]);
  // A receiver that stored the id of its last processed event continues from there.
  assert.deepEqual(await forward(`&resource_id=dumped&after=${old[2]}`), [...old.slice(3), fresh?.id]);
});

test('a delivery made after the backup is made again after the restore, with the same ids and bytes', async () => {
  const { db } = harness.context;
  const receiver = await useReceiver();
  const endpoint = await register(harness, { url: receiver.url, enabled_events: ['message.received'] });
  const setStatus = (status: string) =>
    harness.call('PATCH', `/v1/webhook_endpoints/${endpoint.id}`, { body: { status } });
  await setStatus('disabled');
  await happen(harness, { resource: 'restored' });
  await until('it is held', async () => {
    const held = await sql(db, 'select 1 from lanes where group_id = $1 and paused', [endpoint.id]);
    return held.length === 1;
  });
  const tables = ['deliveries', 'waiting_deliveries', 'lanes'];
  for (const table of tables) await sql(db, `create table backup_${table} as table ${table}`);
  await setStatus('active');
  await receiver.arrived(1);
  await until('it is recorded', async () => (await deliveriesOf(harness, endpoint.id))[0].status === 'delivered');
  for (const table of tables) {
    await sql(db, `delete from ${table}`);
    await sql(db, `insert into ${table} select * from backup_${table}`);
  }
  await setStatus('disabled');
  await setStatus('active');
  await receiver.arrived(2);
  const [first, again] = receiver.received;
  assert.equal(again?.body, first?.body);
  assert.equal(again?.headers['webhook-id'], first?.headers['webhook-id']);
  assert.equal(again?.headers['webhook-id'], first?.event.id);
});

test('the start does not change events that this server wrote', async () => {
  for (let n = 0; n < 3; n++) await happen(harness, { resource: 'own' });
  const before = await placesOf('own');
  await migrate(harness.databaseUrl);
  assert.deepEqual(await placesOf('own'), before);
  assert.equal(new Set(before.map(({ written_by }) => written_by)).size, 3);
});
