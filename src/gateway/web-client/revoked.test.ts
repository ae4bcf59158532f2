/** What becomes of the calls of a web client that is revoked. The clock stands: nothing here waits for a timer of a call. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { callIn, readCall, ringing, route } from '../../../test/support/calls.ts';
import type { Json } from '../../../test/support/events.ts';
import { type Harness, startHarness } from '../../../test/support/harness.ts';
import { sql, until } from '../../../test/support/jobs.ts';
import { newPerson } from '../../../test/support/messages.ts';
import { buyNumber, makeTenant } from '../../../test/support/numbers.ts';
import { logIn, makeWebClient, type WebClientSocket } from '../../../test/support/web-clients.ts';
import { newCall, newLeg } from '../../carriers/simulated/voice/call.ts';
import { insertCall } from '../../carriers/simulated/voice/queries.ts';
import { newId } from '../../lib/ids.ts';

let harness: Harness;
/** Another process, which has the web clients. */
let there: Harness;
before(async () => {
  harness = await startHarness();
  there = await startHarness({ databaseUrl: harness.databaseUrl, startWorkers: false });
});
after(async () => {
  await there.close();
  await harness.close();
});

type Desk = { tenantId: string; number: Json; webClient: Json; line: WebClientSocket };

async function makeDesk(): Promise<Desk> {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClient = await makeWebClient(harness, tenantId);
  await route(harness, { tenantId, number }, { open_behavior: ringing([webClient.id]) });
  return { tenantId, number, webClient, line: await logIn({ ...harness, url: there.url }, webClient.id) };
}

async function callTheWebClient({ line, number }: Desk): Promise<string> {
  const { id } = await callIn(harness, { tenantId: '', number });
  await line.hear('incoming');
  return id;
}

async function answered(desk: Desk): Promise<string> {
  const id = await callTheWebClient(desk);
  desk.line.say({ type: 'answer', call_id: id });
  await desk.line.hear('answered');
  return id;
}

const revoke = ({ webClient }: Desk) => harness.call('DELETE', `/v1/web_clients/${webClient.id}`);
const GRACE_MS = 4_000;
const untilCompleted = (id: string) =>
  until('the call has ended', async () => (await readCall(harness, id)).status === 'completed', GRACE_MS);

test('the call of a web client that is revoked ends at once, for the other party too', async () => {
  const desk = await makeDesk();
  const id = await answered(desk);
  await revoke(desk);
  await untilCompleted(id);
  assert.equal((await readCall(harness, id)).outcome, 'answered');
  const others = `select 1 from simulated_legs where call_ref = $1 and state <> 'ended'`;
  await until('nobody is left on it', async () => (await sql(harness.context.db, others, [id])).length === 0, GRACE_MS);
  assert.equal(await desk.line.closed, 4403);
});

test('it ends also where the process that had the socket is gone without a word', async () => {
  const desk = await makeDesk();
  const id = await answered(desk);
  const { db } = harness.context;
  // As the dead leave it: the row is still fresh, and nobody hears of anything.
  const lone = `update softphone_sessions set session_id = 'gone', node_id = 'gone', seen_at = clock_timestamp()
    where web_client_id = $1`;
  await sql(db, lone, [desk.webClient.id]);
  assert.equal(await desk.line.closed, 4409);
  await revoke(desk);
  await untilCompleted(id);
});

test('a web client that dials and one that is called for are given up as well', async () => {
  const [one, two] = [await makeDesk(), await makeDesk()];
  one.line.say({ type: 'place', to: '+15005550003' });
  const { call_id } = await one.line.hear('dialing');
  await one.line.hear('ringing');
  const body = { from: two.number.id, to: newPerson(), connect_to: two.webClient.id };
  const { body: click } = await harness.call('POST', '/v1/calls', { body });
  await two.line.hear('incoming');
  await Promise.all([revoke(one), revoke(two)]);
  for (const id of [call_id, click.id]) {
    await until('it has failed', async () => (await readCall(harness, id)).status === 'failed', GRACE_MS);
  }
});

test('a web client that is revoked while it is rung is given up at once, and the caller reaches the voicemail', async () => {
  const desk = await makeDesk();
  const id = await callTheWebClient(desk);
  await revoke(desk);
  await until('the voicemail answers', async () => (await readCall(harness, id)).answered_by === 'voicemail', GRACE_MS);
  const log: Json[] = (await readCall(harness, id)).events;
  assert.deepEqual(log.find(({ type }) => type === 'target_cancelled')?.detail, {
    target: desk.webClient.id,
    reason: 'unreachable',
  });
});

test('a call that takes the web client in the very moment of its revocation is ended too', async () => {
  const desk = await makeDesk();
  const { db } = harness.context;
  const [row] = await sql<{ id: number }>(db, 'select ledger_id as id from web_clients where id = $1', [
    desk.webClient.id,
  ]);
  const ledgerId = row?.id as number;
  const callRef = newId('call');
  await db.transaction(async (tx) => {
    const leg = {
      leg_ref: newId('call_leg'),
      party: 'agent',
      address: desk.webClient.id,
      dialled: true,
      state: 'ringing',
    } as const;
    await insertCall(tx, ledgerId, { ...newCall(callRef), legs: [newLeg(leg)] });
    await revoke(desk);
    assert.equal(await desk.line.closed, 4403);
  });
  await until(
    'its leg has ended',
    async () => {
      const text = `select 1 from simulated_legs where call_ref = $1 and state <> 'ended'`;
      return (await sql(db, text, [callRef])).length === 0;
    },
    GRACE_MS,
  );
});

test('deleting the tenant ends the calls of its web clients', async () => {
  const desk = await makeDesk();
  const id = await answered(desk);
  await harness.call('DELETE', `/v1/tenants/${desk.tenantId}`);
  await untilCompleted(id);
});
