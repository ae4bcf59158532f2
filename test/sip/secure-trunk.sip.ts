/** Calls over TLS with encrypted audio (SRTP), to a provider and from it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { decodeWav } from '../../src/audio/wav.ts';
import { endpointOfTrunk } from '../../src/carriers/sip/config/trunk-endpoints.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { until } from '../support/jobs.ts';
import { newPerson } from '../support/messages.ts';
import { freePort } from '../support/ports.ts';
import { tonesIn } from '../support/tone-power.ts';
import { useSipLine } from './sip-line.ts';
import { type Certificate, makeCertificate } from './world/certificate.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

const LIMIT_MS = 20_000;
const PROVIDER_HZ = 600;
const CALLER_HZ = 500;
const BEEP_HZ = 1_000;
const MESSAGE_MS = 2_000;

const network = await openNetwork();
closeAfterTests(network.close);
const [host, impostorHost] = [await network.newHost(), await network.newHost()];
const certificate = makeCertificate(host);
const target = newPerson();
const tlsPort = await freePort();
const providers = new Map<string, Phone>();
const impostor = await openProvider(impostorHost, makeCertificate(impostorHost), { srtp: true });

const trunk = { port: 5061, transport: 'tls', keepalive_s: 5 };
const line = await useSipLine({
  firstTrunks: [
    { name: 'impostor', host: impostorHost, ...trunk },
    // The provider's connections come from the first address of its machine.
    { name: 'secure', host, ...trunk, match: [`${network.engineAddress}/24`] },
  ],
  engineSettings: { listen_address: '0.0.0.0', rtp_ports: '24000-24999', tls_port: String(tlsPort) },
  authority: certificate.authority,
});
const { harness, engine, people, key, number, get, untilHas, eventsOf, route, callIn, untilQuiet } = line;

/** Starts a provider that answers calls to the target at once, and sends a tone. It replaces the previous provider. */
async function openProvider(at: string, { withKey }: Certificate, { srtp }: { srtp: boolean }): Promise<Phone> {
  await providers.get(at)?.close();
  const phone = await Phone.start({
    ...{ network, host: at, user: target, engine: `${network.engineAddress}:${tlsPort}`, transport: 'tls', srtp },
    ...{ answers: 'at once', certificate: withKey },
    says: sine({ frequencyHz: PROVIDER_HZ, samples: samplesOf(100_000), amplitude: 8_000 }),
  });
  providers.set(at, phone);
  closeAfterTests(() => phone.close());
  return phone;
}

/** Waits until the engine has checked the provider and received its answer. */
async function untilOnline(): Promise<void> {
  const path = `/endpoints/PJSIP/${endpointOfTrunk(engine.settings, 'secure')}`;
  const isOnline = async () => {
    const found = await engine.client.ask({ method: 'GET', path });
    return found.is === 'answered' && (found.body as Json).state === 'online';
  };
  await until('the trunk works', isOnline, LIMIT_MS);
}

/** A caller rings the target over the trunks. */
async function ring() {
  const caller = newPerson();
  people.set(caller, { frequencyHz: CALLER_HZ });
  await route({ type: 'ring', targets: [target] });
  const { id } = await callIn(caller);
  return { id, caller };
}

test('a call goes out over TLS with encrypted audio, which both sides hear; a certificate that is not trusted gets none', async () => {
  const provider = await openProvider(host, certificate, { srtp: true });
  await untilOnline();
  const { id, caller } = await ring();
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: target });
  await until('the caller hears the provider', () => people.phoneOf(caller).hears(PROVIDER_HZ), LIMIT_MS);
  // The provider accepts only packets that are encrypted and signed with the key of the session.
  await until('the provider hears the caller', () => provider.hears(CALLER_HZ), LIMIT_MS);
  assert.ok(!provider.hears(PROVIDER_HZ));
  const { invite } = provider;
  assert.match(invite, new RegExp(`^INVITE sips?:\\${target}@`));
  assert.match(invite, /^m=audio \d+ RTP\/SAVP /m);
  assert.match(invite, /^a=crypto:\d+ AES_\S+ inline:/m);
  assert.doesNotMatch(invite, /RTP\/AVP/);
  await provider.hangUp();
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
  assert.equal((await eventsOf(id, 'call.completed')).length, 1);
  assert.equal(impostor.invite, '');
});

test('a provider that takes no encrypted audio gets no audio at all: the call goes to the next trunk', async () => {
  const provider = await openProvider(host, certificate, { srtp: false });
  await untilOnline();
  const { id, caller } = await ring();
  await untilHas(`/calls/${id}`, { status: 'in_progress', answered_by: target });
  await until('the caller is heard over the next trunk', () => people.phoneOf(target).hears(CALLER_HZ), LIMIT_MS);
  assert.match(provider.invite, /^m=audio \d+ RTP\/SAVP /m);
  assert.doesNotMatch(provider.invite, /RTP\/AVP/);
  assert.ok(!provider.isTalking, 'the provider that refused is in no call');
  people.hangUp(caller);
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
});

test('a provider calls over TLS with encrypted audio, and not with audio in clear', async () => {
  const closed_behavior = { type: 'voicemail', greeting_text: 'Please speak.', transcribe: false };
  await route({ type: 'ring', targets: [newPerson()] }, { business_hours: { schedule: [] }, closed_behavior });
  const clear = await openProvider(host, certificate, { srtp: false });
  await clear.dial(number.phone_number);
  assert.match(await clear.waitForEnd(), /^488 /);
  const provider = await openProvider(host, certificate, { srtp: true });
  await provider.dial(number.phone_number);
  await until(
    'the provider hears the beep',
    () => provider.isTalking && tonesIn(provider.heard(), [BEEP_HZ]).length > 0,
    LIMIT_MS,
  );
  await engine.carry(MESSAGE_MS);
  await provider.hangUp();
  const { data } = await get('/calls?limit=1');
  const { id } = data[0] as Json;
  await untilHas(`/calls/${id}`, { from: target, status: 'completed', outcome: 'voicemail' });
  await until('the message is there', async () => (await get(`/calls/${id}`)).voicemail_id !== null, LIMIT_MS);
  const { voicemail_id } = await get(`/calls/${id}`);
  const headers = { authorization: `Bearer ${key}` };
  const audio = await fetch(`${harness.url}/v1/voicemails/${voicemail_id}/audio`, { headers });
  const { pcm } = decodeWav(new Uint8Array(await audio.arrayBuffer()));
  assert.deepEqual(tonesIn(pcm, [PROVIDER_HZ, PROVIDER_HZ + 50]), [PROVIDER_HZ]);
  await untilQuiet();
});
