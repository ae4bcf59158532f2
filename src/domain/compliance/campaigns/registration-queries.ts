import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type CampaignState, registryRef } from './rules.ts';

const FIND = statement(
  'campaigns_find_registration',
  `select c.attempt, c.carrier_ref, b.carrier_ref as brand_carrier_ref, b.connection_id,
     c.ended_at is not null as has_ended
   from campaigns c join brands b on b.ledger_id = c.ledger_id and b.id = c.brand_id
   where c.ledger_id = $1 and c.id = $2`,
);

/** The data of a campaign's registration that is not in the campaign. */
export type CampaignRegistrationRow = {
  attempt: number;
  carrier_ref: string | null;
  brand_carrier_ref: string | null;
  connection_id: ConnectionId;
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
  `select c.id, c.attempt, c.status,
     (select b.connection_id from brands b where b.ledger_id = c.ledger_id and b.id = c.brand_id) as connection_id
   from campaigns c
   where c.ledger_id = $1 and c.id > $2 and c.status in ('approved', 'suspended')
     and c.carrier_ref is not null and c.ended_at is null
   order by c.id limit $3`,
);

export type WatchedCampaign = { id: string; attempt: number; status: CampaignState; connection_id: ConnectionId };

/** Returns campaigns whose status the carriers can still change, oldest first. */
export function listWatchedCampaigns(
  db: Db,
  { ledgerId }: Ledger,
  { after, rows }: { after: string | null; rows: number },
): Promise<WatchedCampaign[]> {
  return db.query(LIST_WATCHED, [ledgerId, after ?? '', rows]);
}

const STORE_CARRIER_REF = statement(
  'campaigns_store_carrier_ref',
  `update campaigns set carrier_ref = $4 where ledger_id = $1 and id = $2 and attempt = $3 and carrier_ref is null
   returning ended_at is not null as has_ended,
     (select b.connection_id from brands b where b.ledger_id = $1 and b.id = brand_id) as connection_id`,
);

type StoredCampaign = { has_ended: boolean; connection_id: ConnectionId };

/**
 * Stores the registry's reference of a campaign. Returns undefined if one is stored already, or a later attempt has
 * begun.
 */
export async function storeCampaignCarrierRef(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, attempt }: { id: string; attempt: number },
  carrierRef: string,
): Promise<StoredCampaign | undefined> {
  const [row] = await tx.query<StoredCampaign>(STORE_CARRIER_REF, [ledgerId, id, attempt, carrierRef]);
  return row;
}

const FIND_REF = statement(
  'campaigns_find_registry_ref',
  'select attempt from campaigns where ledger_id = $1 and id = $2',
);

/** Returns the `registryRef` of the present attempt of a campaign. */
export async function findRegistryRef(db: Db, { ledgerId }: Ledger, id: string): Promise<string> {
  const [row] = await db.query<{ attempt: number }>(FIND_REF, [ledgerId, id]);
  return registryRef(id, row?.attempt ?? 1);
}

const LOCK_CHARGED = statement(
  'campaigns_lock_charged',
  `select tenant_id, status, submitted_at, ended_at is not null as has_ended, ledger_now($1) as now
   from campaigns where ledger_id = $1 and id = $2 and submitted_at is not null for no key update`,
);

/** The facts that decide the months of a campaign. */
export type ChargedCampaign = {
  tenant_id: string;
  status: CampaignState;
  submitted_at: Date;
  has_ended: boolean;
  now: Date;
};

/** Locks a submitted campaign, so that its status does not change until the transaction ends. */
export async function lockChargedCampaign(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
): Promise<ChargedCampaign | undefined> {
  const [row] = await tx.query<ChargedCampaign>(LOCK_CHARGED, [ledgerId, id]);
  return row;
}
