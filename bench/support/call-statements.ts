/**
 * The statements of a live call. A carrier is simulated in a separate process with a separate database, so that only
 * the product's statements are counted. As with a real carrier, every report comes over HTTP.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { CARRIER_CAPABILITIES } from '../../src/carriers/ports/carrier.ts';
import { createCaller } from '../../test/support/caller.ts';
import { addConnection } from '../../test/support/live-network.ts';
import { fund } from '../../test/support/money.ts';
import { WIRE_KIND } from '../../test/wire/adapter.ts';
import { startWireProcess } from '../../test/wire/wire-process.ts';
import { buyNumber, expectBody, person } from './numbers.ts';
import { startBenchPostgres, untilNone } from './postgres.ts';
import { startBenchProduct } from './product.ts';
import { COUNTING, type Counted, countStatements, startCounting } from './statements.ts';

const WARM_UP_CALLS = 40;
const CALLS = 120;
const PER_SECOND = 6;
const OWN_STATEMENTS = /bench_own|^vacuum|^checkpoint/i;

/** Returns the statements of live calls, and the number of calls. Each call is transcribed and recorded. */
export async function countLiveCalls(): Promise<{ counted: Counted[]; calls: number }> {
  const postgres = await startBenchPostgres(COUNTING);
  const wire = await startWireProcess({ databaseUrl: await copyForWire(postgres.url), roundTripMs: 20 });
  const client = new pg.Client(postgres.url);
  client.on('error', () => undefined);
  await client.connect();
  const { product, accounts, url } = await startBenchProduct(postgres.url, {
    names: ['Bench'],
    work: true,
    adapterKinds: [WIRE_KIND],
  });
  try {
    const [account] = accounts as [(typeof accounts)[number]];
    await addConnection(product.context, {
      kind: 'wire',
      name: 'wire',
      settings: { url: wire.url, public_url: url },
      credentials: { key: wire.key, secret: wire.secret },
      capabilities: CARRIER_CAPABILITIES,
    });
    await product.connections.refresh();
    await product.connections.list()[0]?.connected.setup();
    await fund({ context: product.context, account });
    const call = createCaller(url, account.live_key);
    const from = await buyNumber(call);
    const place = async (count: number): Promise<void> => {
      for (let placed = 0; placed < count; placed++) {
        const body = { from, to: person(), connect_to: person(), transcribe: true, record: true };
        await Promise.all([expectBody(call('POST', '/v1/calls', { body })), sleep(1000 / PER_SECOND)]);
      }
      await untilQuiet(client);
    };
    await place(WARM_UP_CALLS);
    await client.query('vacuum analyze');
    await startCounting(client);
    await place(CALLS);
    return { counted: await countStatements(client, OWN_STATEMENTS), calls: CALLS };
  } finally {
    await product.close();
    await wire.close();
    await client.end();
    await postgres.stop();
  }
}

/** Copies the migrated database for the carrier. */
async function copyForWire(url: string): Promise<string> {
  const [template, copy, admin] = [new URL(url), new URL(url), new URL(url)];
  copy.pathname = '/wire';
  admin.pathname = '/template1';
  const client = new pg.Client(admin.href);
  await client.connect();
  await client.query(`create database wire template "${template.pathname.slice(1)}" strategy file_copy`);
  await client.end();
  return copy.href;
}

/** Waits until all calls have ended and all work for them is done. */
export async function untilQuiet(client: pg.Client): Promise<void> {
  const jobs = `jobs where queue <> 'default' and id not like 'sweep.%'`;
  await untilNone(client, 'calls where ended_at is null', 'lanes', jobs);
}
