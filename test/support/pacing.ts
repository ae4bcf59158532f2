import assert from 'node:assert/strict';
import { makeBrand, makeCampaign } from './compliance.ts';
import type { Json } from './events.ts';
import { type Harness, useHarness } from './harness.ts';
import { sql } from './jobs.ts';
import { buyNumber, makeTenant } from './numbers.ts';

export type PacedSender = { tenantId: string; campaignId: string; number: { id: string; phone_number: string } };

/** Creates a tenant with a number under an approved campaign. The campaign's brand has this entity type. */
export async function makePacedSender(harness: Harness, entityType: string): Promise<PacedSender> {
  const tenantId = await makeTenant(harness);
  const brand = await makeBrand(harness, { body: { entity_type: entityType } });
  const campaign = await makeCampaign(harness, tenantId, { body: { brand_id: brand.id } });
  const number = await buyNumber(harness, tenantId);
  await attach(harness, number.id, campaign.id);
  return { tenantId, campaignId: campaign.id, number };
}

/** Attaches a number to a campaign, or detaches it with null. */
export async function attach(harness: Harness, numberId: string, campaignId: string | null): Promise<Json> {
  const reply = await harness.call('PATCH', `/v1/phone_numbers/${numberId}`, { body: { campaign_id: campaignId } });
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  return reply.body;
}

/** Sets the throughput of a campaign. */
export async function setThroughput(
  harness: Harness,
  campaignId: string,
  { perMinute, dailyCap }: { perMinute: number; dailyCap: number },
): Promise<void> {
  const text = 'update campaigns set messages_per_minute = $2, daily_cap = $3 where id = $1';
  await sql(harness.context.db, text, [campaignId, perMinute, dailyCap]);
}

/** Starts a harness without workers for the tests of the file, and records every text that the carrier gets. */
export async function usePacingHarness(): Promise<Harness> {
  const harness = await useHarness({ startWorkers: false });
  await watchHandOvers(harness);
  return harness;
}

/** From now on, records every text that the carrier gets, with its ledger time. */
export async function watchHandOvers(harness: Harness): Promise<void> {
  for (const text of [
    'create table hand_overs_seen (message_id text, at timestamptz)',
    `create function see_hand_over() returns trigger language plpgsql as $$
     begin
       insert into hand_overs_seen select id, ledger_now(new.ledger_id) from json_array_elements_text(
         coalesce(new.payload -> 'message_ids', json_build_array(new.payload -> 'message_id'))) as t (id);
       return null;
     end $$`,
    `create trigger see_hand_over after insert on jobs for each row when (new.kind like 'message.submit%')
     execute function see_hand_over()`,
  ]) {
    await sql(harness.context.db, text);
  }
}

/** Returns the recorded times of one number's texts, in order. */
export async function handOversOf(harness: Harness, from: string): Promise<{ id: string; to: string; atMs: number }[]> {
  return sql(
    harness.context.db,
    `select m.id, m."to", extract(epoch from s.at)::float8 * 1000 as "atMs"
     from hand_overs_seen s join messages m on m.id = s.message_id where m."from" = $1 order by s.at`,
    [from],
  );
}

/** Returns the highest number of moments within any minute. */
export function mostInAMinute(momentsMs: readonly number[]): number {
  let most = 0;
  let first = 0;
  momentsMs.forEach((at, index) => {
    while (at - (momentsMs[first] as number) > 60_000) first++;
    most = Math.max(most, index - first + 1);
  });
  return most;
}
