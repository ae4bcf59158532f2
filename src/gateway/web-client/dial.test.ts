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
import type { Tx } from '../../db/database.ts';
import { holdWebClient } from '../../domain/voice/index.ts';
import { newId } from '../../lib/ids.ts';

let harness: Harness;
before(async () => {
  harness = await startHarness();
});
after(() => harness.close());

type Desk = { tenantId: string; number: Json; webClient: Json; line: WebClientSocket };

/** A tenant with a number whose calls ring its one web client, which is logged in. */
async function makeDesk(): Promise<Desk> {
  const tenantId = await makeTenant(harness);
  const number = await buyNumber(harness, tenantId);
  const webClient = await makeWebClient(harness, tenantId);
  await route(harness, { tenantId, number }, { open_behavior: ringing([webClient.id]) });
  return { tenantId, number, webClient, line: await logIn(harness, webClient.id) };
}

/** Holds a web client as a call does that is just taking it: the leg is there once `work` has ended. */
async function takingWebClient(webClient: Json, work: (tx: Tx) => Promise<void>): Promise<void> {
  const { db } = harness.context;
  const [ledger] = await sql<{ id: number }>(db, 'select ledger_id as id from web_clients where id = $1', [
    webClient.id,
  ]);
  const ledgerId = ledger?.id as number;
  const callRef = newId('call');
  await db.transaction(async (tx) => {
    await holdWebClient(tx, { ledgerId, webClientId: webClient.id });
    const leg = {
      leg_ref: newId('call_leg'),
      party: 'agent',
      address: webClient.id,
      dialled: true,
      state: 'ringing',
    } as const;
    await insertCall(tx, ledgerId, { ...newCall(callRef), legs: [newLeg(leg)] });
    await work(tx);
  });
}

/** True once somebody waits for the web client. */
async function isAwaited(): Promise<boolean> {
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%softphone_sessions%'
    and datname = current_database()`;
  return (await sql(harness.context.db, waiting)).length > 0;
}

test('of two calls that take a web client at the same moment one rings it, and for the other it is busy', async () => {
  const { line, webClient, number } = await makeDesk();
  let id = '';
  await takingWebClient(webClient, async () => {
    ({ id } = await callIn(harness, { tenantId: '', number }));
    const rings = () => line.said.some((message) => message.type === 'incoming' && message.call_id === id);
    await until('the other waits', async () => rings() || (await isAwaited()));
  });
  await until('the voicemail answers', async () => (await readCall(harness, id)).answered_by === 'voicemail');
  const log: Json[] = (await readCall(harness, id)).events;
  assert.equal(log.find(({ type }) => type === 'target_cancelled')?.detail.reason, 'busy');
  await line.close();
});

test('a web client that dials while a call takes it is busy; help is called all the same, and at once', async () => {
  const { line, webClient } = await makeDesk();
  await takingWebClient(webClient, async () => {
    line.say({ type: 'place', to: newPerson(), ref: 'ordinary' });
    const places = () => line.said.some(({ type }) => type === 'dialing');
    await until('the web client waits', async () => places() || (await isAwaited()));
    line.say({ type: 'place', to: '911', ref: 'help' });
    assert.equal((await line.hear('dialing')).ref, 'help');
  });
  const refused = await line.hear('error');
  assert.deepEqual([refused.code, refused.ref], ['seat_busy', 'ordinary']);
  await line.close();
});

/** How many calls a web client has placed. */
async function placedBy(webClient: Json): Promise<number> {
  return (await sql(harness.context.db, 'select 1 from calls where connect_to = $1', [webClient.id])).length;
}

test('a call that is asked for again by its ref, as the answer was lost with the connection, is made once', async () => {
  const { line, webClient } = await makeDesk();
  const place = { type: 'place', to: '+15005550003', ref: 'mine' } as const;
  line.say(place);
  await until('it is made', async () => (await placedBy(webClient)) === 1);
  line.socket.terminate();
  const again = await logIn(harness, webClient.id);
  const { call_id } = await again.hear('dialing');
  again.say(place);
  const answer = await again.hear('dialing');
  assert.deepEqual([answer.call_id, answer.ref, answer.to], [call_id, 'mine', place.to]);
  again.say({ type: 'hang_up', call_id });
  await again.hear('ended');
  again.say(place);
  const over = await again.hear('dialing');
  assert.deepEqual([over.call_id, over.ref], [call_id, 'mine']);
  assert.equal((await again.hear('ended')).outcome, 'canceled');
  assert.equal(await placedBy(webClient), 1);
  again.say({ ...place, ref: 'another' });
  assert.notEqual((await again.hear('dialing')).call_id, call_id);
  await again.close();
});

test('a ref is the same call for five minutes, and one of another web client never', async () => {
  const [{ line, webClient }, other] = [await makeDesk(), await makeDesk()];
  const dial = async (on: WebClientSocket) => {
    on.say({ type: 'place', to: '+15005550003', ref: 'mine' });
    const { call_id } = await on.hear('dialing');
    on.say({ type: 'hang_up', call_id });
    await on.hear('ended');
    return call_id;
  };
  const calls = [await dial(line), await dial(other.line)];
  const old = `update softphone_places set placed_at = placed_at - interval '301 seconds' where web_client_id = $1`;
  await sql(harness.context.db, old, [webClient.id]);
  calls.push(await dial(line));
  assert.equal(new Set(calls).size, 3);
  await Promise.all([line.close(), other.line.close()]);
});

test('help that is called twice by one ref is one call while that goes on, and another once it is over', async () => {
  const { line, webClient } = await makeDesk();
  const help = { type: 'place', to: '911', ref: 'help' } as const;
  for (let times = 0; times < 3; times++) line.say(help);
  const ids = new Set<string>();
  for (let times = 0; times < 3; times++) ids.add((await line.hear('dialing')).call_id);
  const [call_id] = [...ids] as [string];
  assert.deepEqual([ids.size, await placedBy(webClient)], [1, 1]);
  line.say({ type: 'hang_up', call_id });
  await line.hear('ended');
  line.say(help);
  assert.notEqual((await line.hear('dialing')).call_id, call_id);
  await line.close();
});

test('help is never taken for a call to somebody else that has its ref', async () => {
  const { line } = await makeDesk();
  const ids = new Set<string>();
  for (const to of ['+15005550003', '933', '911']) {
    line.say({ type: 'place', to, ref: 'mine' });
    const dialing = await line.hear('dialing');
    assert.equal(dialing.to, to);
    ids.add(dialing.call_id);
  }
  assert.equal(ids.size, 3);
  await line.close();
});
