/** An account moves between two databases with its own SIP engine, which is a real one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { samplesOf } from '../../src/audio/pcm.ts';
import { sine } from '../../src/audio/tones.ts';
import { decodeWav } from '../../src/audio/wav.ts';
import { SIP_KIND } from '../../src/carriers/sip/index.ts';
import { importNumbers } from '../../src/domain/numbers/phone-numbers/import-numbers.ts';
import { CLOSE } from '../../src/http/sockets/close-codes.ts';
import { type Place, startCellInstallation } from '../support/cell-installation.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { openMediaClient } from '../support/media-node.ts';
import { newPerson } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { prepareMoves } from '../support/moves.ts';
import { expectStatus } from '../support/product-process.ts';
import { tonesIn } from '../support/tone-power.ts';
import { logIn } from '../support/web-clients.ts';
import { startEngine } from './engine.ts';
import { startPeople } from './people.ts';
import { openNetwork } from './world/network.ts';
import { Phone } from './world/phone.ts';

const LIMIT_MS = 60_000;
const NUMBER = '+16025550199';
const FRONT = 'sip_phone:front';
const [PHONE_HZ, PERSON_HZ] = [500, 700];
/** Callers wait while no process is connected to the engine, also on a busy machine. */
const WAITS_S = 120;
/** Half a second of audio. */
const HEARD = 4_000;

const network = await openNetwork();
closeAfterTests(network.close);
const people = await startPeople('127.0.0.1');
closeAfterTests(() => people.close());
const installation = await startCellInstallation([SIP_KIND]);
closeAfterTests(() => installation.close());
await installation.divide();
const { accounts, call, dialplane, process, productOf } = installation;
const { accountId, moveUntil } = await prepareMoves(installation, 'west');
const key = accounts.west.live_key;

const get = (path: string): Promise<Json> => expectStatus(call('GET', `/v1${path}`, { key }), 200);
const make = (path: string, body: object, status = 201): Promise<Json> =>
  expectStatus(call('POST', `/v1${path}`, { key, body }), status);

const ledger = await fund({ context: productOf('west').context, account: accounts.west });
const { id: tenantId } = await make('/tenants', { name: 'Desert Paws Clinic' });
const engine = await startEngine({
  dialplaneUrl: process.url,
  settings: {
    trunks: JSON.stringify([{ name: 'main', host: '127.0.0.1', port: people.port, keepalive_s: 5 }]),
    phones: JSON.stringify([{ name: 'front', tenant: tenantId, number: NUMBER }]),
    // People are on loopback; the telephone is in the outer network.
    ...{ listen_address: '0.0.0.0', rtp_ports: '21002-21999' },
  },
  credentials: { passwords: '{"front":"red-one"}' },
  waitsS: WAITS_S,
});
closeAfterTests(() => engine.close());
const connectionId = await connectEngine();
await productOf('west').context.db.transaction((tx) =>
  importNumbers(tx, ledger, { tenantId, phoneNumbers: [NUMBER], connectionId, capabilities: ['voice'] }),
);
const [number = assert.fail()] = (await get('/phone_numbers')).data as Json[];
const webClient = await make('/web_clients', { tenant_id: tenantId });
const phone = await Phone.start({
  ...{ network, user: 'phone-front', password: 'red-one' },
  engine: `${network.engineAddress}:${engine.sipPort}`,
  says: sine({ frequencyHz: PHONE_HZ, samples: samplesOf(100_000), amplitude: 8_000 }),
});
closeAfterTests(() => phone.close());

/** Makes a connection to the engine that is for the account alone. */
async function connectEngine(): Promise<string> {
  const { context, connections } = productOf('west');
  const id = await addConnection(context, { ...engine.connection, accountId, kind: 'sip', name: 'desk' });
  await connections.refresh();
  return id;
}

const untilReady = (place: Place) =>
  until(
    `the engine is ready for ${place}`,
    async () => (await sql(productOf(place).context.db, READY, [connectionId])).length > 0,
    LIMIT_MS,
  );
const READY = `select from sip_engines
  where connection_id = $1 and ready_at is not null and owned_until > clock_timestamp()`;
const untilHas = (path: string, fields: object) =>
  until(
    `${path} has ${JSON.stringify(fields)}`,
    async () => {
      const found = await get(path);
      return Object.entries(fields).every(([name, value]) => found[name] === value);
    },
    LIMIT_MS,
  );
const untilQuiet = () => until('no channel is left', async () => (await engine.listChannels()).length === 0, LIMIT_MS);
const untilBothHear = (person: string) =>
  until('both hear the other', () => phone.hears(PERSON_HZ) && people.phoneOf(person).hears(PHONE_HZ), LIMIT_MS);
const callOf = async (field: 'from' | 'to', value: string): Promise<Json | undefined> =>
  (await get('/calls?limit=100')).data.find((each: Json) => each[field] === value);

/** Fails unless the audio at this path has the voices of both parties. */
async function assertVoices(path: string): Promise<void> {
  const reply = await fetch(`${process.url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(reply.status, 200, path);
  const { pcm } = decodeWav(new Uint8Array(await reply.arrayBuffer()));
  assert.deepEqual(tonesIn(pcm, [PHONE_HZ, PERSON_HZ]), [PHONE_HZ, PERSON_HZ]);
}

/** The telephone talks to a person, and a stream has the audio of both. Returns the path of the call's recording. */
async function talk(): Promise<string> {
  const [since, customer] = [phone.events.length, newPerson()];
  people.set(customer, { frequencyHz: PERSON_HZ });
  const { id } = await make('/calls', { from: number.id, to: customer, connect_to: FRONT, record: true });
  await phone.waitFor('CALL_INCOMING', since);
  await phone.answer();
  await untilHas(`/calls/${id}`, { status: 'in_progress' });
  await untilBothHear(customer);
  const { url, token } = await make(`/calls/${id}/streams`, {});
  const listener = openMediaClient(`${process.url.replace('http', 'ws')}${new URL(url).pathname}?token=${token}`);
  const hasAudio = () => (['inbound', 'outbound'] as const).every((track) => listener.audioOf(track).length > HEARD);
  await until('the stream has the audio of both', hasAudio, LIMIT_MS);
  await phone.hangUp();
  await listener.closed;
  await untilHas(`/calls/${id}`, { status: 'completed', outcome: 'answered' });
  await until('it is recorded', async () => (await get(`/calls/${id}`)).recording_id !== null, LIMIT_MS);
  await untilQuiet();
  return `/recordings/${(await get(`/calls/${id}`)).recording_id}/audio`;
}

const registration = async () => {
  const [{ registration: state, registered_since: since }] = (await get('/sip_phones')).data;
  return { state, since };
};
const isRegistered = async () => (await registration()).state === 'registered';

test('calls, their streams and recordings work before and after the move, and the telephone stays registered', async () => {
  await untilReady('west');
  await until('the telephone is registered', isRegistered, LIMIT_MS);
  const [before, registered] = [await talk(), await registration()];
  const moved = await dialplane('cells', 'move', accountId, '--to', 'east');
  assert.equal(moved.code, 0, moved.err);
  await untilReady('east');
  await until('the telephone is registered', isRegistered, LIMIT_MS);
  assert.deepEqual(await registration(), registered);
  const after = await talk();
  for (const path of [before, after]) await assertVoices(path);
  assert.deepEqual(await sql(productOf('west').context.db, READY, [connectionId]), []);
});

test('in the pause the engine connects 911, a web client is refused in words, and a caller rings until the account is there', async () => {
  const [home, target] = ['east', 'west'] as const;
  const [since, caller, agent] = [phone.events.length, newPerson(), newPerson()];
  people.set(caller, { frequencyHz: PERSON_HZ });
  people.set(agent, { frequencyHz: PHONE_HZ });
  const config = { tenant_id: tenantId, name: 'Desk', open_behavior: { type: 'ring', targets: [agent] } };
  const { id: routing_config_id } = await make('/routing_configs', config);
  await expectStatus(call('PATCH', `/v1/phone_numbers/${number.id}`, { key, body: { routing_config_id } }), 200);
  const client = await logIn({ url: process.url, call: (method, path) => call(method, path, { key }) }, webClient.id);
  await moveUntil('switched', [home, target]);
  client.send({ type: 'place', to: '911', ref: 'help' });
  const { code, ref } = await client.receive('error');
  assert.deepEqual([code, ref], ['carrier_unavailable', 'help']);
  await phone.dial('911');
  await until('the telephone is connected', () => phone.isTalking && people.listTalkers().includes('911'), LIMIT_MS);
  await people.callIn(caller, NUMBER, engine.sipPort);
  const moved = await dialplane('cells', 'move', accountId, '--to', target);
  assert.equal(moved.code, 0, moved.err);
  await untilReady(target);
  await until('911 has its record', async () => (await callOf('to', '911')) !== undefined, LIMIT_MS);
  const hear = () => people.phoneOf(caller).hears(PHONE_HZ) && people.phoneOf(agent).hears(PERSON_HZ);
  await until('the caller and the agent hear each other', hear, LIMIT_MS);
  people.hangUp('911');
  await phone.waitForEnd(since);
  people.hangUp(caller);
  for (const found of [await callOf('to', '911'), await callOf('from', caller)])
    await untilHas(`/calls/${found?.['id']}`, { status: 'completed', outcome: 'answered' });
  await untilQuiet();
  assert.equal(await client.closed, CLOSE.unchecked[0]);
});
