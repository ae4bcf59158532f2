import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Harness, startHarness } from '../../../../test/support/harness.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { claimLanesOf } from '../../../../test/support/lanes.ts';
import { newPerson, outboxOf, sendText } from '../../../../test/support/messages.ts';
import {
  handOversOf,
  makePacedSender,
  mostInAMinute,
  type PacedSender,
  setThroughput,
  watchHandOvers,
} from '../../../../test/support/pacing.ts';
import { checkProperty } from '../../../../test/support/property.ts';
import type { Statement } from '../../../db/statement.ts';
import { createCampaignLanes } from './lane-handler.ts';
import { CAMPAIGN_LANES } from './rules.ts';

/** Two processes on one database, both with workers. */
let first: Harness;
let second: Harness;

before(async () => {
  first = await startHarness();
  second = await startHarness({ databaseUrl: first.databaseUrl });
  await watchHandOvers(first);
});
after(async () => {
  await second.close();
  await first.close();
});

const keyOf = () => ({ key: first.account.test_key });

async function sendOver(harness: Harness, from: string, to: string, body: string): Promise<string> {
  const reply = await harness.call('POST', '/v1/messages', { ...keyOf(), body: { from, to, body } });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

async function waiting(): Promise<number> {
  const [row] = await sql<{ n: number }>(first.context.db, 'select count(*)::int as n from paced_messages');
  return row?.n ?? 0;
}

/** Sends a burst through both processes, alternating by conversation. Returns each person's texts in order. */
async function sendBurst({ number }: PacedSender, { count, people }: { count: number; people: number }) {
  const threads = Array.from({ length: people }, () => ({ to: newPerson(), ids: [] as string[] }));
  await Promise.all(
    threads.map(async (thread, index) => {
      for (let n = index; n < count; n += people) {
        thread.ids.push(await sendOver(n % 2 === 0 ? first : second, number.id, thread.to, `Text ${n}`));
      }
    }),
  );
  return threads;
}

test('with two workers no sliding minute exceeds the limit and conversations keep their order', async () => {
  const burst = fc.record({
    perMinute: fc.integer({ min: 3, max: 40 }),
    parts: fc.array(
      fc.record({
        count: fc.integer({ min: 1, max: 50 }),
        people: fc.integer({ min: 1, max: 30 }),
        pauseS: fc.integer({ min: 0, max: 50 }),
      }),
      { minLength: 1, maxLength: 4 },
    ),
  });
  await checkProperty(
    fc.asyncProperty(burst, async ({ perMinute, parts }) => {
      const sender = await makePacedSender(first, 'private_company');
      await setThroughput(first, sender.campaignId, { perMinute, dailyCap: 1_000 });
      const threads = [];
      for (const part of parts) {
        threads.push(...(await sendBurst(sender, part)));
        await (part.count % 2 === 0 ? first : second).advance(part.pauseS, first.account.test_key);
      }
      const total = threads.reduce((sum, { ids }) => sum + ids.length, 0);
      await first.advance((total / perMinute + 2) * 61);
      await until('all of them are handed over', async () => (await waiting()) === 0);
      const seen = await handOversOf(first, sender.number.phone_number);
      assert.equal(seen.length, total);
      assert.ok(mostInAMinute(seen.map(({ atMs }) => atMs)) <= perMinute);
      for (const { to, ids } of threads) {
        const order = seen.filter((each) => each.to === to).map(({ id }) => id);
        assert.deepEqual(order, ids);
      }
      await until('all have arrived', async () => {
        await first.advance(1);
        const [row] = await sql<{ n: number }>(
          first.context.db,
          `select count(*)::int as n from messages where "from" = $1 and status <> 'delivered'`,
          [sender.number.phone_number],
        );
        return row?.n === 0;
      });
      for (const { to, ids } of threads) {
        const arrived = (await outboxOf(first, to)).map(({ message_id }) => message_id).reverse();
        assert.deepEqual(arrived, ids);
      }
    }),
    { runs: 8 },
  );
});

test('the texts that a dead worker had claimed are sent once and count against the minute', async () => {
  const sender = await makePacedSender(first, 'sole_proprietor');
  const { db } = first.context;
  // A worker of another process claims the lane and dies, once before and once after its round is committed.
  for (const dies of ['before', 'after'] as const) {
    await first.workers.stop();
    await second.workers.stop();
    for (let n = 0; n < 20; n++) await sendText(first, sender.number.id, newPerson());
    await sql(db, `update lanes set run_at = now() where kind = 'campaign'`);
    const claim = { leaseMs: 200, leaseToken: `dead ${dies}` };
    const lanes = await claimLanesOf(db, { kind: CAMPAIGN_LANES, groupId: sender.campaignId, ...claim });
    assert.equal(lanes.length, 1);
    const dying = {
      ...db,
      transaction: async (work: Parameters<typeof db.transaction>[0]) => {
        await db.transaction(async (tx) => {
          await work(tx);
          if (dies === 'before') throw new Error('killed');
        });
        throw new Error('killed');
      },
    } as typeof db;
    const handler = createCampaignLanes({ db: dying });
    await assert.rejects(handler.drain(lanes[0] as (typeof lanes)[0]), /killed/);
    first.workers.start();
    second.workers.start();
    await until('the lane has passed to a living worker', async () => {
      const left = await sql(db, `select 1 from lanes where kind = 'campaign' and lease_token like 'dead%'`);
      return left.length === 0;
    });
  }
  await first.advance(240);
  await until('all of them are handed over', async () => (await waiting()) === 0);
  const seen = await handOversOf(first, sender.number.phone_number);
  assert.equal(seen.length, 40);
  assert.equal(new Set(seen.map(({ id }) => id)).size, 40);
  assert.equal(mostInAMinute(seen.map(({ atMs }) => atMs)), 15);
});

test('a worker that lost its lease hands nothing over', async () => {
  const sender = await makePacedSender(first, 'public_company');
  const { db } = first.context;
  await first.workers.stop();
  await second.workers.stop();
  // More texts than a round reads, so that the round could end without updating the lane.
  await Promise.all(Array.from({ length: 260 }, () => sendText(first, sender.number.id, newPerson())));
  const claim = { leaseMs: 10_000, leaseToken: 'late' };
  const [lane] = await claimLanesOf(db, { kind: CAMPAIGN_LANES, groupId: sender.campaignId, ...claim });
  await sql(db, `update lanes set lease_token = 'another' where lease_token = 'late'`);
  const { drain } = createCampaignLanes({ db });
  await assert.rejects(drain(lane as NonNullable<typeof lane>), { name: 'LeaseLostError' });
  assert.deepEqual(await handOversOf(first, sender.number.phone_number), []);
  await sql(db, `update lanes set lease_token = null, run_at = now() where lease_token = 'another'`);
  first.workers.start();
  second.workers.start();
  await until('a living worker has handed them over', async () => {
    return (await handOversOf(first, sender.number.phone_number)).length === 260;
  });
});

test("a text accepted just after the worker's last read keeps the lane", async () => {
  const sender = await makePacedSender(first, 'public_company');
  const { db } = first.context;
  await first.workers.stop();
  await second.workers.stop();
  const { id } = await sendText(first, sender.number.id, newPerson());
  await sql(db, 'delete from paced_messages where message_id = $1', [id]);
  const claim = { leaseMs: 10_000, leaseToken: 'unlucky' };
  const [lane] = await claimLanesOf(db, { kind: CAMPAIGN_LANES, groupId: sender.campaignId, ...claim });
  const overtaken = {
    ...db,
    transaction: (work: Parameters<typeof db.transaction>[0]) =>
      db.transaction((tx) =>
        work({
          ...tx,
          query: async <Row, Given>(statement: Statement<Given, Row>, values: Given) => {
            const rows = await tx.query(statement, values);
            if (statement.name === 'paced_messages_list') await sendText(first, sender.number.id, newPerson());
            return rows;
          },
        }),
      ),
  } as typeof db;
  await createCampaignLanes({ db: overtaken }).drain(lane as NonNullable<typeof lane>);
  first.workers.start();
  second.workers.start();
  await until('it is handed over', async () => (await waiting()) === 0);
});

test('texts accepted while a lane ends always have a lane', async () => {
  const senders = await Promise.all(Array.from({ length: 4 }, () => makePacedSender(first, 'public_company')));
  // Many short bursts, each sent while the lane of the previous one ends.
  for (let round = 0; round < 60; round++) {
    await Promise.all(
      senders.flatMap(({ number }) => [
        sendOver(first, number.id, newPerson(), `Round ${round}`),
        sendOver(second, number.id, newPerson(), `Round ${round}`),
      ]),
    );
    const orphans = await sql(
      first.context.db,
      `select 1 from paced_messages p where not exists (
         select 1 from lanes l where l.ledger_id = p.ledger_id and l.kind = 'campaign' and l.group_id = p.campaign_id)`,
    );
    assert.deepEqual(orphans, []);
  }
  await until('all of them are handed over', async () => (await waiting()) === 0);
  await until('no lane is left', async () => {
    return (await sql(first.context.db, `select 1 from lanes where kind = 'campaign'`)).length === 0;
  });
});
