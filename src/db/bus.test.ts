import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openJobsDatabase, silentLog, sql, until } from '../../test/support/jobs.ts';
import { monotonicMs } from '../lib/time/time.ts';
import { enqueue } from '../queue/jobs/enqueue.ts';
import { linkWakeups } from '../queue/worker/wake.ts';
import { createWorkers } from '../queue/worker/workers.ts';
import { type Bus, createBus } from './bus.ts';
import type { Database } from './database.ts';

let open: Awaited<ReturnType<typeof openJobsDatabase>>;
const buses: Bus[] = [];

before(async () => {
  open = await openJobsDatabase();
});

after(async () => {
  await Promise.all(buses.map((bus) => bus.close()));
  await open.close();
});

async function startBus(db = open.openOther()): Promise<Bus> {
  const bus = createBus(db, silentLog);
  buses.push(bus);
  await bus.start();
  return bus;
}

/** Ends the server's side of the connection just before its first NOTIFY. */
function cutBeforeNotify(db: Database): void {
  const { connect } = db;
  db.connect = async (...options) => {
    db.connect = connect;
    const client = await connect(...options);
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const cutThenQuery = async (...args: unknown[]) => {
      if (JSON.stringify(args[0]).includes('pg_notify')) {
        await sql(open.db, 'select pg_terminate_backend(pid) from pg_stat_activity where pid = $1', [
          Reflect.get(client, 'processID'),
        ]);
      }
      return query(...args);
    };
    return Object.assign(client, { query: cutThenQuery });
  };
}

test('a message reaches its own process immediately and every other process once', async () => {
  const [one, two] = [await startBus(), await startBus()];
  const received: string[] = [];
  one.subscribe('events', (payload, remote) => received.push(`one ${payload} ${remote}`));
  two.subscribe('events', (payload, remote) => received.push(`two ${payload} ${remote}`));
  two.subscribe('other', () => received.push('wrong channel'));
  one.publish('events', 'ä"\n');
  assert.deepEqual(received, ['one ä"\n false']);
  await until('the other process receives it', () => received.length === 2);
  one.publish('events', 'next');
  await until('the other process receives the next', () => received.length === 4);
  assert.deepEqual(received.slice(1), ['two ä"\n true', 'one next false', 'two next true']);
});

test('thousands of messages that share notifications arrive complete and in order', async () => {
  const [one, two] = [await startBus(), await startBus()];
  const received: string[] = [];
  two.subscribe('many', (payload) => received.push(payload));
  const sent = Array.from({ length: 3_000 }, (_, index) => `evt_${index}_${'x'.repeat(index % 50)}`);
  for (const payload of sent) one.publish('many', payload);
  await until('all are received', () => received.length === sent.length);
  assert.deepEqual(received, sent);
});

test('a message that is too long for one notification is refused', async () => {
  const bus = await startBus();
  assert.throws(() => bus.publish('many', 'x'.repeat(7_400)), RangeError);
});

test('a bus whose connection is cut reconnects, reports the gap and sends the messages that waited', async () => {
  const [one, two] = [await startBus(), await startBus()];
  const received: string[] = [];
  let gaps = 0;
  one.onGap(() => void gaps++);
  two.onGap(() => void gaps++);
  two.subscribe('cut', (payload) => received.push(payload));
  await sql(
    open.db,
    `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'dialplane bus' and datname = current_database()`,
  );
  await until('both are connected again', () => gaps >= 2);
  one.publish('cut', 'after');
  await until('the message is received', () => received.includes('after'));
});

test('messages whose NOTIFY fails reach the other processes after the reconnection, in order', async () => {
  const db = open.openOther();
  const two = await startBus();
  const received: string[] = [];
  two.subscribe('retry', (payload) => received.push(payload));
  cutBeforeNotify(db);
  const one = await startBus(db);
  for (const payload of ['first', 'second']) one.publish('retry', payload);
  await until('both are received', () => received.includes('second'));
  assert.deepEqual(received, ['first', 'second']);
});

test('a message that is published right before the bus closes reaches the other processes', async () => {
  const [one, two] = [await startBus(), await startBus()];
  const received: string[] = [];
  two.subscribe('last', (payload) => received.push(payload));
  one.publish('last', 'words');
  await one.close();
  await until('it is received', () => received.includes('words'));
});

test('what other users of the database notify is ignored, and a listener that throws does not affect others', async () => {
  const [one, two] = [await startBus(), await startBus()];
  const received: string[] = [];
  two.subscribe('guarded', (payload) => {
    if (payload === 'bad') throw new Error('a listener fails');
  });
  two.subscribe('guarded', (payload) => received.push(payload));
  const foreign = [
    'x',
    '',
    'null',
    '{}',
    '7',
    '[1,["guarded","wrong"]]',
    '["a",["guarded",1]]',
    '["a",7]',
    '["a",null]',
  ];
  for (const payload of foreign) await sql(open.db, 'select pg_notify($1, $2)', ['dialplane', payload]);
  for (const payload of ['bad', 'good']) one.publish('guarded', payload);
  await until('the messages are received', () => received.includes('good'));
  assert.deepEqual(received, ['bad', 'good']);
});

test('workers of another process wake for a new job without waiting for their poll', async () => {
  const [here, there] = [open.openOther(), open.openOther()];
  linkWakeups({ db: here, bus: await startBus(here), laneKinds: [] });
  linkWakeups({ db: there, bus: await startBus(there), laneKinds: [] });
  const ranAt: number[] = [];
  const handler = { kind: 'far', queue: 'voice' as const, run: async () => void ranAt.push(monotonicMs()) };
  const workers = createWorkers({
    db: there,
    log: silentLog,
    handlers: [handler],
    queues: { voice: 1 },
    settings: { pollMs: 60_000 },
  });
  workers.start();
  await workers.stats();
  const enqueuedAt = monotonicMs();
  await enqueue(here, [{ ledgerId: open.ledgerId, queue: 'voice', kind: 'far', payload: 1, delayMs: 200 }]);
  await until('the job has run', () => ranAt.length > 0);
  await workers.stop();
  const tookMs = (ranAt[0] ?? 0) - enqueuedAt;
  assert.ok(tookMs > 150, `${tookMs} ms`);
});
