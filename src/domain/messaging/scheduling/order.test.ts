/** The order of many texts for one moment, and their cost to another ledger. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { useHarness } from '../../../../test/support/harness.ts';
import { gate, sql, until } from '../../../../test/support/jobs.ts';
import { newPerson, outboxOf, read, trySend } from '../../../../test/support/messages.ts';
import { ledgerOf } from '../../../../test/support/money.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import type { MessagingPort } from '../../../carriers/ports/messaging.ts';
import type { Context } from '../../../context.ts';
import type { Job } from '../../../queue/jobs/job.ts';
import { claimJobs } from '../../../queue/jobs/worker-claims.ts';
import { createSubmitHandler } from '../messages/submit-message.ts';
import { createReleaseHandler } from './release-texts.ts';

/** Two processes on one database. */
const first = await useHarness({ startWorkers: false });
const second = await useHarness({ startWorkers: false, databaseUrl: first.databaseUrl });
const { context, account } = first;
const { db } = context;
const key = account.test_key;
const KINDS = ['message.release', 'message.submit'];
type TextJob = Job<{ send_at: string; message_id: string }>;

beforeEach(() => Promise.all([first.workers.stop(), second.workers.stop()]));

/** Returns a function that schedules a text for one moment, over each process in turn, and returns its id. */
async function openMoment(): Promise<(to: string) => Promise<string>> {
  const { number } = await makeLine(first);
  const { now } = await read(first, '/test/clock');
  const send_at = new Date(Date.parse(now) + 3_600_000).toISOString();
  let count = 0;
  return async (to) => {
    const body = { from: number.id, to, body: `Text ${count}`, send_at };
    const reply = await trySend(count++ % 2 === 0 ? first : second, body, { key });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body.id;
  };
}

/** Makes all scheduled texts due. */
const makeDue = () => sql(db, `update jobs set run_at = now() where kind = 'message.release'`);

/** Schedules texts for one moment, one after the other. Returns their ids, and makes them due. */
async function scheduleMany(count: number, people: readonly string[]): Promise<string[]> {
  const schedule = await openMoment();
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await schedule(people[n % people.length] as string));
  await makeDue();
  return ids;
}

/** Returns the texts that the carrier has, in the order of their arrival. */
async function arrivedOf(ids: readonly string[]): Promise<string[]> {
  const text = 'select ref from simulated_messages where ref = any($1) order by id';
  return (await sql<{ ref: string }>(db, text, [ids])).map(({ ref }) => ref);
}

/** Claims the jobs that have been due the longest. A job that pauses between two runs counts as due from now on. */
async function claim(leaseToken: string, leaseMs = 30_000, jobsMax = 1): Promise<TextJob[]> {
  const rested = 'update jobs set run_at = now() where kind = any($1) and lease_token is null and run_at > now()';
  await sql(db, rested, [KINDS]);
  const { jobs } = await claimJobs(db, 'messaging', { kinds: KINDS, leaseMs, leaseToken, jobsMax });
  return jobs as TextJob[];
}

/** Returns a worker that runs claimed jobs to their end. It sends over the port that `change` returns. */
function workerWith(change: (port: MessagingPort) => MessagingPort = (port) => port) {
  const carriers: Context['carriers'] = {
    ...context.carriers,
    messaging: (...of) => change(context.carriers.messaging(...of)),
  };
  const [release, submit] = [createReleaseHandler, createSubmitHandler].map((create) =>
    create({ ...context, carriers }),
  );
  return async (jobs: readonly TextJob[]) => {
    const runs = jobs.map((job) => (job.kind === 'message.release' ? release : submit)?.run([job as never]));
    await Promise.all(runs.flat());
  };
}

test('500 texts for one moment reach the carrier in the order of their acceptance, with two workers', async () => {
  const people = Array.from({ length: 25 }, newPerson);
  const ids = await scheduleMany(500, people);
  first.workers.start();
  second.workers.start();
  await until('all have arrived', async () => (await arrivedOf(ids)).length === 500, 30_000);
  assert.deepEqual(await arrivedOf(ids), ids);
  const shown = (await outboxOf(first, people[3] as string)).map(({ message_id }) => message_id).reverse();
  assert.deepEqual(
    shown,
    ids.filter((_, n) => n % 25 === 3),
  );
});

test('a worker that is slow is not overtaken by another one', async () => {
  const ids = await scheduleMany(300, [newPerson()]);
  while ((await arrivedOf(ids)).length < 300) {
    const { opened, open } = gate();
    const slow = workerWith((port) => ({
      ...port,
      send: async (...text) => {
        await opened;
        return await port.send(...text);
      },
    }));
    const underWay = slow(await claim('slow', 30_000, 40));
    const quick = workerWith();
    for (let jobs = await claim('quick'); jobs.length > 0; jobs = await claim('quick')) await quick(jobs);
    open();
    await underWay;
  }
  assert.deepEqual(await arrivedOf(ids), ids);
});

test('texts that a killed worker was sending reach the carrier once and in order', async () => {
  const ids = await scheduleMany(300, [newPerson()]);
  // The first run releases texts. The next one sends some of them, and dies.
  await workerWith()(await claim('alive'));
  let sent = 0;
  const dying = workerWith((port) => ({
    ...port,
    send: (...text) => (++sent <= 20 ? port.send(...text) : new Promise(() => undefined)),
  }));
  void dying(await claim('killed', 500));
  await until('it has sent some', async () => (await arrivedOf(ids)).length === 20);
  first.workers.start();
  second.workers.start();
  await until('all have arrived', async () => (await arrivedOf(ids)).length === 300, 30_000);
  assert.deepEqual(await arrivedOf(ids), ids);
  await until(
    'none is left',
    async () => (await sql(db, 'select 1 from jobs where kind = any($1)', [KINDS])).length === 0,
  );
  const charged = await sql(db, 'select 1 from usage_entries where reference = any($1)', [ids]);
  assert.equal(charged.length, 300, 'each is metered once');
});

test('a text that joins its moment while others are being sent is sent too, and the others once', async () => {
  const [schedule, to] = [await openMoment(), newPerson()];
  const ids = [await schedule(to), await schedule(to), await schedule(to)];
  await makeDue();
  await workerWith()(await claim('release'));
  const { opened, open } = gate();
  const slow = workerWith((port) => ({
    ...port,
    send: async (...text) => {
      const answer = await port.send(...text);
      await opened;
      return answer;
    },
  }));
  const underWay = slow(await claim('slow'));
  await until('they are with the carrier', async () => (await arrivedOf(ids)).length === 3);
  ids.push(await schedule(to));
  open();
  await assert.rejects(underWay, { name: 'LeaseLostError' });
  const quick = workerWith();
  for (let jobs = await claim('quick'); jobs.length > 0; jobs = await claim('quick')) await quick(jobs);
  assert.deepEqual(await arrivedOf(ids), ids);
  assert.equal((await sql(db, 'select 1 from usage_entries where reference = any($1)', [ids])).length, 4);
});

test('a text of another ledger passes those that wait for one moment', async () => {
  const ids = await scheduleMany(300, [newPerson()]);
  // Without workers, so that the jobs run here one after the other.
  const run = workerWith();
  await run(await claim('one'));
  const other = await first.secondAccount();
  const { number } = await makeLine(first, other.test_key);
  const reply = await trySend(first, { from: number.id, to: newPerson(), body: 'Hello' }, { key: other.test_key });
  assert.equal(reply.status, 201);
  const { ledgerId } = await ledgerOf(first, 'test', other.id);
  const seen: number[] = [];
  for (let jobs = await claim('two'); jobs.length > 0; jobs = await claim('two')) {
    seen.push(...jobs.map((job) => job.ledgerId));
    await run(jobs);
  }
  assert.ok(seen.indexOf(ledgerId) <= 1, `one run of the others at most: ${seen.indexOf(ledgerId)}`);
  assert.deepEqual(await arrivedOf(ids), ids);
});
