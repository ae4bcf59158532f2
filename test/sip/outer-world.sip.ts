/** Calls between the product and sipp, in a network outside the machine: providers, callers and strangers. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { renderFirewall } from '../../src/carriers/sip/config/firewall.ts';
import { readSipSettings } from '../../src/carriers/sip/config/settings.ts';
import { endpointOfTrunk } from '../../src/carriers/sip/config/trunk-endpoints.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { missing } from '../support/programs.ts';
import { floods, givesUp, hangsUp, PROVIDER, providerScenario, refusedWith } from './outer/scenarios.ts';
import { makeSippCall, startSippCalls, startSippProvider } from './outer/sipp.ts';
import { useSipLine } from './sip-line.ts';
import { openNetwork } from './world/network.ts';

const network = await openNetwork();
closeAfterTests(network.close);
const [provider, stranger, office] = [await network.newHost(), await network.newHost(), await network.newHost()];
startSippProvider({ network, host: provider, scenario: providerScenario() });
// The second trunk is a provider in this process. Its people answer after 200 ms.
const line = await useSipLine({
  firstTrunks: [{ name: 'outer', host: provider, keepalive_s: 5 }],
  engineSettings: { listen_address: '0.0.0.0', rtp_ports: '23000-23999' },
});
const { harness, engine, people, number, get, make, untilHas, eventsOf, route, callIn, untilQuiet } = line;
const engineAddress = `${network.engineAddress}:${engine.sipPort}`;
await until(
  'the trunk to sipp works',
  async () => {
    const found = await engine.client.ask({
      method: 'GET',
      path: `/endpoints/PJSIP/${endpointOfTrunk(engine.settings, 'outer')}`,
    });
    return found.is === 'answered' && (found.body as Json).state === 'online';
  },
  20_000,
);

const LIMIT_MS = 20_000;
let targets = 0;

/** Returns a number. Its last digits decide what the sipp provider does. */
const target = (digits: string) => `+1480555${++targets}${digits}`;

/** Returns the entries of a call's log about the end of a ringing target. */
async function endsOf(id: string, to: string): Promise<Json[]> {
  const { events } = await get(`/calls/${id}`);
  return events.filter(({ type, detail }: Json) => type === 'target_cancelled' && detail.target === to);
}

/** Waits until a call has ended once, and no channel is left. */
async function ended(id: string, fields: object) {
  await untilHas(`/calls/${id}`, fields);
  await untilQuiet();
  assert.equal((await eventsOf(id, 'call.completed')).length, 1);
  const open = 'select 1 from sip_legs where ended_at is null';
  await until('no leg is open', async () => (await sql(harness.context.db, open)).length === 0, LIMIT_MS);
}

test('a target that the provider calls busy is not tried over the next trunk, and its leg ends once', async () => {
  const to = target(PROVIDER.busy);
  await route({ type: 'ring', targets: [to], no_answer: { type: 'voicemail', greeting_text: 'Please speak.' } });
  const { id, caller } = await callIn();
  await until('the leg has ended', async () => (await endsOf(id, to)).length > 0, LIMIT_MS);
  await until('the caller is answered', () => people.listTalkers().includes(caller), LIMIT_MS);
  people.hangUp(caller);
  await ended(id, { status: 'completed' });
  const ends = await endsOf(id, to);
  assert.deepEqual(
    ends.map(({ detail }) => detail.reason),
    ['busy'],
  );
});

for (const [what, digits] of [
  ['answers 503', '503'],
  ['does not answer', PROVIDER.silent],
] as const) {
  test(`a provider that ${what} is followed by the next trunk, in a leg that ends once`, async () => {
    const to = target(digits);
    await route({ type: 'ring', targets: [to] });
    const { id, caller } = await callIn();
    await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: to });
    assert.ok(people.listTalkers().includes(to));
    await until('the caller hears the target', () => people.phoneOf(caller).hears(440), LIMIT_MS);
    people.hangUp(caller);
    await ended(id, { status: 'completed', outcome: 'answered' });
    assert.deepEqual(await endsOf(id, to), []);
    const legs = await sql(harness.context.db, `select attempt, cause from sip_legs where dialled->>'to' = '${to}'`);
    assert.deepEqual(legs, [{ attempt: 1, cause: 'canceled' }]);
  });
}

test('a target who hangs up after the answer ends the call', async () => {
  const to = target(PROVIDER.hangsUp);
  await route({ type: 'ring', targets: [to] });
  const { id } = await callIn();
  await untilHas(`/calls/${id}`, { answered_by: to });
  await ended(id, { status: 'completed', outcome: 'answered' });
  await until('nobody talks', () => people.listTalkers().length === 0, LIMIT_MS);
});

/** sipp calls from the address of the provider. Resolves with the call. */
async function sippCallsIn(scenario: string) {
  const from = newPerson();
  const call = { network, engine: engineAddress, host: provider, from, to: number.phone_number, scenario };
  await makeSippCall(call);
  const { data } = await get('/calls?limit=20');
  const found = data.find((each: Json) => each.from === from) as Json | undefined;
  return found ?? assert.fail('the call has not arrived');
}

test('a caller who gives up while it rings has missed the call', async () => {
  const to = newPerson();
  people.set(to, { answersAfterMs: null });
  await route({ type: 'ring', targets: [to] });
  const { id } = await sippCallsIn(givesUp);
  await ended(id, { outcome: 'missed' });
});

test('a caller who hangs up after the answer ends the call', async () => {
  await route({ type: 'ring', targets: [newPerson()] });
  const { id } = await sippCallsIn(hangsUp);
  await ended(id, { status: 'completed', outcome: 'answered' });
});

test('a target with early media has not answered: the call connects, and its time begins, at the answer', async () => {
  const to = target(PROVIDER.answersLate);
  await route({ type: 'ring', targets: [to] });
  const { id, caller } = await callIn();
  await untilHas(`/calls/${id}`, { answered_by: to });
  await until('the caller is answered', () => people.listTalkers().includes(caller), LIMIT_MS);
  await ended(id, { status: 'completed', outcome: 'answered' });
  const { duration_seconds, events } = await get(`/calls/${id}`);
  const atMs = (wanted: string) => Date.parse(events.find(({ type }: Json) => type === wanted).at);
  assert.ok(atMs('answered') - atMs('target_ringing') >= 2_500, JSON.stringify(events));
  // The target hangs up a second after the answer.
  assert.ok(duration_seconds >= 1 && duration_seconds < 3, `${duration_seconds} s`);
});

test('early media that ends as busy is ringing, and the call has no duration', async () => {
  const to = target(PROVIDER.isBusyLate);
  const { id } = await make('/calls', { from: number.id, connect_to: newPerson(), to });
  await ended(id, { status: 'failed', outcome: 'busy', duration_seconds: 0 });
  const { events } = await get(`/calls/${id}`);
  assert.ok(events.some(({ type, detail }: Json) => type === 'ringing' && detail.party === 'customer'));
});

test('early media without an answer is no answer when the time to ring is over', async () => {
  const to = target(PROVIDER.staysEarly);
  await route({ type: 'ring', targets: [to], timeout_seconds: 5 });
  const { id } = await callIn();
  await ended(id, { outcome: 'missed', answered_by: null, duration_seconds: 0 });
  assert.deepEqual(
    (await endsOf(id, to)).map(({ detail }) => detail.reason),
    ['no_answer'],
  );
});

test('a call to a number that no tenant has is refused with 404', async () => {
  const call = { network, engine: engineAddress, host: provider, from: newPerson(), to: '+13035559999' };
  await makeSippCall({ ...call, scenario: refusedWith(404) });
});

test("a stranger's call is challenged", async () => {
  const call = { network, engine: engineAddress, host: stranger, from: newPerson(), to: number.phone_number };
  await makeSippCall({ ...call, scenario: refusedWith(401) });
  assert.deepEqual(await engine.listChannels(), []);
});

const nft = (input: string) => spawnSync('nft', ['-f', '-'], { input, encoding: 'utf8' });

/** Loads the rules of the firewall, until the tests have ended. */
function loadFirewall(): void {
  const loaded = nft(renderFirewall(readSipSettings(engine.connection)));
  assert.equal(loaded.status, 0, loaded.stderr);
  closeAfterTests(() => void nft('delete table inet dialplane_sip'));
}

test('fifty telephones behind one address that begin at the same time are all answered', {
  skip: missing('nft'),
}, async () => {
  loadFirewall();
  const from = { network, engine: engineAddress, host: office, from: newPerson(), to: number.phone_number };
  const started = startSippCalls({ ...from, scenario: floods, calls: 50, callsPerSecond: 200, hasPorts: true });
  assert.deepEqual(await started.ended, { successful: 50, failed: 0 });
});

test('of a flood of a stranger little reaches the engine, and the provider still calls', {
  skip: missing('nft'),
}, async () => {
  loadFirewall();
  await route({ type: 'ring', targets: [newPerson()] });
  const from = { network, engine: engineAddress, host: stranger, from: newPerson(), to: number.phone_number };
  const startedMs = performance.now();
  const flood = startSippCalls({ ...from, scenario: floods, calls: 1_000, callsPerSecond: 200 });
  const { id } = await sippCallsIn(hangsUp);
  const { successful, failed } = await flood.ended;
  const floodedS = (performance.now() - startedMs) / 1_000;
  assert.equal(successful + failed, 1_000);
  // A burst of 20, and 5 more in each second of the flood.
  assert.ok(successful >= 5 && successful <= 20 + 5 * floodedS, `${successful} calls of the flood were answered`);
  await ended(id, { status: 'completed', outcome: 'answered' });
});
