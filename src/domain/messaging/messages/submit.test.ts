import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { withPort } from '../../../../test/support/carrier-ports.ts';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, sendText, suspend } from '../../../../test/support/messages.ts';
import { buyNumber, eventsOf, useLine } from '../../../../test/support/numbers.ts';
import { sleep } from '../../../../test/support/stepping-time.ts';
import type { OutboundMessage } from '../../../carriers/ports/messaging.ts';
import { advanceLedgerClock } from '../../../test-clock/ledger-clock.ts';

const { harness, tenantId, number } = await useLine({
  startWorkers: false,
  workerSettings: { retryMinMs: 10, leaseMs: 2_000 },
});
afterEach(() => suspend(harness, 'active'));

const get = (id: string): Promise<Json> => read(harness, `/messages/${id}`);
const historyOf = async (id: string) =>
  (await get(id)).status_history.map(({ status }: { status: string }) => status) as string[];
const typesOf = async (id: string) => (await eventsOf(harness, id)).map(({ type }) => type);

async function assertFailed(id: string, reason: string): Promise<void> {
  const message = await get(id);
  assert.deepEqual([message.status, message.error_code], ['failed', reason]);
  const [event, ...more] = await eventsOf(harness, id);
  assert.equal(more.length, 0);
  assert.equal(event?.type, 'message.failed');
  const { failure_reason, ...data } = (event?.data ?? {}) as unknown as Record<string, unknown>;
  assert.equal(failure_reason, reason);
  assert.equal(data['error_code'], reason);
}

/** Returns the texts that were sent to the carrier while `work` ran, whatever the answers. */
async function handedOver(
  answer: (message: OutboundMessage, real: () => Promise<unknown>) => Promise<unknown>,
  work: () => Promise<void>,
): Promise<string[]> {
  const refs: string[] = [];
  await withPort(
    harness,
    'messaging',
    (real) => ({
      ...real,
      send: async (ledger, message) => {
        refs.push(message.ref);
        return (await answer(message, () => real.send(ledger, message))) as { outcome: 'accepted' };
      },
    }),
    work,
  );
  return refs;
}

test('a send whose outcome was not written is looked up, not sent again', async () => {
  const to = newPerson();
  let id = '';
  const refs = await handedOver(
    async (_, send) => {
      const answer = await send();
      // The claim passes to another worker before the outcome is written, as after a crash.
      await sql(
        harness.context.db,
        `update jobs set lease_token = 'other', run_at = now() where kind = 'message.submit'`,
      );
      return answer;
    },
    async () => {
      ({ id } = await sendText(harness, number.id, to));
      await harness.advance(3);
    },
  );
  assert.deepEqual(refs, [id]);
  assert.equal((await outboxOf(harness, to)).length, 1);
  assert.deepEqual(await historyOf(id), ['queued', 'delivered']);
  assert.deepEqual(await typesOf(id), ['message.delivered']);
});

test('an adapter error leaves the outcome unknown: each message of the batch is sent once', async () => {
  const people = Array.from({ length: 6 }, newPerson);
  const ids: string[] = [];
  let thrown = 0;
  const { promise: sentAgain, resolve: again } = Promise.withResolvers<void>();
  let slow = 0;
  const refs = await handedOver(
    async (message, send) => {
      // Still being sent when the adapter throws for the other message.
      if (message.to === people[4] && slow++ === 0) await Promise.race([sentAgain, sleep(300)]);
      else if (message.to === people[4]) again();
      const answer = await send();
      if (message.to !== people[2]) return answer;
      thrown++;
      throw new Error('the answer was not what the adapter expected');
    },
    async () => {
      for (const to of people) ids.push((await sendText(harness, number.id, to)).id);
      await harness.advance(10);
    },
  );
  assert.equal(thrown, 1);
  assert.deepEqual(refs.sort(), ids.sort());
  for (const to of people) assert.equal((await outboxOf(harness, to)).length, 1);
  for (const id of ids) assert.deepEqual(await historyOf(id), ['queued', 'delivered']);
});

test('a send with an unknown outcome that the carrier does not have is sent again, once', async () => {
  const to = newPerson();
  let id = '';
  let asked = 0;
  const refs = await handedOver(
    async (_, send) => (asked++ === 0 ? { outcome: 'unknown' } : send()),
    async () => {
      ({ id } = await sendText(harness, number.id, to));
      await harness.advance(10);
    },
  );
  assert.deepEqual(refs, [id, id]);
  assert.equal((await outboxOf(harness, to)).length, 1);
  assert.equal((await get(id)).status, 'delivered');
});

test('a STOP does not fail a text that the carrier already has', async () => {
  const to = newPerson();
  let id = '';
  await handedOver(
    async (_, send) => {
      await send();
      return { outcome: 'unknown' };
    },
    async () => {
      ({ id } = await sendText(harness, number.id, to));
      await withPort(
        harness,
        'messaging',
        (real) => ({ ...real, findSend: async () => ({ found: 'undecided' }) }),
        async () => {
          await harness.advance(0);
          await arrive(harness, to, number.phone_number, 'STOP');
          await harness.advance(1);
        },
      );
    },
  );
  await harness.advance(10);
  assert.equal((await get(id)).status, 'delivered');
});

test('a rejection fails the message immediately with its reason', async () => {
  let id = '';
  const refs = await handedOver(
    async () => ({ outcome: 'rejected', reason: 'spam_blocked' }),
    async () => {
      ({ id } = await sendText(harness, number.id, newPerson()));
      await harness.advance(0);
    },
  );
  assert.equal(refs.length, 1);
  await assertFailed(id, 'spam_blocked');
});

test('an unavailable carrier is retried, not before its Retry-After', async () => {
  let id = '';
  let times = 0;
  const refs = await handedOver(
    async (_, send) => (times++ < 2 ? { outcome: 'unavailable', retryAfterMs: 30_000 } : send()),
    async () => {
      ({ id } = await sendText(harness, number.id, newPerson()));
      await harness.advance(20);
      assert.equal(times, 1);
      await harness.advance(60);
    },
  );
  assert.equal(refs.length, 3);
  assert.deepEqual(await historyOf(id), ['queued', 'delivered']);
});

test('a text that waits while its recipient opts out is not sent', async () => {
  const to = newPerson();
  const { id } = await sendText(harness, number.id, to);
  await arrive(harness, to, number.phone_number, 'STOP');
  await harness.advance(5);
  await assertFailed(id, 'recipient_opted_out');
  const texts = await outboxOf(harness, to);
  assert.ok(texts.every((text) => text.message_id !== id));
  assert.equal(texts.length, 1, 'only the confirmation arrives');
});

test('a text that waits while its number is released is not sent', async () => {
  const own = await buyNumber(harness, tenantId);
  const to = newPerson();
  const { id } = await sendText(harness, own.id, to);
  await harness.call('DELETE', `/v1/phone_numbers/${own.id}`);
  await harness.advance(5);
  await assertFailed(id, 'send_failed');
  assert.deepEqual(await outboxOf(harness, to), []);
});

test("a suspended account's queued texts fail; a STOP is still applied and confirmed", async () => {
  const magic = '+15005550002';
  const out = await sendText(harness, number.id, magic);
  await harness.advance(0);
  const late = await sendText(harness, number.id, newPerson());
  await suspend(harness, 'suspended');
  const { context, workers } = harness;
  const ledgerId = await testLedger(harness);
  // The account's keys are refused, so the clock is moved without the API.
  await advanceLedgerClock({ db: context.db, log: context.log, workers, ledgerId, advanceMs: 5_000 });
  assert.equal(await statusInDatabase(out.id), 'delivered');
  assert.equal(await statusInDatabase(late.id), 'failed');
  const optOuts = await sql(context.db, 'select source from opt_outs where external_number = $1', [magic]);
  assert.deepEqual(optOuts, [{ source: 'stop_keyword' }]);
  const confirmed = `select status from messages where "to" = $1 and origin = 'confirmation'`;
  assert.deepEqual(await sql(context.db, confirmed, [magic]), [{ status: 'delivered' }]);
});

async function statusInDatabase(id: string): Promise<string | undefined> {
  const [row] = await sql<{ status: string }>(harness.context.db, 'select status from messages where id = $1', [id]);
  return row?.status;
}

test('a final status stays, whatever is reported later', async () => {
  const { id } = await sendText(harness, number.id, newPerson());
  const force = async (body: object) => {
    const reply = await harness.call('POST', `/v1/test/messages/${id}/receipt`, { body });
    assert.equal(reply.status, 200, JSON.stringify(reply.body));
    return reply.body;
  };
  await force({ status: 'sent' });
  await force({ status: 'sent' });
  assert.equal((await force({ status: 'failed', failure_reason: 'unreachable' })).error_code, 'unreachable');
  const ended = await get(id);
  for (const body of [{ status: 'delivered' }, { status: 'sent' }, { status: 'failed', failure_reason: 'expired' }]) {
    assert.deepEqual(await force(body), ended);
  }
  await harness.advance(5);
  assert.deepEqual(await get(id), ended);
  assert.deepEqual(await historyOf(id), ['queued', 'sent', 'failed']);
  assert.deepEqual(await typesOf(id), ['message.sent', 'message.failed']);
});

test('a forced failure without a reason is carrier_rejected', async () => {
  const { id } = await sendText(harness, number.id, newPerson());
  await harness.call('POST', `/v1/test/messages/${id}/receipt`, { body: { status: 'failed' } });
  await assertFailed(id, 'carrier_rejected');
  const missing = await harness.call('POST', '/v1/test/messages/msg_x/receipt', { body: { status: 'sent' } });
  assert.deepEqual([missing.status, missing.body.error.code], [404, 'message_not_found']);
});
