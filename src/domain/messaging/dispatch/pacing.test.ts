import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCampaign } from '../../../../test/support/compliance.ts';
import { type Json, testLedger } from '../../../../test/support/events.ts';
import { keepOpen, sql } from '../../../../test/support/jobs.ts';
import { arrive, newPerson, outboxOf, read, sendText, suspend, trySend } from '../../../../test/support/messages.ts';
import { buyNumber, eventsOf } from '../../../../test/support/numbers.ts';
import {
  attach,
  handOversOf,
  makePacedSender,
  mostInAMinute,
  setThroughput,
  usePacingHarness,
} from '../../../../test/support/pacing.ts';
import { skippedBy, sleep } from '../../../../test/support/stepping-time.ts';
import { advanceLedgerClock } from '../../../test-clock/ledger-clock.ts';
import { countPacedMessages } from './queries.ts';

const harness = await usePacingHarness();

async function burst(from: string, count: number): Promise<Json[]> {
  const sent: Json[] = [];
  while (sent.length < count) {
    const wanted = Math.min(25, count - sent.length);
    sent.push(...(await Promise.all(Array.from({ length: wanted }, () => sendText(harness, from, newPerson())))));
  }
  return sent;
}

async function statusesOf(from: string): Promise<Record<string, number>> {
  const rows = await sql<{ state: string; count: number }>(
    harness.context.db,
    `select coalesce(error_code, status) as state, count(*)::int as count from messages
     where "from" = $1 and direction = 'outbound' group by 1`,
    [from],
  );
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
}

async function assertFailed(id: string, reason: string): Promise<void> {
  const message = await read(harness, `/messages/${id}`);
  assert.deepEqual([message.status, message.error_code], ['failed', reason]);
  const events = await eventsOf(harness, id);
  assert.deepEqual(
    events.map(({ type }) => type),
    ['message.failed'],
  );
  const { failure_reason } = (events[0]?.data ?? {}) as unknown as Json;
  assert.equal(failure_reason, reason);
}

async function ledgerNowMs(): Promise<number> {
  const reply = await harness.call('GET', '/v1/test/clock');
  return Date.parse(reply.body.now);
}

const untouched = async () =>
  (await sql<{ n: number }>(harness.context.db, 'select count(*)::int as n from paced_messages'))[0]?.n;

for (const [entityType, perMinute] of [
  ['sole_proprietor', 15],
  ['private_company', 240],
  ['non_profit', 240],
] as const) {
  test(`a ${entityType} campaign sends ${perMinute} texts a minute, oldest first, until all are sent`, async () => {
    const { number } = await makePacedSender(harness, entityType);
    const sent = await burst(number.id, perMinute * 2 + 3);
    await harness.advance(2);
    assert.equal((await statusesOf(number.phone_number))['delivered'], perMinute);
    await harness.advance(180);
    assert.deepEqual(await statusesOf(number.phone_number), { delivered: sent.length });
    const seen = await handOversOf(harness, number.phone_number);
    assert.equal(mostInAMinute(seen.map(({ atMs }) => atMs)), perMinute);
    assert.deepEqual(
      seen.map(({ id }) => id),
      sent.map(({ id }) => id).sort(),
    );
    assert.equal(await untouched(), 0);
  });
}

test('one move of the clock covers an hour of pacing within seconds', async () => {
  const { number, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  await burst(number.id, 600);
  assert.ok((await skippedBy(harness.advance(3_600))) < 20_000);
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 600 });
  assert.equal(mostInAMinute((await handOversOf(harness, number.phone_number)).map(({ atMs }) => atMs)), 15);
  const left = await sql(harness.context.db, 'select 1 from lanes where group_id = $1', [campaignId]);
  assert.deepEqual(left, []);
});

test('a move of the clock waits for a slow round and for the jobs that follow it', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  const { id } = await sendText(harness, number.id, newPerson());
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  // Longer than the clock waits for webhook lanes.
  const slow = harness.context.db.transaction(async (tx) => {
    await keepOpen(tx);
    await tx.query({ name: '', text: 'lock table campaign_days in exclusive mode' }, []);
    isLocked();
    await sleep(4_000);
  });
  await locked;
  await harness.advance(2);
  assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
  await slow;
});

test('texts of one conversation reach the handset in the order in which they were sent', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  const to = newPerson();
  const bodies = Array.from({ length: 20 }, (_, index) => `Part ${index}`);
  for (const body of bodies) await sendText(harness, number.id, to, body);
  await harness.advance(90);
  const arrived = (await outboxOf(harness, to)).map(({ body }) => body).reverse();
  assert.deepEqual(arrived, bodies);
});

test('a text waits while the previous text of its conversation is being retried; texts to others do not', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  const refused = '+15005550009';
  const first = await sendText(harness, number.id, refused);
  const second = await sendText(harness, number.id, refused);
  const other = await sendText(harness, number.id, newPerson());
  await harness.advance(1.5);
  assert.equal((await read(harness, `/messages/${other.id}`)).status, 'delivered');
  await harness.advance(30);
  await assertFailed(first.id, 'send_failed');
  await assertFailed(second.id, 'send_failed');
  const [one, two] = [await read(harness, `/messages/${first.id}`), await read(harness, `/messages/${second.id}`)];
  const seen = await handOversOf(harness, number.phone_number);
  assert.ok((seen.find(({ id }) => id === two.id)?.atMs ?? 0) >= Date.parse(one.status_history.at(-1).at));
});

test('a text waits while the previous text of its conversation is in a batch that is not submitted yet', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  const to = newPerson();
  const first = await sendText(harness, number.id, to);
  await harness.advance(1.5);
  const setStatus = (status: string) =>
    sql(harness.context.db, 'update messages set status = $2 where id = $1', [first.id, status]);
  await setStatus('queued');
  await sql(
    harness.context.db,
    `insert into jobs (ledger_id, id, queue, kind, payload, run_at)
     select ledger_id, 'message.submit_batch:' || $2 || ':msg_0', 'messaging', 'message.submit_batch',
       json_build_object('message_ids', json_build_array('msg_0', id)), 'infinity' from messages where id = $1`,
    [first.id, number.id],
  );
  const second = await sendText(harness, number.id, to);
  const other = await sendText(harness, number.id, newPerson());
  await harness.advance(1.5);
  assert.equal((await read(harness, `/messages/${other.id}`)).status, 'delivered');
  assert.equal((await read(harness, `/messages/${second.id}`)).status, 'queued');
  // The carrier has the first text, and the batch still waits for a slow answer to another text.
  await setStatus('sent');
  await harness.advance(1.5);
  assert.equal((await read(harness, `/messages/${second.id}`)).status, 'delivered');
  await sql(harness.context.db, `delete from jobs where id like '%:msg_0'`);
});

test('a job submits at most 32 of the texts that are handed over together', async () => {
  const { db } = harness.context;
  const { number } = await makePacedSender(harness, 'public_company');
  await sql(db, 'create table batches (texts int)');
  await sql(
    db,
    `create function keep_size() returns trigger language plpgsql as $$ begin
       insert into batches values (json_array_length(new.payload -> 'message_ids'));
       return null;
     end $$`,
  );
  await sql(
    db,
    `create trigger sizes after insert on jobs for each row when (new.kind = 'message.submit_batch')
     execute function keep_size()`,
  );
  await db.transaction(async (tx) => {
    await tx.query({ name: '', text: 'lock table campaign_days in exclusive mode' }, []);
    await burst(number.id, 100);
  });
  await harness.advance(2);
  await sql(db, 'drop trigger sizes on jobs');
  const sizes = (await sql<{ texts: number }>(db, 'select texts from batches')).map(({ texts }) => texts);
  assert.ok(
    sizes.some((texts) => texts > 8),
    'many texts were handed over together',
  );
  assert.deepEqual(
    sizes.filter((texts) => texts > 32),
    [],
  );
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 100 });
});

test('a STOP while a text waits fails the text, and is confirmed within the same limits', async () => {
  const { number, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  await setThroughput(harness, campaignId, { perMinute: 2, dailyCap: 100 });
  await burst(number.id, 2);
  const to = newPerson();
  const { id } = await sendText(harness, number.id, to);
  await harness.advance(1);
  await arrive(harness, to, number.phone_number, 'STOP');
  await harness.advance(30);
  assert.deepEqual(await outboxOf(harness, to), []);
  await harness.advance(60);
  await assertFailed(id, 'recipient_opted_out');
  const texts = await outboxOf(harness, to);
  assert.equal(texts.length, 1, 'only the confirmation arrives');
  assert.notEqual(texts[0]?.message_id, id);
});

test('a text that has waited four hours fails as expired', async () => {
  const { number, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  await setThroughput(harness, campaignId, { perMinute: 1, dailyCap: 1_000 });
  const sent = await burst(number.id, 260);
  await harness.advance(4 * 3_600 + 5);
  const { delivered = 0, expired = 0, ...others } = await statusesOf(number.phone_number);
  assert.deepEqual(others, {});
  assert.equal(delivered + expired, 260);
  assert.ok(delivered >= 238 && delivered <= 240, `${delivered} in four hours at one a minute`);
  await assertFailed(
    sent
      .map(({ id }) => id)
      .sort()
      .at(-1),
    'expired',
  );
});

/** Returns the time, in Pacific time, of the next end of daylight saving: the first Sunday of November. */
function endOfSaving(nowMs: number): number {
  const year = new Date(nowMs).getUTCFullYear();
  const ends = [year, year + 1].map((each) => {
    const firstWeekday = new Date(Date.UTC(each, 10, 1)).getUTCDay();
    return Date.UTC(each, 10, 2 + ((7 - firstWeekday) % 7), 8);
  });
  return ends.find((endMs) => endMs - 60_000 > nowMs) ?? assert.fail();
}

test('the daily cap counts segments, a picture counts as one, and the count restarts at Pacific midnight', async () => {
  const { number, campaignId } = await makePacedSender(harness, 'private_company');
  await setThroughput(harness, campaignId, { perMinute: 240, dailyCap: 5 });
  // Moves the clock to just before midnight in Pacific time, on the day that daylight saving ends.
  const untilMs = endOfSaving(await ledgerNowMs()) - 30_000 - (await ledgerNowMs());
  await harness.advance(untilMs / 1000);
  const long = await sendText(harness, number.id, newPerson(), 'x'.repeat(400));
  await harness.advance(2);
  const picture = await trySend(harness, {
    from: number.id,
    to: newPerson(),
    body: 'x'.repeat(400),
    media_urls: ['https://pictures.example/a.png'],
  });
  const fits = await sendText(harness, number.id, newPerson());
  await harness.advance(3);
  const over = await sendText(harness, number.id, newPerson());
  await harness.advance(3);
  for (const { id } of [long, picture.body, fits])
    assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
  await assertFailed(over.id, 'daily_cap_exceeded');
  await harness.advance(30);
  const next = await sendText(harness, number.id, newPerson(), 'x'.repeat(400));
  await harness.advance(3);
  assert.equal((await read(harness, `/messages/${next.id}`)).status, 'delivered');
});

test('a number that is released while texts wait sends none of them', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  const sent = await burst(number.id, 17);
  await harness.advance(2);
  await harness.call('DELETE', `/v1/phone_numbers/${number.id}`);
  await harness.advance(120);
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 15, send_failed: 2 });
  await assertFailed(
    sent
      .map(({ id }) => id)
      .sort()
      .at(-1),
    'send_failed',
  );
});

test('a number that is put under another campaign while texts wait sends none of them', async () => {
  const { number, tenantId } = await makePacedSender(harness, 'sole_proprietor');
  await burst(number.id, 17);
  await harness.advance(2);
  await attach(harness, number.id, (await makeCampaign(harness, tenantId)).id);
  await harness.advance(120);
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 15, send_failed: 2 });
});

test('a campaign that is suspended while texts wait sends none of them', async () => {
  const { number, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  await burst(number.id, 17);
  await harness.advance(2);
  const reply = await harness.call('POST', `/v1/test/campaigns/${campaignId}/review`, {
    body: { result: 'suspended', reason: 'Complaints.' },
  });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  await harness.advance(120);
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 15, campaign_suspended: 2 });
});

test('a text that is being retried when its campaign is suspended is not sent again', async () => {
  const { number, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  const { id } = await sendText(harness, number.id, '+15005550009');
  await harness.advance(0.4);
  const body = { result: 'suspended' };
  assert.equal((await harness.call('POST', `/v1/test/campaigns/${campaignId}/review`, { body })).status, 200);
  await harness.advance(30);
  await assertFailed(id, 'campaign_suspended');
  const [event] = (await read(harness, `/events?resource_id=${id}&type=message.failed`)).data;
  assert.equal(event.data.failure_reason, 'campaign_suspended');
});

test('an account that is suspended while texts wait sends none of them', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  await burst(number.id, 17);
  await harness.advance(2);
  await suspend(harness, 'suspended');
  try {
    const { context, workers } = harness;
    const ledgerId = await testLedger(harness);
    await advanceLedgerClock({ db: context.db, log: context.log, workers, ledgerId, advanceMs: 120_000 });
  } finally {
    await suspend(harness, 'active');
  }
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 15, send_failed: 2 });
  assert.equal((await handOversOf(harness, number.phone_number)).length, 15, 'none of them counted');
});

test('a test number without a campaign is not paced', async () => {
  const { tenantId } = await makePacedSender(harness, 'sole_proprietor');
  const number = await buyNumber(harness, tenantId);
  await burst(number.id, 40);
  await harness.advance(2);
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 40 });
});

test('a forced receipt ends a waiting text', async () => {
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  const sent = await burst(number.id, 16);
  await harness.advance(2);
  const last = sent
    .map(({ id }) => id)
    .sort()
    .at(-1);
  await harness.call('POST', `/v1/test/messages/${last}/receipt`, { body: { status: 'failed' } });
  await harness.advance(120);
  assert.deepEqual(await statusesOf(number.phone_number), { delivered: 15, carrier_rejected: 1 });
  assert.equal(await untouched(), 0);
});

test('the texts that wait are counted, for the metrics', async () => {
  const waiting = async () => {
    const counts = await countPacedMessages(harness.context.db);
    return Object.fromEntries(counts.map(({ state, messages }) => [state, messages]));
  };
  const { number } = await makePacedSender(harness, 'sole_proprietor');
  await burst(number.id, 20);
  await harness.advance(2);
  assert.deepEqual(await waiting(), { resting: 5, due: 0 });
  await harness.advance(120);
  assert.deepEqual(await waiting(), { resting: 0, due: 0 });
});
