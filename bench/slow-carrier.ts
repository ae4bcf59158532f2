/**
 * Measures how a carrier that hangs affects others. Compares the latency of texts of test mode and of one live
 * connection, before and while another carrier hangs. That carrier has 64 sends without an answer, and gets more. The
 * latency of a text is the time from its acceptance to its delivery, without the second that the simulated network
 * takes. Prints the ratios of the p99 of paired runs.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { AdapterKind } from '../src/carriers/adapter.ts';
import { setDefault } from '../src/carriers/connections/queries.ts';
import { CARRIER_CAPABILITIES } from '../src/carriers/ports/carrier.ts';
import { type Harness, startHarness } from '../test/support/harness.ts';
import { sql, until } from '../test/support/jobs.ts';
import { addConnection, inProcessKind, type MakeLiveCarrier } from '../test/support/live-network.ts';
import { clearForTexts, fund, ledgerOf } from '../test/support/money.ts';
import { makeLine } from '../test/support/numbers.ts';
import { person } from './support/numbers.ts';
import { loadSteadily } from './support/open-load.ts';
import { median, percentile, startBenchPostgres } from './support/postgres.ts';

const { values } = parseArgs({
  options: {
    'per-second': { type: 'string', default: '40' },
    seconds: { type: 'string', default: '10' },
    pairs: { type: 'string', default: '5' },
  },
});
const HUNG = 64;
/** More texts a second to the carrier that hangs. */
const HUNG_PER_SECOND = 10;
/** How long after a text the simulated network reports its receipt. */
const RECEIPT_MS = 1_000;
const WAIT_MS_MAX = 90_000;

/** The carrier hangs while `isHung` is true. `unanswered` counts its requests without an answer. */
const network = { isHung: false, unanswered: 0 };

function hang<Answer>(): Promise<Answer> {
  network.unanswered++;
  return new Promise(() => undefined);
}

const hangingCarrier: MakeLiveCarrier = ({ simulated }) => {
  const { messaging } = simulated;
  if (messaging === undefined) throw new Error('the simulated carrier has no texts');
  return {
    ...simulated,
    messaging: {
      send: (ledger, message) => (network.isHung ? hang() : messaging.send(ledger, message)),
      findSend: (ledger, ref) => (network.isHung ? hang() : messaging.findSend(ledger, ref)),
    },
  };
};

function kindOf(kind: string, make: MakeLiveCarrier): AdapterKind {
  const { description, ...rest } = inProcessKind(make);
  return { ...rest, description: { ...description, kind } };
}

type Sender = { readonly name: string; readonly ledgerId: number; readonly key: string; readonly from: string };

async function makeSender(harness: Harness, name: string, account: Harness['account']): Promise<Sender> {
  const key = account.live_key;
  const { ledgerId } = await fund(harness, '100000', account.id);
  const { number } = await makeLine(harness, key);
  await clearForTexts(harness, number.id);
  await sql(harness.context.db, 'update campaigns set messages_per_minute = 100000000, daily_cap = 1000000000');
  return { name, ledgerId, key, from: number.id };
}

async function makeSenders(harness: Harness): Promise<{ others: Sender[]; hung: Sender }> {
  const { context, account } = harness;
  await addConnection(context, { kind: 'healthy', name: 'healthy', capabilities: CARRIER_CAPABILITIES });
  const hungId = await addConnection(context, { kind: 'hanging', name: 'hanging', capabilities: [] });
  const second = await harness.secondAccount();
  await context.db.transaction(async (tx) => {
    for (const capability of CARRIER_CAPABILITIES) {
      await setDefault(tx, { capability, account_id: second.id, connection_id: hungId });
    }
  });
  // Processes read the connections every two seconds.
  await sleep(3_000);
  const { number } = await makeLine(harness);
  const { ledgerId } = await ledgerOf(harness, 'test');
  const others = [
    { name: 'test mode', ledgerId, key: account.test_key, from: number.id },
    await makeSender(harness, 'another connection', account),
  ];
  return { others, hung: await makeSender(harness, 'hung', second) };
}

function send(harness: Harness, { key, from }: Sender) {
  return harness.call('POST', '/v1/messages', { key, body: { from, to: person(), body: 'Hello' } });
}

async function sendAll(harness: Harness, sender: Sender, count: number): Promise<void> {
  const replies = await Promise.all(Array.from({ length: count }, () => send(harness, sender)));
  const refused = replies.find(({ status }) => status !== 201);
  if (refused !== undefined) throw new Error(JSON.stringify(refused.body));
}

/** Sends texts of all senders at a steady rate. Returns the p99 of their latency in milliseconds, by sender. */
async function measure(harness: Harness, senders: readonly Sender[]): Promise<number[]> {
  const { db } = harness.context;
  const [start] = await sql<{ now: Date }>(db, 'select now()');
  await loadSteadily(Number(values['per-second']) * senders.length, Number(values.seconds), (index) => {
    const sender = senders[index % senders.length] as Sender;
    return { name: sender.name, send: () => send(harness, sender) };
  });
  const read = ({ ledgerId }: Sender) =>
    sql<{ ms: number | null }>(
      db,
      `select (select extract(epoch from (h ->> 'at')::timestamptz - m.created_at)::float8 * 1000
               from json_array_elements(m.status_history) h where h ->> 'status' = 'delivered') as ms
       from messages m where m.ledger_id = $1 and m.created_at >= $2`,
      [ledgerId, start?.now],
    );
  return await Promise.all(
    senders.map(async (sender) => {
      await until(
        'all texts are delivered',
        async () => !(await read(sender)).some(({ ms }) => ms === null),
        WAIT_MS_MAX,
      );
      const latencies = (await read(sender)).map(({ ms }) => Number(ms) - RECEIPT_MS).sort((a, b) => a - b);
      return percentile(latencies, 0.99);
    }),
  );
}

/** Measures the other senders while the carrier hangs. */
async function measureBeside(harness: Harness, others: readonly Sender[], hung: Sender): Promise<number[]> {
  Object.assign(network, { isHung: true, unanswered: 0 });
  await sendAll(harness, hung, HUNG);
  await until(`${HUNG} sends hang`, () => network.unanswered >= HUNG);
  const more = loadSteadily(HUNG_PER_SECOND, Number(values.seconds), () => ({
    name: hung.name,
    send: () => send(harness, hung),
  }));
  const [beside] = await Promise.all([measure(harness, others), more]);
  return beside;
}

/** Makes the carrier answer again. Waits until its circuit has closed and all work is done. */
async function recover(harness: Harness, { ledgerId, ...hung }: Sender): Promise<void> {
  network.isHung = false;
  const { db } = harness.context;
  await sql(db, 'delete from jobs where ledger_id = $1', [ledgerId]);
  const isDelivered = async () => {
    await sendAll(harness, { ...hung, ledgerId }, 1);
    await sleep(2 * RECEIPT_MS);
    const newest = 'select status from messages where ledger_id = $1 order by created_at desc limit 1';
    return (await sql<{ status: string }>(db, newest, [ledgerId]))[0]?.status === 'delivered';
  };
  await until('the circuit has closed', isDelivered, WAIT_MS_MAX);
  await sql(db, 'delete from jobs where ledger_id = $1', [ledgerId]);
}

async function main(): Promise<void> {
  const postgres = await startBenchPostgres();
  const adapterKinds = [kindOf('healthy', ({ simulated }) => simulated), kindOf('hanging', hangingCarrier)];
  const harness = await startHarness({ databaseUrl: postgres.url, connectionsMax: 24, adapterKinds });
  try {
    const { others, hung } = await makeSenders(harness);
    await measure(harness, others);
    const ratios: number[][] = others.map(() => []);
    for (let pair = 1; pair <= Number(values.pairs); pair++) {
      const alone = await measure(harness, others);
      const beside = await measureBeside(harness, others, hung);
      await recover(harness, hung);
      others.forEach(({ name }, index) => {
        const [aloneMs, besideMs] = [alone[index] as number, beside[index] as number];
        ratios[index]?.push(besideMs / aloneMs);
        console.log(`pair ${pair}, ${name}: p99 ${aloneMs.toFixed(1)} ms alone, ${besideMs.toFixed(1)} ms beside`);
      });
    }
    others.forEach(({ name }, index) => {
      const ratio = median(ratios[index] as number[]);
      console.log(
        `p99 of ${name} while ${HUNG} sends of a connection hang, median: ×${ratio.toFixed(2)} (target: at most 2)`,
      );
    });
  } finally {
    await harness.close();
    await postgres.stop();
  }
}

await main();
