/**
 * A worker that is frozen until its leases have ended, as on a paused machine. It continues after another worker has
 * done its work.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import type { Json } from '../support/events.ts';
import { sql, until } from '../support/jobs.ts';
import {
  expectStatus,
  makeSenderAt,
  openSite,
  type ProductProcess,
  registerAt,
  type Site,
  untilIdle,
} from '../support/product-process.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';

const REJECTED = { outcome: 'rejected', reason: 'spam_blocked' } as const;
/** The leases of production: on a busy machine a running worker would lose a short lease, too. */
const workerSettings = { pollMs: 100 };

let site: Site;
/** Serves requests and runs no workers. */
let front: ProductProcess;
/** Is frozen in each test. */
let first: ProductProcess;
let numberId: string;
let e164: string;

before(async () => {
  site = await openSite();
  front = await site.start({ work: false });
  ({ numberId, e164 } = await makeSenderAt(front.call));
});

after(() => site.close());

afterEach(() => first.kill());

const send = async (to: string): Promise<string> =>
  (await expectStatus(front.call('POST', '/v1/messages', { body: { from: numberId, to, body: 'Hello' } }), 201)).id;

const read = (id: string): Promise<Json> => expectStatus(front.call('GET', `/v1/messages/${id}`), 200);

const outbox = async (to: string): Promise<Json[]> =>
  (await expectStatus(front.call('GET', `/v1/test/outbox?to=${encodeURIComponent(to)}`), 200)).data;

/** Waits until a call of the first worker finds that it lost its claim. */
function untilLost(kind: string): Promise<void> {
  const lost = () => first.metric('dialplane_job_duration_seconds_count', { kind, result: 'lost' });
  return until(`the ${kind} call of the first worker has lost its claim`, async () => (await lost()) > 0);
}

const IN_TRANSACTION = `select pid from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid() and state <> 'idle'`;

/** Freezes the first worker before any other has started, and ends its leases. */
async function freezePastLease(): Promise<void> {
  await until('the first worker is frozen outside of transactions, whose locks it would keep', async () => {
    first.freeze();
    if ((await sql(site.db, IN_TRANSACTION)).length === 0) return true;
    first.thaw();
    return false;
  });
  for (const table of ['jobs', 'lanes']) {
    await sql(site.db, `update ${table} set run_at = now() where lease_token is not null`);
  }
}

/** Sends a text. The first worker submits it, and the carrier does not answer yet. */
async function leaveInSend(to: string): Promise<string> {
  first = await site.start({ workerSettings, blocksSends: true });
  const id = await send(to);
  await until('the first worker submits it', () => first.sending.includes(id));
  return id;
}

test('a worker that continues a submission after its lease cannot end a message that another worker is sending', async () => {
  const to = '+16025550150';
  const id = await leaveInSend(to);
  await freezePastLease();
  const second = await site.start({ workerSettings, blocksSends: true });
  try {
    await until('the second worker submits it', () => second.sending.includes(id));
    first.thaw();
    first.decide({ answer: REJECTED });
    await untilLost('message.submit');
    assert.equal((await read(id)).status, 'queued');
    second.decide({ forward: true, answer: { outcome: 'accepted' } });
    await until('the receipt comes', async () => (await read(id)).status !== 'queued');
    assert.deepEqual(
      (await read(id)).status_history.map(({ status }: Json) => status),
      ['queued', 'delivered'],
    );
    assert.equal((await outbox(to)).length, 1);
    assert.deepEqual([first.sending, second.sending], [[id], [id]]);
    await untilIdle(site.db, 10_000);
  } finally {
    await second.kill();
  }
});

test('a text that was sent before its worker froze is looked up by the next worker and not sent again', async () => {
  const to = '+16025550151';
  const id = await leaveInSend(to);
  first.decide({ forward: true });
  await until('it is handed over', async () => (await outbox(to)).length === 1);
  await freezePastLease();
  const second = await site.start({ workerSettings, blocksSends: true });
  try {
    await until('it is delivered', async () => (await read(id)).status === 'delivered');
    await untilIdle(site.db, 10_000);
    assert.deepEqual(second.sending, [], 'the second worker asked the carrier and did not send');
    first.thaw();
    first.decide({ answer: REJECTED });
    await untilLost('message.submit');
    assert.equal((await read(id)).status, 'delivered');
    assert.equal((await outbox(to)).length, 1);
  } finally {
    await second.kill();
  }
});

type Arrived = { event: { id: string; sequence: number } };
const sequences = (receiver: Receiver) => receiver.received.map(({ event }: Arrived) => event.sequence);

async function attemptsOf(endpointId: string): Promise<[string, (number | null)[]][]> {
  const text = `select status, array(select (a->>'response_status')::int from jsonb_array_elements(attempts::jsonb) a) as seen
    from deliveries where endpoint_id = $1 order by id`;
  const rows = await sql<{ status: string; seen: (number | null)[] }>(site.db, text, [endpointId]);
  return rows.map(({ status, seen }) => [status, seen]);
}

test('a worker that continues a delivery after its lease neither records the outcome nor continues the lane', async () => {
  const receiver = await startReceiver();
  const hanging = new Set([1, 3]);
  receiver.answer(({ event }) => (hanging.delete(event.sequence) ? { hang: true } : {}));
  const person = '+16025563000';
  const endpointId = await registerAt(front.call, receiver.url);
  await expectStatus(
    front.call('PATCH', `/v1/webhook_endpoints/${endpointId}`, {
      body: { url: receiver.url, enabled_events: ['opt_out.created', 'opt_out.removed'] },
    }),
    200,
  );
  // The carrier answers these, so that jobs that the worker claims after the freeze end too.
  first = await site.start({ workerSettings });
  let second: ProductProcess | undefined;
  try {
    for (const text of ['STOP', 'START', 'STOP', 'START']) {
      const body = { from: person, to: e164, body: text };
      await expectStatus(front.call('POST', '/v1/test/inbound_messages', { body }), 201);
    }
    await receiver.arrived(1);
    await freezePastLease();
    // The answer stays in the connection until the worker reads again.
    receiver.release(500);
    second = await site.start({ workerSettings });
    // The second worker repeats the first delivery. It waits in the third, so it has claimed the lane.
    await receiver.arrived(4);
    assert.deepEqual(sequences(receiver), [1, 1, 2, 3]);
    first.thaw();
    await untilLost('webhook');
    assert.deepEqual(await attemptsOf(endpointId), [
      ['delivered', [200]],
      ['delivered', [200]],
      ['pending', []],
      ['pending', []],
    ]);
    receiver.release(200);
    await untilIdle(site.db, 15_000);
    assert.deepEqual(sequences(receiver), [1, 1, 2, 3, 4], 'only the delivery of the frozen worker arrived twice');
    assert.deepEqual(
      (await attemptsOf(endpointId)).map(([status, seen]) => [status, seen.length]),
      Array.from({ length: 4 }, () => ['delivered', 1]),
    );
  } finally {
    await second?.kill();
    await receiver.close();
  }
});
