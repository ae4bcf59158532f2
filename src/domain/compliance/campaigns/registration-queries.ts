import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { CampaignState } from './rules.ts';

const FIND = statement(
  'campaigns_find_registration',
  `select c.carrier_ref, b.carrier_ref as brand_carrier_ref, c.ended_at is not null as has_ended
   from campaigns c join brands b on b.ledger_id = c.ledger_id and b.id = c.brand_id
   where c.ledger_id = $1 and c.id = $2`,
);

/** What a campaign's registration takes beside the campaign itself. */
export type CampaignRegistrationRow = {
  carrier_ref: string | null;
  brand_carrier_ref: string | null;
  has_ended: boolean;
};

export async function findCampaignRegistration(
  db: Db,
  { ledgerId }: Ledger,
  id: string,
): Promise<CampaignRegistrationRow | undefined> {
  const [row] = await db.query<CampaignRegistrationRow>(FIND, [ledgerId, id]);
  return row;
}

const LIST_WATCHED = statement(
  'campaigns_list_watched',
  `select id, status from campaigns
   where ledger_id = $1 and ($2::text is null or id > $2) and status in ('approved', 'suspended')
     and carrier_ref is not null and ended_at is null
   order by id limit $3`,
);

export type WatchedCampaign = { id: string; status: CampaignState };

/** Campaigns whose standing the carriers can still change, the oldest first. */
export async function listWatchedCampaigns(
  db: Db,
  { ledgerId }: Ledger,
  { after, rows }: { after: string | null; rows: number },
): Promise<WatchedCampaign[]> {
  return db.query(LIST_WATCHED, [ledgerId, after, rows]);
}

const NOTE = statement(
  'campaigns_note_carrier_ref',
  `update campaigns set carrier_ref = $3 where ledger_id = $1 and id = $2 and carrier_ref is null
   returning ended_at is not null as has_ended`,
);

/** Keeps the registry's name for a campaign. Returns undefined if it was known. */
export async function noteCampaignCarrierRef(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
  carrierRef: string,
): Promise<{ has_ended: boolean } | undefined> {
  const [row] = await tx.query<{ has_ended: boolean }>(NOTE, [ledgerId, id, carrierRef]);
  return row;
}

const LOCK_CHARGED = statement(
  'campaigns_lock_charged',
  `select tenant_id, status, submitted_at, ended_at is not null as has_ended, ledger_now($1) as now
   from campaigns where ledger_id = $1 and id = $2 and submitted_at is not null for no key update`,
);

/** What decides on a campaign's months. */
export type ChargedCampaign = {
  tenant_id: string;
  status: CampaignState;
  submitted_at: Date;
  has_ended: boolean;
  now: Date;
};

/** A campaign that was submitted; nobody moves it until the transaction ends. */
export async function lockChargedCampaign(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
): Promise<ChargedCampaign | undefined> {
  const [row] = await tx.query<ChargedCampaign>(LOCK_CHARGED, [ledgerId, id]);
  return row;
}
