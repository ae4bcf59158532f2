/**
 * Calls between telephones of a tenant by their extensions. Neither a process of Dialplane nor a database runs here.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { isOfEngine } from '../../src/carriers/sip/dial-plan.ts';
import { listAt } from '../../src/lib/json-object.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { startEngine } from './engine.ts';
import { headerOf } from './sip-text.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

const tenant = `tnt_${'0'.repeat(26)}`;
const number = '+13035550100';
const LIMIT_MS = 15_000;

const network = await openNetwork();
closeAfterTests(network.close);
const extensions = [
  { digits: '102', to: 'sip_phone:back' },
  { digits: '103', to: 'sip_phone:store' },
];
const engine = await startEngine({
  settings: {
    phones: JSON.stringify([
      { number, name: 'front', tenant, extensions },
      { number, name: 'back', tenant },
      { number, name: 'store', tenant },
    ]),
    ...{ listen_address: network.engineAddress, rtp_ports: '24000-24999' },
  },
  credentials: { passwords: JSON.stringify({ front: 'red-one', back: 'blue-two', store: 'green-three' }) },
});
closeAfterTests(() => engine.close());

async function startPhone(name: string, password: string, frequencyHz: number): Promise<Phone> {
  const says = sine({ frequencyHz, samples: samplesOf(60_000), amplitude: 8_000 });
  const address = `${network.engineAddress}:${engine.sipPort}`;
  const phone = await Phone.start({ network, user: `phone-${name}`, engine: address, password, says });
  closeAfterTests(() => phone.close());
  return phone;
}

const [front, back] = [await startPhone('front', 'red-one', 500), await startPhone('back', 'blue-two', 700)];
const untilQuiet = () => until('no channel is left', async () => (await engine.listChannels()).length === 0, LIMIT_MS);

test('a telephone calls another of its tenant by an extension, without Dialplane', async () => {
  await front.dial('102');
  await back.waitFor('CALL_INCOMING');
  assert.match(headerOf(await back.readInvite(), 'From'), new RegExp(`^"front" <sip:\\${number}@`));
  await back.answer();
  await until('both hear the other', () => front.hears(700) && back.hears(500), LIMIT_MS);
  const answer = await engine.client.ask({ method: 'GET', path: '/channels' });
  const channels = answer.is === 'answered' ? listAt(answer.body) : assert.fail(answer.is);
  assert.deepEqual(channels.map(isOfEngine), [true, true], 'a comparison would end them');
  await back.hangUp();
  await front.waitForEnd();
  await untilQuiet();
});

test('a telephone without that extension does not reach the other', async () => {
  const before = back.events.length;
  await back.dial('102');
  assert.match(await back.waitForEnd(before), /^503 /);
  await untilQuiet();
});

test('an extension whose telephone is not registered ends the call', async () => {
  const before = front.events.length;
  await front.dial('103');
  assert.match(await front.waitForEnd(before), /^(404|480|503) /);
  await untilQuiet();
});
