/** The calls of a web client that is revoked. The test clock does not advance: no test waits for a call timer. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCall } from '../../../test/support/calls.ts';
import type { Json } from '../../../test/support/events.ts';
import { useHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { answerDesk, type Desk, insertRingingLeg, makeDesk, ringDesk } from '../../../test/support/web-clients.ts';

const harness = await useHarness();
/** Another process, where the web clients log in. */
const there = await useHarness({ databaseUrl: harness.databaseUrl, startWorkers: false });

const revoke = ({ webClient }: Desk) => harness.call('DELETE', `/v1/web_clients/${webClient.id}`);
const GRACE_MS = 4_000;
const untilCompleted = (id: string) =>
  until('the call has ended', async () => (await readCall(harness, id)).status === 'completed', GRACE_MS);

test('the call of a revoked web client ends at once, for the other party too', async () => {
  const desk = await makeDesk(harness, { at: there });
  const id = await answerDesk(harness, desk);
  await revoke(desk);
  await untilCompleted(id);
  assert.equal((await readCall(harness, id)).outcome, 'answered');
  const others = `select 1 from simulated_legs where call_ref = $1 and state <> 'ended'`;
  await until('no leg is left', async () => (await sql(harness.context.db, others, [id])).length === 0, GRACE_MS);
  assert.equal(await desk.client.closed, 4403);
});

test('the call ends even if the process that had the socket has crashed', async () => {
  const desk = await makeDesk(harness, { at: there });
  const id = await answerDesk(harness, desk);
  const { db } = harness.context;
  // The session after a crash: its row is still fresh, and no process receives a signal.
  const crashed = `update web_client_sessions set session_id = 'gone', node_id = 'gone', seen_at = clock_timestamp()
    where web_client_id = $1`;
  await sql(db, crashed, [desk.webClient.id]);
  assert.equal(await desk.client.closed, 4409);
  await revoke(desk);
  await untilCompleted(id);
});

test('revocation also ends a call that the web client dials, and a click-to-call that rings it', async () => {
  const [one, two] = [await makeDesk(harness, { at: there }), await makeDesk(harness, { at: there })];
  one.client.send({ type: 'place', to: '+15005550003' });
  const { call_id } = await one.client.receive('dialing');
  await one.client.receive('ringing');
  const body = { from: two.number.id, to: newPerson(), connect_to: two.webClient.id };
  const { body: click } = await harness.call('POST', '/v1/calls', { body });
  await two.client.receive('incoming');
  await Promise.all([revoke(one), revoke(two)]);
  for (const id of [call_id, click.id]) {
    await until('it has failed', async () => (await readCall(harness, id)).status === 'failed', GRACE_MS);
  }
});

test('a web client revoked while it rings stops ringing at once, and the caller reaches the voicemail', async () => {
  const desk = await makeDesk(harness, { at: there });
  const id = await ringDesk(harness, desk);
  await revoke(desk);
  await until('the voicemail answers', async () => (await readCall(harness, id)).answered_by === 'voicemail', GRACE_MS);
  const log: Json[] = (await readCall(harness, id)).events;
  assert.deepEqual(log.find(({ type }) => type === 'target_cancelled')?.detail, {
    target: desk.webClient.id,
    reason: 'unreachable',
  });
});

test('a call that takes the web client concurrently with its revocation is ended too', async () => {
  const desk = await makeDesk(harness, { at: there });
  const { db } = harness.context;
  let callId = '';
  await db.transaction(async (tx) => {
    callId = await insertRingingLeg(tx, harness, desk);
    await revoke(desk);
    assert.equal(await desk.client.closed, 4403);
  });
  await until(
    'its leg has ended',
    async () => {
      const text = `select 1 from web_client_legs where call_id = $1 and state <> 'ended'`;
      return (await sql(db, text, [callId])).length === 0;
    },
    GRACE_MS,
  );
});

test('deleting the tenant ends the calls of its web clients', async () => {
  const desk = await makeDesk(harness, { at: there });
  const id = await answerDesk(harness, desk);
  await harness.call('DELETE', `/v1/tenants/${desk.tenantId}`);
  await untilCompleted(id);
});
