/** Emergency calls of telephones at an engine. Neither a process of Dialplane nor a database runs here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { openPeer } from './config/sip-peer.ts';
import { startEngine } from './engine.ts';
import { startPeople } from './people.ts';
import { headerOf } from './sip-text.ts';

const NUMBER = '+13035550161';
const PASSWORD = 'red-one';
const LIMIT_MS = 20_000;

const [people, rescue] = [await startPeople('127.0.0.1'), await startPeople('127.0.0.2')];
for (const provider of [people, rescue]) closeAfterTests(() => provider.close());
const trunks = [
  { name: 'main', host: '127.0.0.1', port: people.port, keepalive_s: 5, numbers: 'national' },
  { name: 'rescue', host: '127.0.0.2', port: rescue.port, keepalive_s: 5 },
];
const engine = await startEngine({
  dialplaneUrl: 'http://127.0.0.1:1',
  settings: {
    trunks: JSON.stringify(trunks),
    phones: JSON.stringify([{ number: NUMBER }, { name: 'front', tenant: `tnt_${'0'.repeat(26)}`, number: NUMBER }]),
    emergency_trunk: 'rescue',
  },
  credentials: { passwords: JSON.stringify({ [NUMBER]: PASSWORD, front: PASSWORD }) },
});
closeAfterTests(() => engine.close());
const telephone = await openPeer('127.0.0.21');

/** Dials from the telephone. Resolves with the status of the reply. */
async function dial(called: string, user = `phone-${NUMBER.slice(1)}`): Promise<string> {
  const to = { user: called, port: engine.sipPort };
  const reply = await telephone.ask({ method: 'INVITE', user, to, password: PASSWORD });
  return reply.split(' ')[1] ?? '';
}

async function untilQuiet(): Promise<void> {
  await until('nobody talks', async () => (await engine.listChannels()).length === 0, LIMIT_MS);
}

for (const [called, number] of [
  ['911', '911'],
  ['933', '933'],
  ['+1911', '911'],
] as const)
  test(`a telephone that dials ${called} is connected over the emergency trunk, as itself`, async () => {
    assert.equal(await dial(called), '200');
    assert.deepEqual(rescue.listTalkers(), [number]);
    assert.match(headerOf(rescue.inviteOf(number), 'From'), new RegExp(`\\${NUMBER}@`));
    rescue.hangUp(number);
    await untilQuiet();
  });

for (const [what, refusesWith] of [
  ['is busy', 486],
  ['is overloaded', 503],
  ['does not know it', 404],
] as const)
  test(`a call to 911 takes the next trunk if the emergency trunk ${what}`, async () => {
    rescue.set('911', { refusesWith });
    assert.equal(await dial('911'), '200');
    assert.deepEqual(people.listTalkers(), ['911']);
    assert.match(headerOf(people.inviteOf('911'), 'From'), new RegExp(`<sip:${NUMBER.slice(2)}@`));
    people.hangUp('911');
    await untilQuiet();
  });

test('a call to 911 takes the next trunk if the emergency trunk does not answer at all', async () => {
  rescue.set('911', { refusesWith: 0 });
  assert.equal(await dial('911'), '200');
  assert.deepEqual(people.listTalkers(), ['911']);
  people.hangUp('911');
  await untilQuiet();
});

test('a telephone of a tenant reaches 911 in the same way', async () => {
  rescue.set('911', { refusesWith: 486 });
  assert.equal(await dial('911', 'phone-front'), '200');
  assert.deepEqual(people.listTalkers(), ['911']);
  people.hangUp('911');
  await untilQuiet();
});

test('another number needs Dialplane', async () => {
  for (const user of [undefined, 'phone-front']) assert.equal(await dial('+13035550199', user), '503');
  await untilQuiet();
});
