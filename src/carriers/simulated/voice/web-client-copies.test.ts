import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callIn, playParty, readCall } from '../../../../test/support/calls.ts';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { answerDesk, makeDesk, ringDesk } from '../../../../test/support/web-clients.ts';

const harness = await useHarness();
const { db } = harness.context;

/** Returns the states of the web client's leg: in the product, and then in the simulated carrier's copy. */
async function statesOf(callId: string): Promise<string[]> {
  const [row] = await sql<{ own: string; copy: string }>(
    db,
    `select w.state as own, l.state as copy from web_client_legs w
     left join simulated_legs l on l.ledger_id = w.ledger_id and l.leg_ref = w.leg_id where w.call_id = $1`,
    [callId],
  );
  return row === undefined ? [] : [row.own, row.copy];
}

async function reasonOf(callId: string): Promise<string> {
  const log: Json[] = (await readCall(harness, callId)).events;
  return log.find(({ type }) => type === 'target_cancelled')?.detail.reason;
}

test('the carrier has a copy of a leg that rings, that is up and that has ended', async () => {
  const desk = await makeDesk(harness);
  const id = await ringDesk(harness, desk);
  assert.deepEqual(await statesOf(id), ['ringing', 'ringing']);
  desk.client.send({ type: 'answer', call_id: id });
  await desk.client.receive('answered');
  assert.deepEqual(await statesOf(id), ['up', 'up']);
  desk.client.send({ type: 'hang_up', call_id: id });
  await desk.client.receive('ended');
  assert.deepEqual(await statesOf(id), ['ended', 'ended']);
  await desk.client.close();
});

test('a test answers in place of the person, and the web client shows it', async () => {
  const desk = await makeDesk(harness);
  const id = await ringDesk(harness, desk);
  await playParty(harness, id, 'answer', { target: desk.webClient.id });
  await desk.client.receive('answered');
  assert.deepEqual(await statesOf(id), ['up', 'up']);
  assert.equal((await readCall(harness, id)).answered_by, `web_client:${desk.webClient.id}`);
  await playParty(harness, id, 'hangup', { party: 'agent' });
  assert.equal((await desk.client.receive('ended')).reason, 'hung_up');
  await desk.client.close();
});

for (const [step, reason] of [
  ['decline', 'rejected'],
  ['busy', 'busy'],
] as const) {
  test(`the script "${step}" ends the leg of a web client with ${reason}`, async () => {
    const desk = await makeDesk(harness);
    const { id } = await callIn(harness, desk, { script: `${step}, hangup` });
    await desk.client.receive('ended');
    assert.equal(await reasonOf(id), reason);
    await desk.client.close();
  });
}

test('a message for a call that rings a web client ends the ringing', async () => {
  const desk = await makeDesk(harness);
  const id = await ringDesk(harness, desk);
  await playParty(harness, id, 'voicemail');
  await desk.client.receive('ended');
  assert.equal(await reasonOf(id), 'no_answer');
  await desk.client.close();
});

test('keys that the person presses are heard from its leg, and reported once', async () => {
  const desk = await makeDesk(harness);
  const id = await answerDesk(harness, desk);
  desk.client.send({ type: 'dtmf', call_id: id, digits: '1#' });
  const pressed = `select said_by from simulated_sounds where call_ref = $1 and kind = 'digits' and content = '1#'`;
  await until('the keys sound', async () => (await sql(db, pressed, [id])).length > 0);
  const [sound] = await sql<{ said_by: string }>(db, pressed, [id]);
  const [leg] = await sql<{ leg_id: string }>(db, 'select leg_id from web_client_legs where call_id = $1', [id]);
  assert.equal(sound?.said_by, leg?.leg_id);
  const log: Json[] = (await readCall(harness, id)).events;
  const digits = log.filter(({ type }) => type === 'dtmf').map(({ detail }) => detail);
  assert.deepEqual(
    digits.map(({ digit }) => digit),
    ['1', '#'],
  );
  await desk.client.close();
});

test('what the person does locks the simulated call before the call, as the reports of the carrier do', async () => {
  const desk = await makeDesk(harness);
  const id = await ringDesk(harness, desk);
  const waiting = `select 1 from pg_stat_activity where wait_event_type = 'Lock' and query like '%simulated_calls%'
    and datname = current_database()`;
  await db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'select 1 from simulated_calls where call_ref = $1 for update' }, [id]);
    desk.client.send({ type: 'answer', call_id: id });
    await until('the answer waits for the simulated call', async () => (await sql(db, waiting)).length > 0);
    const free = await sql(db, 'select 1 from calls where id = $1 for update nowait', [id]);
    assert.equal(free.length, 1);
  });
  await desk.client.receive('answered');
  await desk.client.close();
});
