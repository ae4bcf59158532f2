/**
 * Starts many emergency calls of web clients at the same time. Measures how many are dialled in a second, without other
 * calls and while ordinary calls of the same ledger wait for their dial.
 *
 *   --calls N   calls to 911      --ordinary N   ordinary calls that begin before them
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { placeWebClientCall } from '../src/domain/voice/calls/place/place-own-call.ts';
import type { Ledger } from '../src/lib/scope.ts';
import { createCaller } from '../test/support/caller.ts';
import { withPort } from '../test/support/carrier-ports.ts';
import { buyNumber, expectBody, person } from './support/numbers.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';
import { load } from './support/processes.ts';
import { startBenchProduct } from './support/product.ts';

const { values } = parseArgs({
  options: { calls: { type: 'string', default: '200' }, ordinary: { type: 'string', default: '400' } },
});
const CALLS = Number(values.calls);
const ORDINARY = Number(values.ordinary);

const postgres = await startBenchPostgres();
const { product, accounts, url } = await startBenchProduct(postgres.url, { names: ['One'], work: true });
const call = createCaller(url, accounts[0]?.test_key as string);
const { db } = product.context;
/** By call: when it was stored, and when its first leg was dialled. The times are by the clock of `performance`. */
const stored = new Map<string, number>();
const dialled = new Map<string, number>();

type Place = (to: string) => Promise<string>;

/** How many calls are placed concurrently. More would wait for a connection to the database. */
const PLACING = 8;

/** Places calls with a few workers. Each worker places one call after another. Returns the ids of the calls. */
async function placeAll(count: number, to: () => string, place: Place): Promise<string[]> {
  const ids: string[] = [];
  let left = count;
  const work = async () => {
    while (left-- > 0) ids.push(await place(to()));
  };
  await Promise.all(Array.from({ length: PLACING }, work));
  return ids;
}

/** Starts ordinary calls. When a quarter of them is stored, starts calls to 911, and reports. */
async function round(ordinary: number, place: Place): Promise<void> {
  stored.clear();
  dialled.clear();
  const others = placeAll(ordinary, person, place);
  while (stored.size < ordinary / 4) await sleep(5);
  const start = performance.now();
  const ids = await placeAll(CALLS, () => '911', place);
  while (ids.some((id) => !dialled.has(id))) await sleep(10);
  const last = Math.max(...ids.map((id) => dialled.get(id) as number));
  const waitsOf = (calls: readonly string[]) =>
    calls.map((id) => (dialled.get(id) as number) - (stored.get(id) as number)).sort((a, b) => a - b);
  const show = (waits: readonly number[]) =>
    `median ${median(waits).toFixed(0)} ms, p99 ${percentile(waits, 0.99).toFixed(0)} ms`;
  const ordinaryIds = await others;
  while (dialled.size < ids.length + ordinary) await sleep(20);
  const rate = (CALLS * 1000) / (last - start);
  console.log(`${CALLS} calls to 911 beside ${ordinary} ordinary ones, ${load()}: ${rate.toFixed(0)} a second`);
  console.log(`  911, from stored to dialled: ${show(waitsOf(ids))}`);
  if (ordinary > 0) console.log(`  the ordinary ones: ${show(waitsOf(ordinaryIds))}`);
  await sleep(3_000);
}

try {
  const { tenant_id: tenantId, id: from } = await expectBody(call('GET', `/v1/phone_numbers/${await buyNumber(call)}`));
  const client = await expectBody(call('POST', '/v1/web_clients', { body: { tenant_id: tenantId, name: 'Desk' } }));
  const [row] = await db.query<{ id: number }>(
    { name: '', text: 'select ledger_id as id from tenants where id = $1' },
    [tenantId],
  );
  const ledger: Ledger = { ledgerId: row?.id as number, accountId: accounts[0]?.id as string, mode: 'test' };
  const place = async (to: string) => {
    const wanted = { webClient: { id: client.id, tenantId }, to, from };
    const { callId } = await db.transaction((tx) => placeWebClientCall(product.context, tx, ledger, wanted));
    stored.set(callId, performance.now());
    return callId;
  };
  await withPort(
    product,
    'voice',
    (port) => ({
      ...port,
      dispatch: (of, command) => {
        const { callRef, instruction } = command;
        if (instruction.do === 'dial' && !dialled.has(callRef)) dialled.set(callRef, performance.now());
        return port.dispatch(of, command);
      },
    }),
    async () => {
      await round(0, place);
      await round(ORDINARY, place);
    },
  );
} finally {
  await product.close();
  await postgres.stop();
}
