/** Calls when trunks and engines fail. */
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { endpointOfTrunk } from '../../src/carriers/sip/config/trunk-endpoints.ts';
import { openEventSocket } from '../../src/carriers/sip/event-socket.ts';
import { signIn } from '../support/console.ts';
import type { Json } from '../support/events.ts';
import { silentLog, sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { useSipLine } from './sip-line.ts';

const line = await useSipLine({ names: ['first', 'second'] });
const { harness, connectionId, engine, providers, number, get, make, untilHas, eventsOf, untilQuiet } = line;
const [first = assert.fail(), second = assert.fail()] = providers;

const operator = await signIn(harness);
/** Returns the alarms of the operator: the trunk and the SIP status of each. */
const alarms = async (): Promise<string[]> =>
  (await operator.call('GET', `/connections/${connectionId}`)).body.alarms.map(
    ({ carrier_code }: Json) => carrier_code,
  );

const LIMIT_MS = 30_000;
/** From this age on, a comparison hangs up unknown calls. Only a command for a younger call ends it earlier. */
const STRAY_MS = 15_000;

async function untilAlarmed(wanted: readonly string[]): Promise<void> {
  const isAlarmed = async () => {
    const seen = await alarms();
    return wanted.every((each) => seen.includes(each));
  };
  await until(`the operator is alarmed of ${wanted}`, isAlarmed, LIMIT_MS);
}

/** Adds a customer that the first trunk does not reach: it answers with this status, or with 0 not at all. */
function unreachedByFirst(refusesWith: number): string {
  const to = newPerson();
  first.set(to, { refusesWith });
  return to;
}

for (const [name, status] of [
  ['answers 503', 503],
  ['answers 500', 500],
  ['does not answer', 0],
] as const) {
  test(`a trunk that ${name} is followed by the next one, within one leg`, async () => {
    const to = unreachedByFirst(status);
    const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
    await until('the second trunk has the customer', () => second.listTalkers().includes(to), LIMIT_MS);
    await untilHas(`/calls/${id}`, { status: 'in_progress' });
    await make(`/calls/${id}/hangup`, {}, 200);
    await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
    await untilQuiet();
    assert.equal((await eventsOf(id, 'call.completed')).length, 1);
  });
}

test('a customer who is busy is not tried over the next trunk', async () => {
  const to = unreachedByFirst(486);
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
  await untilHas(`/calls/${id}`, { status: 'failed' });
  await untilQuiet();
  assert.ok(!second.listTalkers().includes(to));
});

/** Places a call to a customer that the two trunks refuse with these statuses. Resolves with the call after its end. */
async function placeRefused(byFirst: number, bySecond = byFirst, saying = 'No') {
  const to = newPerson();
  first.set(to, { refusesWith: byFirst, refusesSaying: saying });
  second.set(to, { refusesWith: bySecond });
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
  await untilHas(`/calls/${id}`, { status: 'failed' });
  const { outcome, events } = await get(`/calls/${id}`);
  return { outcome, isTried: second.countCalls(to) > 0, failed: events.at(-1).detail };
}

test('a trunk that refuses the calls of the operator is followed by the next one, and the operator is alarmed', async () => {
  const statuses = [401, 402, 403, 407, 415, 488];
  const places = statuses.map(async (status) => {
    const to = unreachedByFirst(status);
    const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
    await untilHas(`/calls/${id}`, { status: 'in_progress' });
    await make(`/calls/${id}/hangup`, {}, 200);
  });
  await Promise.all(places);
  await untilAlarmed(statuses.map((status) => `first ${status}`));
  await untilQuiet();
});

test('a call that every trunk refuses has failed by the carrier, with the status of SIP', async () => {
  const ends = await Promise.all([401, 402, 403, 407, 488].map((status) => placeRefused(503, status)));
  for (const [at, status] of [401, 402, 403, 407, 488].entries()) {
    const failed = { party: 'customer', cause: 'failed', reason: 'carrier_refused', sip_status: status };
    assert.deepEqual(ends[at], { outcome: 'failed', isTried: true, failed: { ...failed, outcome: 'failed' } });
  }
  await untilAlarmed(['second 403']);
});

test('a call that is declined, unwanted or blocked by a network is not busy, and goes over no other trunk', async () => {
  const [declined, unwanted, blocked] = await Promise.all([603, 607, 608].map((status) => placeRefused(status)));
  // ATIS-1000099.
  const byAnalytics = await placeRefused(603, 603, 'Network Blocked');
  const rejected = { party: 'customer', cause: 'rejected', outcome: 'failed' };
  const end = { outcome: 'failed', isTried: false };
  assert.deepEqual(declined, { ...end, failed: { ...rejected, sip_status: 603 } });
  assert.deepEqual(unwanted, { ...end, failed: { ...rejected, sip_status: 607, reason: 'unwanted' } });
  assert.deepEqual(blocked, { ...end, failed: { ...rejected, sip_status: 608, reason: 'rejected_by_network' } });
  assert.deepEqual(byAnalytics, { ...end, failed: { ...rejected, sip_status: 603, reason: 'rejected_by_network' } });
});

// If the engine followed the redirection, it would use another trunk, or call the tenant's own number as an outside
// caller.
for (const [form, addressOf] of [
  ['a number', () => number.phone_number],
  ['a trunk of the engine', (other: string) => `PJSIP/${other}%40trunk-second`],
  ['911', () => 'Local/911%40emergency'],
] as const) {
  test(`a trunk that sends a call to ${form} is not followed there: the next trunk takes the call`, async () => {
    const [to, other] = [unreachedByFirst(302), newPerson()];
    second.set(other, { answersAfterMs: STRAY_MS });
    first.set(to, { refusesWith: 302, movedTo: addressOf(other) });
    const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
    await untilHas(`/calls/${id}`, { status: 'in_progress' });
    assert.ok(second.listTalkers().includes(to));
    await make(`/calls/${id}/hangup`, {}, 200);
    await untilQuiet();
    assert.deepEqual(
      [first, second].map((each) => each.countCalls('911')),
      [0, 0],
    );
    assert.equal(second.countCalls(other), 0);
    assert.deepEqual((await get('/calls?direction=inbound')).data, []);
  });
}

test('an end that nobody heard is found when the engine is heard again', async () => {
  const customer = newPerson();
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to: customer });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  // The engine sends the events to the last socket that requests them.
  const rival = await openEventSocket({ client: engine.client, log: silentLog, onEvent: () => undefined });
  first.hangUp(customer);
  await untilHas(`/calls/${id}`, { status: 'completed' });
  await untilQuiet();
  assert.equal((await eventsOf(id, 'call.completed')).length, 1);
  rival.close();
});

/** Places an unanswered call and hangs it up. Resolves with `dialLate`, which dials its first leg again. */
async function placeAndCancel() {
  const agent = newPerson();
  first.set(agent, { answersAfterMs: null });
  const { id } = await make('/calls', { from: number.id, connect_to: agent, to: newPerson() });
  await until('it rings', async () => (await engine.listChannels()).length === 1, LIMIT_MS);
  const [channelId] = await engine.listIds('channels');
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilHas(`/calls/${id}`, { status: 'failed', outcome: 'canceled' });
  await untilQuiet();
  const endpoint = `PJSIP/${agent}@${endpointOfTrunk(engine.settings, 'first')}`;
  const query = { endpoint, app: 'dialplane', appArgs: 'dialled', channelId: channelId ?? '', timeout: '60' };
  return {
    /** Dials the leg. Resolves when the leg has ended. */
    dialLate: async () => {
      first.set(agent, { answersAfterMs: STRAY_MS });
      const made = await engine.client.ask({ method: 'POST', path: '/channels', query });
      assert.equal(made.is, 'answered');
      const isOver = async () => {
        assert.ok(!first.listTalkers().includes(agent), 'it was answered');
        return (await engine.listChannels()).length === 0;
      };
      await until('it rings no more', isOver, LIMIT_MS);
      assert.equal((await eventsOf(id, 'call.completed')).length, 1);
    },
  };
}

test('a dial that reaches the engine after the end of its leg is hung up at once', async () => {
  const { dialLate } = await placeAndCancel();
  await dialLate();
});

test('a dial that reaches the engine after the end of its leg, and was not heard, is hung up when it is heard', async () => {
  const { dialLate } = await placeAndCancel();
  const rival = await openEventSocket({ client: engine.client, log: silentLog, onEvent: () => undefined });
  await dialLate();
  rival.close();
});

test('an engine that is killed ends its calls once, and takes calls again when it is back', async () => {
  const place = async () => {
    const [agent, customer] = [newPerson(), newPerson()];
    const { id } = await make('/calls', { from: number.id, connect_to: agent, to: customer });
    await untilHas(`/calls/${id}`, { status: 'in_progress' });
    return id as string;
  };
  const id = await place();
  await engine.kill();
  await until('the call has ended', async () => (await get(`/calls/${id}`)).ended_at !== null, LIMIT_MS);
  assert.equal((await eventsOf(id, 'call.completed')).length, 1);
  const killedMs = Date.now();
  await engine.start();
  const heard = 'select 1 from sip_engines where ready_at > $1';
  const isHeard = async () => (await sql(harness.context.db, heard, [new Date(killedMs)])).length > 0;
  await until('the engine is heard again', isHeard, LIMIT_MS);
  const next = await place();
  await make(`/calls/${next}/hangup`, {}, 200);
  await untilQuiet();
  assert.equal((await eventsOf(id, 'call.completed')).length, 1);
});

// This test comes last, because it changes the files of the engine.
test('an engine with the files of an earlier version, whose trunks have other names, takes calls until it loads newer ones', async () => {
  const path = `${engine.folder}/etc/pjsip.conf`;
  await writeFile(path, (await readFile(path, 'utf8')).replaceAll(/(?<=trunk-(?:first|second))-[0-9a-f]{12}/g, ''));
  engine.command('core reload');
  const names = async () => JSON.stringify(await engine.client.ask({ method: 'GET', path: '/endpoints/PJSIP' }));
  await until('the engine has them', async () => (await names()).includes('"trunk-first"'), LIMIT_MS);
  await until(
    'it knows that its trunk answers',
    async () => /"trunk-first","state":"online"/.test(await names()),
    LIMIT_MS,
  );
  const to = newPerson();
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  assert.ok(first.listTalkers().includes(to));
  await make(`/calls/${id}/hangup`, {}, 200);
  await untilQuiet();
});
