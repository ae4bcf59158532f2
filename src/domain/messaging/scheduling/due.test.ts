/** The checks that run again when a scheduled text is due. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCampaign } from '../../../../test/support/compliance.ts';
import type { Json } from '../../../../test/support/events.ts';
import { sql, until } from '../../../../test/support/jobs.ts';
import { newPerson, read, trySend } from '../../../../test/support/messages.ts';
import { ledgerOf, useLiveLine } from '../../../../test/support/money.ts';
import { makeLine } from '../../../../test/support/numbers.ts';
import { now } from '../../../lib/time/time.ts';
import { updateAccountStatus } from '../../accounts/index.ts';

const { harness, key, from } = await useLiveLine();
const live = await ledgerOf(harness, 'live');
const { db } = harness.context;

/** Schedules a text of the test ledger for an hour from now. */
async function schedule(number: string): Promise<Json> {
  const { now } = await read(harness, '/test/clock');
  const send_at = new Date(Date.parse(now) + 3_600_000).toISOString();
  const reply = await trySend(harness, { from: number, to: newPerson(), body: 'Later', send_at });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

async function endOf(text: Json): Promise<[string, string | null]> {
  await harness.advance(2 * 3_600);
  const { status, error_code } = await read(harness, `/messages/${text.id}`);
  return [status, error_code];
}

test('a text from a number that was released meanwhile fails', async () => {
  const { number } = await makeLine(harness);
  const text = await schedule(number.id);
  assert.equal((await harness.call('DELETE', `/v1/phone_numbers/${number.id}`)).body.status, 'released');
  assert.deepEqual(await endOf(text), ['failed', 'send_failed']);
});

test('a text of an account that was suspended meanwhile fails', async () => {
  const { number } = await makeLine(harness);
  const text = await schedule(number.id);
  await updateAccountStatus(db, harness.account.id, 'suspended');
  await sql(db, `update jobs set run_at = now() where kind = 'message.release' and payload ->> 'send_at' is not null`);
  await until('the text has failed', async () => {
    const [row] = await sql<{ status: string }>(db, 'select status from messages where id = $1', [text.id]);
    return row?.status === 'failed';
  });
  await updateAccountStatus(db, harness.account.id, 'active');
  assert.equal((await read(harness, `/messages/${text.id}`)).error_code, 'send_failed');
});

test('a text under a campaign that was suspended meanwhile fails; under an approved one it is paced', async () => {
  const { tenantId, number } = await makeLine(harness);
  const campaign = await makeCampaign(harness, tenantId);
  const path = `/v1/phone_numbers/${number.id}`;
  assert.equal((await harness.call('PATCH', path, { body: { campaign_id: campaign.id } })).status, 200);
  assert.deepEqual(await endOf(await schedule(number.id)), ['delivered', null]);
  const text = await schedule(number.id);
  await sql(db, `update campaigns set status = 'suspended' where id = $1`, [campaign.id]);
  assert.deepEqual(await endOf(text), ['failed', 'campaign_suspended']);
});

test('a live text without balance fails when it is due, and is not charged', async () => {
  const send_at = new Date(now() + 3_600_000).toISOString();
  const scheduled = async () => {
    const reply = await trySend(harness, { from, to: newPerson(), body: 'Later', send_at }, { key });
    assert.equal(reply.status, 201, JSON.stringify(reply.body));
    return reply.body.id as string;
  };
  const text = await scheduled();
  const { amount } = (
    await sql<{ amount: string }>(db, 'select amount_micros::text as amount from balances where ledger_id = $1', [
      live.ledgerId,
    ])
  )[0] ?? { amount: '0' };
  await sql(db, 'update balances set amount_micros = 0 where ledger_id = $1', [live.ledgerId]);
  // Simulates that its time has come.
  await sql(db, `update jobs set run_at = now() where ledger_id = $1 and kind = 'message.release'`, [live.ledgerId]);
  await until('the text has failed', async () => (await read(harness, `/messages/${text}`, key)).status === 'failed');
  assert.equal((await read(harness, `/messages/${text}`, key)).error_code, 'insufficient_balance');
  const charged = await sql(db, 'select 1 from usage_entries where reference = $1', [text]);
  assert.deepEqual(charged, []);
  await sql(db, 'update balances set amount_micros = $2 where ledger_id = $1', [live.ledgerId, amount]);
});

test('a live text goes over the connection that its number has when it is due', async () => {
  const send_at = new Date(now() + 3_600_000).toISOString();
  const reply = await trySend(harness, { from, to: newPerson(), body: 'Later', send_at }, { key });
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  const { id } = reply.body;
  // Simulates that the number was at another connection when the text was scheduled.
  await sql(db, `update messages set connection_id = 'ccn_before' where id = $1`, [id]);
  await sql(db, `update jobs set run_at = now() where ledger_id = $1 and kind = 'message.release'`, [live.ledgerId]);
  await until(
    'the text is delivered',
    async () => (await read(harness, `/messages/${id}`, key)).status === 'delivered',
  );
});
