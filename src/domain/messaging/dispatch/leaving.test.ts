/** Numbers that are detached from their campaign while their texts wait for its throughput. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { newPerson, read, sendText, trySend } from '../../../../test/support/messages.ts';
import { clearForTexts, fund } from '../../../../test/support/money.ts';
import { buyNumber, findOnSale, makeTenant } from '../../../../test/support/numbers.ts';
import { attach, makePacedSender, setThroughput } from '../../../../test/support/pacing.ts';
import { runLedgerDue } from '../../../test-clock/run-due.ts';

const harness = await useHarness({ startWorkers: false, liveCarrier: ({ simulated }) => simulated });

async function burst(from: string, count: number): Promise<string[]> {
  const sent: string[] = [];
  while (sent.length < count) sent.push((await sendText(harness, from, newPerson())).id);
  return sent;
}

const ends = async (ids: readonly string[]): Promise<string[]> => {
  const all: Json[] = await Promise.all(ids.map((id) => read(harness, `/messages/${id}`)));
  return all.map(({ status, error_code }) => error_code ?? status).sort();
};

test('the texts of a test number are sent, and count against neither the minute nor the day', async () => {
  const { number, campaignId, tenantId } = await makePacedSender(harness, 'sole_proprietor');
  await setThroughput(harness, campaignId, { perMinute: 2, dailyCap: 4 });
  const stays = await buyNumber(harness, tenantId);
  await attach(harness, stays.id, campaignId);
  const first = await burst(number.id, 2);
  await harness.advance(2);
  assert.deepEqual(await ends(first), ['delivered', 'delivered']);
  const staying = await burst(stays.id, 3);
  const leaving = await burst(number.id, 5);
  await attach(harness, number.id, null);
  await harness.advance(63);
  assert.deepEqual(await ends(leaving), Array(5).fill('delivered'));
  assert.deepEqual(await ends(staying), ['daily_cap_exceeded', 'delivered', 'delivered']);
});

test('texts of one conversation are still sent in order', async () => {
  const { number, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  await setThroughput(harness, campaignId, { perMinute: 1, dailyCap: 100 });
  const to = newPerson();
  const bodies = Array.from({ length: 6 }, (_, index) => `Part ${index}`);
  for (const body of bodies) await sendText(harness, number.id, to, body);
  await attach(harness, number.id, null);
  await harness.advance(63);
  const { data } = await read(harness, `/test/outbox?to=${encodeURIComponent(to)}`);
  assert.deepEqual(data.map(({ body }: Json) => body).reverse(), bodies);
});

test('the texts of a live number fail', async () => {
  const key = harness.account.live_key;
  const { ledgerId } = await fund(harness);
  const body = { tenant_id: await makeTenant(harness, key), phone_number: await findOnSale(harness, key) };
  const { id } = (await harness.call('POST', '/v1/phone_numbers', { key, body })).body;
  await clearForTexts(harness, id);
  const sent = await trySend(harness, { from: id, to: newPerson(), body: 'Hi' }, { key });
  assert.equal(sent.status, 201, JSON.stringify(sent.body));
  const left = await harness.call('PATCH', `/v1/phone_numbers/${id}`, { key, body: { campaign_id: null } });
  assert.equal(left.status, 200, JSON.stringify(left.body));
  await runLedgerDue(harness.workers.ledgerWork, ledgerId);
  const { status, error_code } = await read(harness, `/messages/${sent.body.id}`, key);
  assert.deepEqual([status, error_code], ['failed', 'send_failed']);
});
