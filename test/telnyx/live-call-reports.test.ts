/** Reports about calls that come late, twice, in another order, or never; and hang-ups that cross other commands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { healCalls } from '../../src/domain/voice/calls/inputs/heal-calls.ts';
import { newId } from '../../src/lib/ids.ts';
import type { Json } from '../support/events.ts';
import { runNow, sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { checkProperty } from '../support/property.ts';
import { useReceiver } from '../support/receiver.ts';
import { type Passage, startShuffler } from './report-shuffler.ts';
import { useTelnyxLine } from './telnyx-line.ts';

let productUrl = '';
const shuffler = await startShuffler(() => productUrl);
const { telnyx, harness, connectionId, key, tenantId, number, get, make } = await useTelnyxLine({
  public_url: shuffler.url,
});
productUrl = harness.url;
const { control } = telnyx;
const { db } = harness.context;

const ledger = await fund(harness);

const alive = async () => (await control.calls({})).filter(({ state }) => state !== 'ended');
const legTo = async (person: string) => (await control.calls({})).find((leg) => leg.person === person);
const ENDS = ['call.completed', 'call.missed'];

/** Makes all running calls old enough for a check now, and asks the carrier about them as the product's worker does. */
async function heal(): Promise<void> {
  await sql(db, "update calls set started_at = started_at - interval '1 minute' where ended_at is null");
  await healCalls(harness.context);
}

async function endsOf(id: string): Promise<string[]> {
  const { data } = await get(`/events?resource_id=${id}&limit=100`);
  return data.map(({ type }: Json) => type).filter((type: string) => ENDS.includes(type));
}

/** Lets calls to the number ring this desk, and then take a message. */
async function routeTo(target: string): Promise<void> {
  const routing = await make('/routing_configs', {
    ...{ tenant_id: tenantId, name: 'Front desk', business_hours: null },
    open_behavior: { type: 'ring', targets: [target], timeout_seconds: 5 },
    closed_behavior: { type: 'voicemail', greeting_text: 'Leave a message.', transcribe: false },
  });
  const patch = { key, body: { routing_config_id: routing.id } };
  assert.equal((await harness.call('PATCH', `/v1/phone_numbers/${number.id}`, patch)).status, 200);
}

/** Plays a call out and a call in at the same time, hangs both up, and returns their ids once they have ended. */
async function playCalls(): Promise<string[]> {
  const [customer, caller] = [newPerson(), newPerson()];
  await control.person({ phoneNumber: caller, saysMs: 0, hangsUpAfterMs: 1_000, waitsMs: 3_000 });
  await control.person({ phoneNumber: customer, hangsUpAfterMs: 1_000 });
  const before = await listCalls();
  await make('/calls', { from: number.id, connect_to: newPerson(), to: customer });
  await control.callIn({ from: caller, to: number.phone_number });
  await until(
    'no leg is left',
    async () => {
      await heal();
      return (await alive()).length === 0;
    },
    60_000,
  );
  await shuffler.passed();
  const own = (await listCalls()).filter((id) => !before.includes(id));
  const isOver = async (id: string) => ['completed', 'failed', 'missed'].includes((await get(`/calls/${id}`)).status);
  await until(
    'every call has its end',
    async () => {
      await heal();
      return (await Promise.all(own.map(isOver))).every((is) => is);
    },
    60_000,
  );
  return own;
}

const listCalls = async (): Promise<string[]> => (await get('/calls?limit=100')).data.map(({ id }: Json) => id);

const passage: fc.Arbitrary<Passage> = fc.record({
  delayMs: fc.nat({ max: 400 }),
  copies: fc.oneof({ weight: 6, arbitrary: fc.constant(1) }, { weight: 2, arbitrary: fc.constant(2) }, fc.constant(0)),
});

test('calls whose reports come late, twice, in any order or never have one end each, and leave no leg behind', async () => {
  await routeTo(newPerson());
  const passages = fc.array(passage, { minLength: 7, maxLength: 30 });
  const property = fc.asyncProperty(passages, async (shuffled) => {
    shuffler.shuffle(shuffled);
    for (const id of await playCalls()) {
      const ends = await endsOf(id);
      assert.equal(ends.filter((type) => type === 'call.completed').length, 1, `${id}: ${ends.join(', ')}`);
      assert.ok(ends.filter((type) => type === 'call.missed').length <= 1);
    }
  });
  await checkProperty(property, { runs: 6, shrinks: false });
  shuffler.shuffle([]);
});

test('an answer and a hang-up whose reports are lost are found by asking', async () => {
  const [agent, customer] = [newPerson(), newPerson()];
  shuffler.shuffle([{ delayMs: 0, copies: 0 }]);
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: customer });
  const isUp = async (person: string) => (await legTo(person))?.state === 'answered';
  const healUntil = (what: string, holds: () => Promise<boolean>) =>
    until(
      what,
      async () => {
        await heal();
        return await holds();
      },
      20_000,
    );
  await healUntil('the customer is dialled', () => isUp(customer));
  await healUntil('the call is in progress', async () => (await get(`/calls/${id}`)).status === 'in_progress');
  await control.hangUp({ phoneNumber: customer });
  await healUntil('the call has ended', async () => (await get(`/calls/${id}`)).status === 'completed');
  await until('no leg is left', async () => (await alive()).length === 0);
  assert.deepEqual(await endsOf(id), ['call.completed']);
  shuffler.shuffle([]);
});

const voice = () =>
  harness.connections.list().find(({ id }) => id === connectionId)?.connected.carrier.voice ?? assert.fail();

/** Dials a person directly at the carrier, so the domain has no such call. */
async function dial(to: string) {
  const [callRef, legRef] = [newId('call'), newId('call_leg')];
  const from = number.phone_number;
  const instruction = { do: 'dial', legRef, party: 'agent', to, from, shownAs: from, ringMs: 60_000 } as const;
  const answer = await voice().dispatch(ledger, { callRef, commandRef: `${callRef}:dial`, instruction });
  const hangUp = () =>
    voice().dispatch(ledger, {
      ...{ callRef, commandRef: `${callRef}:hang_up` },
      instruction: { do: 'hang_up', legRef, reason: 'ended' },
    });
  return { answer, hangUp, legRef };
}

test('a leg whose dial was answered too late, and that was hung up meanwhile, is hung up when it is reported', async () => {
  const person = newPerson();
  await control.person({ phoneNumber: person, answers: 'never' });
  // At the hang-up the product does not know Telnyx's name of the leg yet, because both reports of the leg come later.
  shuffler.shuffle([{ delayMs: 8_000, copies: 1 }]);
  await control.faults({ rules: [{ request: 'POST /calls', is: 'timeout_after_acceptance', times: 1 }] });
  const { answer, hangUp } = await dial(person);
  assert.equal(answer.outcome, 'unknown');
  assert.equal((await hangUp()).outcome, 'accepted');
  assert.notEqual((await legTo(person))?.state, 'ended');
  await until('it is hung up', async () => (await legTo(person))?.state === 'ended', 20_000);
  shuffler.shuffle([]);
});

test('a hang-up that Telnyx fails at is made good for by a sweep', async () => {
  const person = newPerson();
  await control.person({ phoneNumber: person, hangsUpAfterMs: null });
  const { hangUp, legRef } = await dial(person);
  // A report that came after the hang-up would repair the call immediately.
  const isUp = "select 1 from telnyx_legs where leg_ref = $1 and state = 'up'";
  await until('its answer is reported', async () => (await sql(db, isUp, [legRef])).length > 0, 20_000);
  await control.callsQuiet({});
  const request = 'POST /calls/{id}/actions/hangup';
  await control.faults({ rules: [{ request, is: '500', times: 1 }] });
  assert.equal((await hangUp()).outcome, 'unknown');
  assert.equal((await legTo(person))?.state, 'answered');
  await sql(db, "update telnyx_legs set hung_up_at = hung_up_at - interval '1 minute' where hung_up_at is not null");
  await runNow(db, 'sweep.telnyx_unended_legs');
  assert.equal((await legTo(person))?.state, 'ended');
});

test('a leg that we hung up and whose end is never reported ends with the next round', async () => {
  const person = newPerson();
  await control.person({ phoneNumber: person, hangsUpAfterMs: null });
  const { hangUp, legRef } = await dial(person);
  const isUp = "select 1 from telnyx_legs where leg_ref = $1 and state = 'up'";
  await until('its answer is reported', async () => (await sql(db, isUp, [legRef])).length > 0, 20_000);
  await control.callsQuiet({});
  shuffler.shuffle([{ delayMs: 0, copies: 0 }]);
  assert.equal((await hangUp()).outcome, 'accepted');
  await control.settled({});
  await sql(db, "update telnyx_legs set hung_up_at = hung_up_at - interval '1 minute' where leg_ref = $1", [legRef]);
  await runNow(db, 'sweep.telnyx_unended_legs');
  shuffler.shuffle([]);
  const rows = await sql(db, 'select state, cause from telnyx_legs where leg_ref = $1', [legRef]);
  assert.deepEqual(rows, [{ state: 'ended', cause: 'canceled' }]);
});

test('ten thousand old legs of a carrier that fails delay no hang-up, take turns, and cost three requests a round', async () => {
  const failing = await useReceiver();
  failing.answer({ status: 500 });
  const other = await addConnection(harness.context, {
    ...{ kind: 'telnyx', name: 'failing', capabilities: [] },
    settings: { public_url: harness.url, api_url: failing.url },
    credentials: { key: 'KEY0', public_key: telnyx.publicKey },
  });
  await harness.connections.refresh();
  await sql(
    db,
    `insert into telnyx_legs (ledger_id, connection_id, leg_ref, call_ref, call_control_id, state, hung_up_at)
     select $1, $2, 'leg' || n, 'call' || n, 'v3:' || n, 'up', clock_timestamp() - interval '1 day'
     from generate_series(1, 10000) n`,
    [ledger.ledgerId, other],
  );
  const person = newPerson();
  await control.person({ phoneNumber: person, hangsUpAfterMs: null });
  const { hangUp, legRef } = await dial(person);
  const isUp = "select 1 from telnyx_legs where leg_ref = $1 and state = 'up'";
  await until('its answer is reported', async () => (await sql(db, isUp, [legRef])).length > 0, 20_000);
  await control.callsQuiet({});
  await control.faults({ rules: [{ request: 'POST /calls/{id}/actions/hangup', is: '500', times: 1 }] });
  assert.equal((await hangUp()).outcome, 'unknown');
  await sql(db, "update telnyx_legs set hung_up_at = hung_up_at - interval '1 minute' where leg_ref = $1", [legRef]);
  const countTaken = async () => {
    const taken = 'select 1 from telnyx_legs where connection_id = $1 and hang_up_turn_at is not null';
    return (await sql(db, taken, [other])).length;
  };
  await runNow(db, 'sweep.telnyx_unended_legs');
  assert.equal((await legTo(person))?.state, 'ended');
  assert.equal(failing.received.length, 3);
  const first = await countTaken();
  await runNow(db, 'sweep.telnyx_unended_legs');
  assert.ok((await countTaken()) >= first + 100, 'the next round has others');
  assert.equal(failing.received.length, 6);
  await sql(db, 'delete from telnyx_legs where connection_id = $1', [other]);
});

test('commands to a person who has just hung up are refused, and the call has one end', async () => {
  const customer = newPerson();
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: customer });
  await until('it is in progress', async () => (await get(`/calls/${id}`)).status === 'in_progress');
  shuffler.shuffle([{ delayMs: 1_000, copies: 2 }]);
  await control.hangUp({ phoneNumber: customer });
  const body = { digits: '12' };
  assert.equal((await harness.call('POST', `/v1/calls/${id}/dtmf`, { key, body })).status, 200);
  await harness.call('POST', `/v1/calls/${id}/hangup`, { key, body: {} });
  await until('it has ended', async () => (await get(`/calls/${id}`)).status === 'completed');
  await shuffler.passed();
  assert.deepEqual(await endsOf(id), ['call.completed']);
  shuffler.shuffle([]);
});
