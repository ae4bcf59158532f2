/** A carrier that hangs delays only the texts that it hangs on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { sql, until, untilRenewed } from '../../../../test/support/jobs.ts';
import { newPerson, sendText, trySend } from '../../../../test/support/messages.ts';
import { useLiveLine } from '../../../../test/support/money.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import type { MessagingPort } from '../../../carriers/ports/messaging.ts';

const HUNG = 64;

const LEASE_MS = 5_000;

const { harness, key, from } = await useLiveLine({ workerSettings: { leaseMs: LEASE_MS } });
const { number } = await makeLine(harness);
const { db } = harness.context;

async function sendLive(to: string): Promise<string> {
  const reply = await trySend(harness, { from, to, body: 'Hi' }, { key });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body.id;
}

async function statusesOf(ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ status: string }>(db, 'select distinct status from messages where id = any($1)', [ids]);
  return rows.map(({ status }) => status);
}

/** Returns a port that keeps the replies of the sends to `people` until they are released. */
function holding(real: MessagingPort, people: ReadonlySet<string>) {
  const held: (() => void)[] = [];
  const port: MessagingPort = {
    findSend: (ledger, ref) => real.findSend(ledger, ref),
    send: async (ledger, message) => {
      if (people.has(message.to)) await new Promise<void>((resolve) => held.push(resolve));
      return real.send(ledger, message);
    },
  };
  return { port, held };
}

test('while 64 texts hang, later ones of their campaign and those of test mode are delivered', async () => {
  const people = new Set(Array.from({ length: HUNG }, newPerson));
  let held: (() => void)[] = [];
  const replaced = (real: MessagingPort) => {
    const holder = holding(real, people);
    held = holder.held;
    return holder.port;
  };
  await withPort(harness, 'messaging', replaced, async () => {
    const hung: string[] = [];
    const others: string[] = [];
    // Mixed, so that claims have both.
    for (const person of people) {
      hung.push(await sendLive(person));
      others.push(await sendLive(newPerson()), (await sendText(harness, number.id, newPerson())).id);
    }
    await until('64 sends hang', () => held.length === HUNG);
    await until('the others are delivered', async () => (await statusesOf(others)).join() === 'delivered', 30_000);
    others.push(await sendLive(newPerson()), (await sendText(harness, number.id, newPerson())).id);
    await until('later ones are delivered', async () => (await statusesOf(others)).join() === 'delivered');
    await untilRenewed(db, 'jobs', LEASE_MS);
    assert.deepEqual(await statusesOf(hung), ['queued']);
    const claims = await sql<{ attempts: number; is_claimed: boolean }>(
      db,
      `select distinct attempts, lease_token is not null and run_at > clock_timestamp() as is_claimed
       from jobs j where kind like 'message.submit%' and exists (
         select 1 from unnest($1::text[]) as t (id)
         where j.id = 'message.submit:' || t.id or strpos(j.payload::text, '"' || t.id || '"') > 0)`,
      [hung],
    );
    assert.deepEqual(claims, [{ attempts: 1, is_claimed: true }], 'their claims are renewed');
    held.pop()?.();
    await until('one is concluded', async () => (await statusesOf(hung)).length === 2);
    for (const release of held) release();
    await until('all are delivered', async () => (await statusesOf(hung)).join() === 'delivered');
    const charges = () =>
      sql(
        db,
        `select 1 from usage_entries where reference = any($1)
         union all select 1 from usage_archive where reference = any($1)`,
        [hung],
      );
    await until('each is charged', async () => (await charges()).length === HUNG);
    assert.equal(held.length, HUNG - 1, 'each was sent once');
  });
});

test('a text that finds too many requests in progress waits its turn, however often', async () => {
  let refused = 0;
  const refusing = (real: MessagingPort): MessagingPort => ({
    findSend: (ledger, ref) => real.findSend(ledger, ref),
    send: async (ledger, message) => {
      if (refused++ < 8) return { outcome: 'unavailable', retryAfterMs: 5, cause: 'busy' };
      return real.send(ledger, message);
    },
  });
  await withPort(harness, 'messaging', refusing, async () => {
    const { id } = await sendText(harness, number.id, newPerson());
    await until('it is delivered', async () => (await statusesOf([id])).join() === 'delivered');
  });
  assert.equal(refused, 9);
});
