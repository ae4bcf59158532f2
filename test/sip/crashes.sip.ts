/** Processes of the product are killed in mid-call over a real engine. Each call ends, and is billed, once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { importNumbers } from '../../src/domain/numbers/phone-numbers/import-numbers.ts';
import { createCipher } from '../../src/lib/cipher.ts';
import { secretsOf } from '../../src/server/config.ts';
import { createCaller } from '../support/caller.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { expectStatus, freePort, openSite, type ProductProcess } from '../support/product-process.ts';
import { startEngine } from './engine.ts';
import { startPeople } from './people.ts';

/** A process that is started again hears the engine when the lease of the killed one is over. */
const LIMIT_MS = 40_000;
const PHONE_NUMBER = '+16025550199';
const AGENT_HZ = 500;
const CUSTOMER_HZ = 700;

const people = await startPeople('127.0.0.1');
closeAfterTests(() => people.close());
const site = await openSite();
closeAfterTests(() => site.close());
const { db, account } = site;
const ports = [await freePort(), await freePort()] as const;
const engine = await startEngine({
  dialplaneUrl: `http://127.0.0.1:${ports[0]}`,
  settings: { trunks: JSON.stringify([{ name: 'main', host: '127.0.0.1', port: people.port, keepalive_s: 5 }]) },
});
closeAfterTests(() => engine.close());
const connectionId = await addConnection(
  { db, cipher: createCipher(secretsOf(TEST_SECRET)) },
  { kind: 'sip', name: 'desk', ...engine.connection, capabilities: ['voice'] },
);

/** Starts the first or the second process, with its workers. */
const start = (at: 0 | 1 = 0): Promise<ProductProcess> => site.start({ port: ports[at], gateway: true });

/** Waits until a process hears the engine since this moment: a killed one has the engine for 10 s more. */
async function untilHeard(sinceMs = 0): Promise<void> {
  const heard = 'select 1 from sip_engines where ready_at > $1';
  await until('the engine is heard', async () => (await sql(db, heard, [new Date(sinceMs)])).length > 0, LIMIT_MS);
}

/** Kills the process, does something while none runs, and starts it again. Resolves when it hears the engine. */
async function killAndStart(meanwhile?: () => void): Promise<void> {
  await product.kill();
  const killedMs = Date.now();
  meanwhile?.();
  product = await start();
  await untilHeard(killedMs);
}

const callTo = (at: 0 | 1) => createCaller(`http://127.0.0.1:${ports[at]}`, account.live_key);
let call = callTo(0);
let product = await start();
await untilHeard();
const ledger = await fund({ context: { db }, account });
const { id: tenantId } = await expectStatus(call('POST', '/v1/tenants', { body: { name: 'Desert Paws' } }), 201);
await db.transaction((tx) =>
  importNumbers(tx, ledger, { tenantId, phoneNumbers: [PHONE_NUMBER], connectionId, capabilities: ['voice'] }),
);
const [number] = (await expectStatus(call('GET', '/v1/phone_numbers'), 200)).data as Json[];

const get = (path: string): Promise<Json> => expectStatus(call('GET', `/v1${path}`), 200);
const untilIs = (id: string, fields: object) =>
  until(
    `the call has ${JSON.stringify(fields)}`,
    async () => {
      const found = await get(`/calls/${id}`);
      return Object.entries(fields).every(([name, value]) => found[name] === value);
    },
    LIMIT_MS,
  );

/** Places a click-to-call. Both sides answer and have a voice of their own, unless the customer never answers. */
async function place(answersAfterMs: number | null = 200) {
  const [agent, customer] = [newPerson(), newPerson()];
  people.set(agent, { frequencyHz: AGENT_HZ });
  people.set(customer, { frequencyHz: CUSTOMER_HZ, answersAfterMs });
  const body = { from: number.id, connect_to: agent, to: customer };
  const { id } = await expectStatus(call('POST', '/v1/calls', { body }), 201);
  return { id: id as string, agent, customer };
}

/** Places a call, and waits until both sides hear each other. */
async function connect() {
  const placed = await place();
  await untilIs(placed.id, { status: 'in_progress' });
  const hear = () => people.phoneOf(placed.agent).hears(CUSTOMER_HZ) && people.phoneOf(placed.customer).hears(AGENT_HZ);
  await until('they hear each other', hear, LIMIT_MS);
  return placed;
}

/** Fails unless a call ended once, was billed as often as it connected, and left no channel. */
async function assertEndedOnce(id: string, minutes: { readonly billed: number }): Promise<void> {
  await until('no channel is left', async () => (await engine.listChannels()).length === 0, LIMIT_MS);
  const ends = `select 1 from events where resource_id = $1 and type = 'call.completed'`;
  assert.equal((await sql(db, ends, [id])).length, 1, `the ends of ${id}`);
  const used = `select kind from (select * from usage_entries union all select * from usage_archive) u
    where reference = 'call:' || $1 and kind like 'call_minute%'`;
  assert.equal((await sql(db, used, [id])).length, minutes.billed, `the usage of ${id}`);
}

test('a call goes on while the process is killed and started again, takes commands after it, and ends once', async () => {
  const { id, agent, customer } = await connect();
  await killAndStart();
  assert.ok(people.phoneOf(agent).hears(CUSTOMER_HZ), 'they still hear each other');
  await expectStatus(call('POST', `/v1/calls/${id}/hangup`, { body: {} }), 200);
  await untilIs(id, { status: 'completed', outcome: 'answered' });
  await until('both have been hung up', () => !people.listTalkers().includes(customer), LIMIT_MS);
  await assertEndedOnce(id, { billed: 1 });
});

test('a hang-up while no process runs is found by the next one', async () => {
  const { id, customer } = await connect();
  await killAndStart(() => people.hangUp(customer));
  await untilIs(id, { status: 'completed', outcome: 'answered' });
  await assertEndedOnce(id, { billed: 1 });
});

test('calls that are dialled when the process is killed end once, whether answered meanwhile or not', async () => {
  const [answered, silent] = [await place(1_500), await place(null)];
  await until('both ring', async () => (await engine.listChannels()).length === 4, LIMIT_MS);
  await killAndStart();
  await expectStatus(call('POST', `/v1/calls/${silent.id}/hangup`, { body: {} }), 200);
  for (const { id } of [answered, silent]) {
    await until('it has ended', async () => (await get(`/calls/${id}`)).ended_at !== null, LIMIT_MS);
    await assertEndedOnce(id, { billed: 0 });
  }
});

test('the second of two processes takes the engine of the first, which is killed, and controls its calls', async () => {
  const second = await start(1);
  const { id, agent } = await connect();
  await product.kill();
  const killedMs = Date.now();
  call = callTo(1);
  await untilHeard(killedMs);
  assert.ok(people.phoneOf(agent).hears(CUSTOMER_HZ), 'they still hear each other');
  people.hangUp(agent);
  await untilIs(id, { status: 'completed', outcome: 'answered' });
  await assertEndedOnce(id, { billed: 1 });
  await second.kill();
});
