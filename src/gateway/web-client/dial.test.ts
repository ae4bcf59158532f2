import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, readCall } from '../../../test/support/calls.ts';
import { type Json, testLedger } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import {
  type Desk,
  insertRingingLeg,
  logIn,
  makeDesk,
  type WebClientSocket,
} from '../../../test/support/web-clients.ts';
import { lockWebClient } from '../../domain/voice/index.ts';

const harness = await useHarness();

/** Runs `work` while the lock of the web client is taken by another call, whose leg exists once `work` has ended. */
async function whileTaken(desk: Desk, work: () => Promise<void>): Promise<void> {
  const ledgerId = await testLedger(harness);
  await harness.context.db.transaction(async (tx) => {
    await lockWebClient(tx, { ledgerId, webClientId: desk.webClient.id });
    await insertRingingLeg(tx, harness, desk);
    await work();
  });
}

/** True once a transaction waits for the lock of a web client. */
async function isLockAwaited(): Promise<boolean> {
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%web_client_sessions%'
    and datname = current_database()`;
  return (await sql(harness.context.db, waiting)).length > 0;
}

test('when two calls take a web client concurrently, one rings it and for the other it is busy', async () => {
  const desk = await makeDesk(harness);
  const { client, number } = desk;
  let id = '';
  await whileTaken(desk, async () => {
    ({ id } = await callIn(harness, { tenantId: '', number }));
    const rings = () => client.messages.some((message) => message.type === 'incoming' && message.call_id === id);
    await until('the other call waits for the lock', async () => rings() || (await isLockAwaited()));
  });
  await until('the voicemail answers', async () => (await readCall(harness, id)).answered_by === 'voicemail');
  const log: Json[] = (await readCall(harness, id)).events;
  assert.equal(log.find(({ type }) => type === 'target_cancelled')?.detail.reason, 'busy');
  await client.close();
});

test('a web client that dials while a call takes it is busy; an emergency call is dialled without waiting', async () => {
  const desk = await makeDesk(harness);
  const { client } = desk;
  await whileTaken(desk, async () => {
    client.send({ type: 'place', to: newPerson(), ref: 'ordinary' });
    const isDialled = () => client.messages.some(({ type }) => type === 'dialing');
    await until('the dial waits for the lock', async () => isDialled() || (await isLockAwaited()));
    client.send({ type: 'place', to: '911', ref: 'emergency' });
    assert.equal((await client.receive('dialing')).ref, 'emergency');
  });
  const refused = await client.receive('error');
  assert.deepEqual([refused.code, refused.ref], ['seat_busy', 'ordinary']);
  await client.close();
});

/** Returns how many calls a web client has dialled. */
async function countDialled(webClient: Json): Promise<number> {
  return (await sql(harness.context.db, 'select 1 from calls where connect_to = $1', [webClient.id])).length;
}

test('a place that is repeated with its ref after a lost connection dials once', async () => {
  const { client, webClient } = await makeDesk(harness);
  const place = { type: 'place', to: '+15005550003', ref: 'mine' } as const;
  client.send(place);
  await until('it is dialled', async () => (await countDialled(webClient)) === 1);
  client.socket.terminate();
  const again = await logIn(harness, webClient.id);
  const { call_id } = await again.receive('dialing');
  again.send(place);
  const answer = await again.receive('dialing');
  assert.deepEqual([answer.call_id, answer.ref, answer.to], [call_id, 'mine', place.to]);
  again.send({ type: 'hang_up', call_id });
  await again.receive('ended');
  again.send(place);
  const over = await again.receive('dialing');
  assert.deepEqual([over.call_id, over.ref], [call_id, 'mine']);
  assert.equal((await again.receive('ended')).outcome, 'canceled');
  assert.equal(await countDialled(webClient), 1);
  again.send({ ...place, ref: 'another' });
  assert.notEqual((await again.receive('dialing')).call_id, call_id);
  await again.close();
});

test('a ref means the same call for five minutes, and never a call of another web client', async () => {
  const [{ client, webClient }, other] = [await makeDesk(harness), await makeDesk(harness)];
  const dial = async (on: WebClientSocket) => {
    on.send({ type: 'place', to: '+15005550003', ref: 'mine' });
    const { call_id } = await on.receive('dialing');
    on.send({ type: 'hang_up', call_id });
    await on.receive('ended');
    return call_id;
  };
  const calls = [await dial(client), await dial(other.client)];
  const old = `update web_client_dials set dialled_at = dialled_at - interval '301 seconds' where web_client_id = $1`;
  await sql(harness.context.db, old, [webClient.id]);
  calls.push(await dial(client));
  assert.equal(new Set(calls).size, 3);
  await Promise.all([client.close(), other.client.close()]);
});

test('an emergency call repeated with its ref is one call while it lasts, and a new one after that', async () => {
  const { client, webClient } = await makeDesk(harness);
  const emergency = { type: 'place', to: '911', ref: 'emergency' } as const;
  for (let times = 0; times < 3; times++) client.send(emergency);
  const ids = new Set<string>();
  for (let times = 0; times < 3; times++) ids.add((await client.receive('dialing')).call_id);
  const [call_id] = [...ids] as [string];
  assert.deepEqual([ids.size, await countDialled(webClient)], [1, 1]);
  client.send({ type: 'hang_up', call_id });
  await client.receive('ended');
  client.send(emergency);
  assert.notEqual((await client.receive('dialing')).call_id, call_id);
  await client.close();
});

test('an emergency call is never mistaken for a call to another number with the same ref', async () => {
  const { client } = await makeDesk(harness);
  const ids = new Set<string>();
  for (const to of ['+15005550003', '933', '911']) {
    client.send({ type: 'place', to, ref: 'mine' });
    const dialing = await client.receive('dialing');
    assert.equal(dialing.to, to);
    ids.add(dialing.call_id);
  }
  assert.equal(ids.size, 3);
  await client.close();
});
