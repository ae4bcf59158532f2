import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { testLedger } from '../../../../test/support/events.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { newPerson, outboxOf, read } from '../../../../test/support/messages.ts';
import { useLine } from '../../../../test/support/numbers.ts';
import type { MessagingPort } from '../../../carriers/ports/messaging.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { checkDraft } from './draft.ts';
import { insertSends } from './send-queries.ts';

const { harness, number } = await useLine({
  startWorkers: false,
  workerSettings: { retryMinMs: 10, leaseMs: 2_000 },
});
const { db } = harness.context;

/** Sends a text to each of the people with one statement. Returns the recipients by the ids of the texts. */
async function sendTogether(people: readonly string[]): Promise<Map<string, string>> {
  const ledgerId = await testLedger(harness);
  const scope = { ledgerId, tenantId: null } as Scope;
  const sends = people.map((to) => ({
    ...{ scope, messageId: newId('message'), conversationId: newId('conversation') },
    draft: checkDraft({ from: number.id, to, body: 'Hello' }),
    ...{ idempotency: undefined, traceparent: null },
  }));
  await insertSends(db, sends);
  const [job, ...more] = await sql<{ kind: string }>(db, `select kind from jobs where queue = 'messaging'`);
  assert.deepEqual([job?.kind, more], ['message.submit_batch', []]);
  return new Map(sends.map(({ messageId, draft }) => [messageId, draft.to]));
}

type Send = MessagingPort['send'];

/** Runs `work` with another `send`. Returns the ids of the texts in the order of their arrival at the carrier. */
async function carrying(send: (real: Send) => Send, work: () => Promise<void>): Promise<string[]> {
  const refs: string[] = [];
  const replaced = (real: MessagingPort): MessagingPort => ({
    findSend: (ledger, ref) => real.findSend(ledger, ref),
    send: (ledger, message) => {
      refs.push(message.ref);
      return send((...text) => real.send(...text))(ledger, message);
    },
  });
  await withPort(harness, 'messaging', replaced, work);
  return refs;
}

const historyOf = async (id: string): Promise<string[]> =>
  (await read(harness, `/messages/${id}`)).status_history.map(({ status }: { status: string }) => status);

async function assertDeliveredOnce(texts: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, to] of texts) {
    assert.deepEqual(await historyOf(id), ['queued', 'delivered']);
    assert.equal((await outboxOf(harness, to)).length, 1);
    const used = await sql(db, 'select 1 from usage_entries where reference = $1', [id]);
    assert.equal(used.length, 1);
  }
  assert.deepEqual(await sql(db, `select id from jobs where queue = 'messaging'`), []);
}

test('texts that a number sends together share a job, and reach the carrier in its order', async () => {
  const texts = await sendTogether(Array.from({ length: 24 }, newPerson));
  const refs = await carrying(
    (real) => real,
    () => harness.advance(3).then(() => undefined),
  );
  assert.deepEqual(refs, [...texts.keys()]);
  await assertDeliveredOnce(texts);
});

test('a text that its carrier refuses for the moment is submitted again alone; the others are not', async () => {
  const people = Array.from({ length: 12 }, newPerson);
  const texts = await sendTogether(people);
  let refused = 0;
  const refs = await carrying(
    (real) => async (ledger, message) => {
      if (message.to === people[7] && refused++ < 2) return { outcome: 'unavailable' };
      return await real(ledger, message);
    },
    () => harness.advance(10).then(() => undefined),
  );
  assert.equal(refs.length, 14);
  await assertDeliveredOnce(texts);
});

test('a batch whose claim is lost before its outcomes are written sends none of its texts twice', async () => {
  const texts = await sendTogether(Array.from({ length: 12 }, newPerson));
  let lost = false;
  const refs = await carrying(
    (real) => async (ledger, message) => {
      const answer = await real(ledger, message);
      if (!lost) {
        lost = true;
        // The claims pass to another worker, as after a crash.
        await sql(db, `update jobs set lease_token = 'other', run_at = now() where kind like 'message.submit%'`);
      }
      return answer;
    },
    () => harness.advance(5).then(() => undefined),
  );
  assert.deepEqual(refs, [...texts.keys()]);
  await assertDeliveredOnce(texts);
});

test('a text whose answer is slow delays no other of its batch; a run that lost its claim fails no text, and its repeat leaves out those with jobs of their own', async () => {
  const texts = await sendTogether(Array.from({ length: 12 }, newPerson));
  const [slow, doubtful] = [...texts.keys()].slice(-2);
  const concluded = () =>
    sql(
      db,
      `select reference from usage_entries where reference = any($1)
       union all select id from jobs where id = 'message.submit:' || $2`,
      [[...texts.keys()], doubtful],
    );
  const refs = await carrying(
    (real) => async (ledger, message) => {
      if (message.ref === doubtful) return { outcome: 'unknown' };
      const answer = await real(ledger, message);
      if (message.ref !== slow) return answer;
      await until('all but this text are concluded', async () => (await concluded()).length === texts.size - 1);
      await sql(db, `update jobs set lease_token = 'other', run_at = now() where kind = 'message.submit_batch'`);
      return { outcome: 'rejected', reason: 'carrier_rejected' };
    },
    () => harness.advance(0).then(() => undefined),
  );
  assert.deepEqual(refs, [...texts.keys()]);
  await harness.advance(10);
  await assertDeliveredOnce(texts);
});
