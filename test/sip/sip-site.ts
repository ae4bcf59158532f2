/** A live tenant with calls over real engines. Its products run in separate processes, which the tests kill. */
import assert from 'node:assert/strict';
import { importNumbers } from '../../src/domain/numbers/phone-numbers/import-numbers.ts';
import { createCipher } from '../../src/lib/crypto/cipher.ts';
import { secretsOf } from '../../src/server/settings/config.ts';
import { createCaller } from '../support/caller.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import type { Json } from '../support/events.ts';
import { TEST_SECRET } from '../support/harness.ts';
import { sql, until } from '../support/jobs.ts';
import { addConnection } from '../support/live-network.ts';
import { newPerson } from '../support/messages.ts';
import { fund } from '../support/money.ts';
import { freePort } from '../support/ports.ts';
import { expectStatus, openSite, type ProductProcess } from '../support/product-process.ts';
import { RECORDED_USE } from '../support/recorded-use.ts';
import { startEngine } from './engine.ts';
import { watchLegEnds } from './leg-ends.ts';
import { startPeople } from './people.ts';

/** A restarted process receives the engine's events after the end of the killed process's lease. */
const LIMIT_MS = 40_000;
/** A process starts within this time even on a busy machine. Callers wait as long. */
const STARTED_S = 120;
const PHONE_NUMBER = '+16025550199';
const AGENT_HZ = 500;
const CUSTOMER_HZ = 700;

type SiteOptions = {
  /** The names of the engines. */
  readonly names?: readonly string[];
  /** The port of a gateway in a separate process. Without it, each process serves the audio of calls. */
  readonly gatewayPort?: number;
};

/** Starts the engines, a provider with people, and the first process. The engines reach only the first process. */
export async function useSipSite({ names = ['a'], gatewayPort }: SiteOptions = {}) {
  const people = await startPeople('127.0.0.1');
  closeAfterTests(() => people.close());
  const site = await openSite();
  closeAfterTests(() => site.close());
  const { db, account } = site;
  const legEnds = await watchLegEnds(db);
  const ports = [await freePort(), await freePort()] as const;
  const trunks = JSON.stringify([{ name: 'main', host: '127.0.0.1', port: people.port, keepalive_s: 5 }]);
  const mediaUrl = `http://127.0.0.1:${gatewayPort ?? ports[0]}`;
  const engines = await Promise.all(
    names.map((name) => startEngine({ name, dialplaneUrl: mediaUrl, settings: { trunks }, waitsS: STARTED_S })),
  );
  for (const engine of engines) closeAfterTests(() => engine.close());
  const [engine = assert.fail()] = engines;
  const { settings, credentials } = engine.connection;
  const connectionId = await addConnection(
    { db, cipher: createCipher(secretsOf(TEST_SECRET)) },
    {
      ...{ kind: 'sip', name: 'desk', credentials, capabilities: ['voice'] },
      settings: { ...settings, engines: engines.map((each) => each.connection.settings['engines']).join(' ') },
    },
  );

  /** Starts the first or the second process, with its workers. */
  const start = (at: 0 | 1 = 0): Promise<ProductProcess> =>
    site.start({
      port: ports[at],
      ...(gatewayPort === undefined ? { gateway: true } : { mediaUrl: `ws://127.0.0.1:${gatewayPort}` }),
    });
  /** Waits until the time in `column` of all engines is after this moment. */
  const untilSeen = async (sinceMs = 0, column: 'ready_at' | 'seen_at' = 'ready_at') => {
    const heard = `select 1 from sip_engines where ${column} > $1`;
    const count = async () => (await sql(db, heard, [new Date(sinceMs)])).length;
    await until('the engines are heard', async () => (await count()) === names.length, LIMIT_MS);
  };

  let product = await start();
  let call = createCaller(product.url, account.live_key);
  await untilSeen();
  const ledger = await fund({ context: { db }, account });
  const tenant = await expectStatus(call('POST', '/v1/tenants', { body: { name: 'Desert Paws' } }), 201);
  const imported = { phoneNumbers: [PHONE_NUMBER], connectionId, capabilities: ['voice'] as const };
  await db.transaction((tx) => importNumbers(tx, ledger, { tenantId: tenant.id, ...imported }));
  const [number] = (await expectStatus(call('GET', '/v1/phone_numbers'), 200)).data as Json[];
  const numberPath = `/v1/phone_numbers/${number.id}`;

  const get = (path: string): Promise<Json> => expectStatus(call('GET', `/v1${path}`), 200);
  const make = (path: string, body: object, status = 201): Promise<Json> =>
    expectStatus(call('POST', `/v1${path}`, { body }), status);
  const untilIs = (id: string, fields: object) =>
    until(
      `the call has ${JSON.stringify(fields)}`,
      async () => {
        const found = await get(`/calls/${id}`);
        return Object.entries(fields).every(([name, value]) => found[name] === value);
      },
      LIMIT_MS,
    );
  /** Places a click-to-call. Both sides answer and have different voices. With null, the customer never answers. */
  const place = async (answersAfterMs: number | null = 200): Promise<PlacedCall> => {
    const [agent, customer] = [newPerson(), newPerson()];
    people.set(agent, { frequencyHz: AGENT_HZ });
    people.set(customer, { frequencyHz: CUSTOMER_HZ, answersAfterMs });
    const { id } = await make('/calls', { from: number.id, connect_to: agent, to: customer });
    return { id, agent, customer };
  };
  const hearEachOther = ({ agent, customer }: PlacedCall) =>
    people.listTalkers().includes(customer) &&
    people.phoneOf(agent).hears(CUSTOMER_HZ) &&
    people.phoneOf(customer).hears(AGENT_HZ);
  /** Waits until both sides of a call hear each other. */
  const untilConnected = async (placed: PlacedCall) => {
    await untilIs(placed.id, { status: 'in_progress' });
    await until('they hear each other', () => hearEachOther(placed), LIMIT_MS);
    return placed;
  };
  const listChannels = async () => (await Promise.all(engines.map((each) => each.listChannels()))).flat();

  return {
    ...{
      databaseUrl: site.databaseUrl,
      key: account.live_key,
      db,
      people,
      engine,
      engines,
      number,
      get,
      make,
      untilIs,
      untilSeen,
      start,
      place,
      untilConnected,
      hearEachOther,
    },
    listChannels,
    /** Waits until the product has checked the engines successfully after this moment. */
    untilSeen: (sinceMs: number) => untilSeen(sinceMs, 'seen_at'),
    connect: async () => await untilConnected(await place()),
    product: () => product,
    /** Sends requests to this process from now on. */
    use: (next: ProductProcess) => {
      product = next;
      call = createCaller(product.url, account.live_key);
    },
    /** Kills the process, runs `meanwhile`, and starts it again. Resolves when it is connected to the engines. */
    killAndStart: async (meanwhile?: () => unknown) => {
      await product.kill();
      const killedMs = Date.now();
      await meanwhile?.();
      product = await start();
      await untilSeen(killedMs);
    },
    route: async (open_behavior: object, fields: object = {}) => {
      const config = await make('/routing_configs', { tenant_id: tenant.id, name: 'Desk', open_behavior, ...fields });
      await expectStatus(call('PATCH', numberPath, { body: { routing_config_id: config.id } }), 200);
    },
    /** Fails unless the call and its legs ended once, no channel is left, and `minutes.billed` parties were billed. */
    assertEndedOnce: async (id: string, minutes: { readonly billed: number | readonly number[] }) => {
      await until('no channel is left', async () => (await listChannels()).length === 0, LIMIT_MS);
      await legEnds.assertOnce(id);
      const ends = `select 1 from events where resource_id = $1 and type = 'call.completed'`;
      assert.equal((await sql(db, ends, [id])).length, 1, `the ends of ${id}`);
      const used = `select kind from ${RECORDED_USE} u
        where reference = 'call:' || $1 and kind like 'call_minute%'`;
      const lines = (await sql(db, used, [id])).length;
      assert.ok([minutes.billed].flat().includes(lines), `${id} was billed ${lines} times`);
    },
  };
}

export type PlacedCall = { readonly id: string; readonly agent: string; readonly customer: string };
