/** The throughputs that test campaigns are granted. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, sendText } from '../../../../test/support/messages.ts';
import { buyNumber } from '../../../../test/support/numbers.ts';
import {
  attach,
  handOversOf,
  makePacedSender,
  mostInAMinute,
  usePacingHarness,
} from '../../../../test/support/pacing.ts';
import { pacificDay } from './rules.ts';

const harness = await usePacingHarness();

const TABLE = [
  ['sole_proprietor', 15, 1_000],
  ['private_company', 240, 2_000],
  ['non_profit', 240, 2_000],
  ['public_company', 4_500, 200_000],
] as const;

/** Sets the number of segments that the campaign has sent today. */
async function haveSent(campaignId: string, segments: number): Promise<void> {
  const day = pacificDay(new Date((await harness.call('GET', '/v1/test/clock')).body.now));
  await sql(
    harness.context.db,
    `insert into campaign_days (ledger_id, campaign_id, day, segments)
     select ledger_id, id, $2::date, $3 from campaigns where id = $1`,
    [campaignId, day, segments],
  );
}

for (const [entityType, perMinute, dailyCap] of TABLE) {
  test(`a ${entityType} campaign is granted ${perMinute} a minute and ${dailyCap} a day, and the last segment of the day is sent`, async () => {
    const { number, campaignId } = await makePacedSender(harness, entityType);
    const { throughput } = await read(harness, `/campaigns/${campaignId}`);
    assert.deepEqual(throughput, { messages_per_minute: perMinute, daily_cap: dailyCap });
    await haveSent(campaignId, dailyCap - 2);
    const sent = [];
    for (const body of ['x'.repeat(200), 'Hi', 'x'.repeat(200)]) {
      sent.push(await sendText(harness, number.id, newPerson(), body));
    }
    await harness.advance(3);
    const ends = await Promise.all(sent.map(({ id }) => read(harness, `/messages/${id}`)));
    assert.deepEqual(
      ends.map(({ status, error_code }) => error_code ?? status),
      ['delivered', 'daily_cap_exceeded', 'daily_cap_exceeded'],
    );
  });
}

test('a public_company campaign sends 4500 texts in a minute, and the rest in the next one', async () => {
  const { number } = await makePacedSender(harness, 'public_company');
  let left = 4_600;
  const sendOn = async () => {
    for (; left > 0; ) {
      left -= 1;
      await sendText(harness, number.id, newPerson());
    }
  };
  await Promise.all(Array.from({ length: 32 }, sendOn));
  // On a slow machine one advance ends before 4,500 texts are handed over.
  const handedOver = async () => (await handOversOf(harness, number.phone_number)).length;
  for (let second = 0; second < 30 && (await handedOver()) < 4_500; second++) await harness.advance(1);
  for (let half = 0; half < 10 && (await handedOver()) < 4_600; half++) await harness.advance(30);
  const seen = await handOversOf(harness, number.phone_number);
  assert.equal(seen.length, 4_600);
  assert.equal(mostInAMinute(seen.map(({ atMs }) => atMs)), 4_500);
});

test('the waiting texts of a suspended number do not count against the minute', async () => {
  const { number, tenantId, campaignId } = await makePacedSender(harness, 'sole_proprietor');
  const other = await buyNumber(harness, tenantId);
  await attach(harness, other.id, campaignId);
  const held = [];
  for (let n = 0; n < 15; n++) held.push(await sendText(harness, number.id, newPerson()));
  const { id } = await sendText(harness, other.id, newPerson());
  await sql(harness.context.db, `update phone_numbers set status = 'suspended' where id = $1`, [number.id]);
  await harness.advance(3);
  assert.equal((await read(harness, `/messages/${id}`)).status, 'delivered');
  assert.deepEqual(await handOversOf(harness, number.phone_number), []);
  for (const each of held) assert.equal((await read(harness, `/messages/${each.id}`)).error_code, 'send_failed');
});
