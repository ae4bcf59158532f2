/** Telephones of a tenant at a real engine, as parties of its calls. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { until } from '../support/jobs.ts';
import { newPerson, refusal } from '../support/messages.ts';
import { useSipLine } from './sip-line.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

const FRONT = 'sip_phone:front';
const PHONE_HZ = 500;
const PERSON_HZ = 700;
const LIMIT_MS = 20_000;

const network = await openNetwork();
closeAfterTests(network.close);
const line = await useSipLine({
  engineSettings: ({ tenantId, phoneNumber: number }) => ({
    phones: JSON.stringify([
      { name: 'front', tenant: tenantId, number },
      { name: 'other', tenant: `tnt_${'0'.repeat(26)}`, number },
    ]),
    // People are on loopback, the telephone is in the outer network.
    ...{ listen_address: '0.0.0.0', rtp_ports: '25000-25999' },
  }),
  passwords: { front: 'red-one', other: 'blue-two' },
});
const { harness, people, key, number, make, untilHas, route, untilQuiet, callIn } = line;

const phone = await Phone.start({
  ...{ network, user: 'phone-front', password: 'red-one' },
  engine: `${network.engineAddress}:${line.engine.sipPort}`,
  says: sine({ frequencyHz: PHONE_HZ, samples: samplesOf(100_000), amplitude: 8_000 }),
});
closeAfterTests(() => phone.close());

/** Waits until a call rings at the telephone, and answers it. */
async function answer(since: number): Promise<void> {
  await phone.waitFor('CALL_INCOMING', since);
  await phone.answer();
}

const untilBothHear = (person: string) =>
  until('both hear the other', () => phone.hears(PERSON_HZ) && people.phoneOf(person).hears(PHONE_HZ), LIMIT_MS);

test('a telephone that is a ring target answers a caller: both hear each other', async () => {
  const [since, caller] = [phone.events.length, newPerson()];
  people.set(caller, { frequencyHz: PERSON_HZ });
  await route({ type: 'ring', targets: [FRONT], timeout_seconds: 30 });
  const { id } = await callIn(caller);
  await answer(since);
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: FRONT });
  await untilBothHear(caller);
  await phone.hangUp();
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});

test('a telephone is the agent of a click-to-call: both hear each other', async () => {
  const [since, customer] = [phone.events.length, newPerson()];
  people.set(customer, { frequencyHz: PERSON_HZ });
  const { id } = await make('/calls', { from: number.id, to: customer, connect_to: FRONT });
  await answer(since);
  await untilHas(`/calls/${id}`, { status: 'in_progress', connect_to: FRONT });
  await untilBothHear(customer);
  await phone.hangUp();
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});

test('a telephone of another tenant, or of none, is no party', async () => {
  for (const connect_to of ['sip_phone:other', 'sip_phone:none']) {
    const body = { from: number.id, to: newPerson(), connect_to };
    const refused = refusal(await harness.call('POST', '/v1/calls', { key, body }));
    assert.deepEqual(refused, [400, 'invalid_connect_to', 'connect_to']);
    const open_behavior = { type: 'ring', targets: [connect_to] };
    const config = { tenant_id: line.tenantId, name: 'Other', open_behavior };
    const target = refusal(await harness.call('POST', '/v1/routing_configs', { key, body: config }));
    assert.deepEqual(target, [400, 'invalid_body', 'open_behavior.targets[0]']);
  }
});
