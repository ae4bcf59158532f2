import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Throughput } from '../../../carriers/ports/registry.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import {
  CAMPAIGN_STATES,
  type CampaignInput,
  type CampaignState,
  campaignMoves,
  EDITABLE_STATES,
  registryRef,
  type UseCase,
} from './rules.ts';
import type { Campaign } from './schema.ts';

const COLUMNS = `c.id, 'campaign' as object, c.tenant_id, c.brand_id, c.use_case, c.description, c.sample_messages,
  c.opt_in_description, c.status, c.rejection_reason,
  case when c.messages_per_minute is not null
    then json_build_object('messages_per_minute', c.messages_per_minute, 'daily_cap', c.daily_cap)
  end as throughput, c.created_at`;

const INSERT = statement(
  'campaigns_insert',
  `insert into campaigns as c (ledger_id, id, tenant_id, brand_id, use_case, description, sample_messages,
     opt_in_description, status, created_at, submitted_at)
   select $1, $2, $3, $4, $5, $6, $7, $8, $9, now, case when $9 <> 'draft' then now end from ledger_now($1) as now
   returning ${COLUMNS}`,
);

export type NewCampaign = {
  readonly id: string;
  readonly tenantId: string;
  readonly brandId: string;
  readonly useCase: UseCase;
  readonly description: string;
  readonly sampleMessages: readonly string[];
  readonly optInDescription: string;
  readonly status: 'draft' | 'pending_review';
};

export async function insertCampaign(tx: Tx, { ledgerId }: Ledger, campaign: NewCampaign): Promise<Campaign> {
  const { id, tenantId, brandId, useCase, description, sampleMessages, optInDescription, status } = campaign;
  const texts = [useCase, description, sampleMessages, optInDescription];
  const [row] = await tx.query<Campaign>(INSERT, [ledgerId, id, tenantId, brandId, ...texts, status]);
  return row as Campaign;
}

const FIND = statement('campaigns_find', `select ${COLUMNS} from campaigns c where ledger_id = $1 and id = $2`);

export async function findCampaign(db: Db, { ledgerId }: Ledger, id: string): Promise<Campaign | undefined> {
  const [row] = await db.query<Campaign>(FIND, [ledgerId, id]);
  return row;
}

const FIND_CARRIER_REF = statement(
  'campaigns_find_carrier_ref',
  'select tenant_id, carrier_ref from campaigns where ledger_id = $1 and id = $2 for share',
);

/**
 * Returns a campaign's tenant and its registry reference, null while the registry does not have it. Locks the row, so
 * that neither changes until the transaction ends.
 */
export async function findCampaignCarrierRef(
  db: Db,
  { ledgerId }: Ledger,
  id: string,
): Promise<{ tenant_id: string; carrier_ref: string | null } | undefined> {
  const [row] = await db.query<{ tenant_id: string; carrier_ref: string | null }>(FIND_CARRIER_REF, [ledgerId, id]);
  return row;
}

// A tenant has few campaigns, and the index also finds the campaigns of a deleted tenant.
const readList = tenantReader<Campaign>(
  { name: 'campaigns_list', from: ['campaigns', 'c'], columns: COLUMNS },
  [{ sql: 'c.status' }],
  { keysApart: true },
);

/** Returns campaigns, newest first. */
export function listCampaigns(
  db: Db,
  { ledgerId }: Scope,
  { status, ...page }: { tenantId: string | null; status: CampaignState | null; before: string | null; rows: number },
): Promise<Campaign[]> {
  const statuses = status === null ? CAMPAIGN_STATES : [status];
  return readList(db, ledgerId, { ...page, arms: statuses.map((status) => [status]) });
}

const UPDATE = statement(
  'campaigns_update',
  `update campaigns c set brand_id = coalesce($4, brand_id), use_case = coalesce($5, use_case),
     description = coalesce($6, description), sample_messages = coalesce($7::text[], sample_messages),
     opt_in_description = coalesce($8, opt_in_description)
   where ledger_id = $1 and id = $2 and status = any($3::text[]) and ended_at is null
   returning ${COLUMNS}`,
);

export type CampaignFields = Omit<NewCampaign, 'id' | 'tenantId' | 'status'>;

/** Changes the given fields of a campaign; undefined if its status does not allow it. */
export async function updateCampaignRow(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
  fields: { readonly [Name in keyof CampaignFields]: CampaignFields[Name] | undefined },
): Promise<Campaign | undefined> {
  const { brandId, useCase, description, sampleMessages, optInDescription } = fields;
  const values = [brandId, useCase, description, sampleMessages, optInDescription].map((value) => value ?? null);
  const [row] = await tx.query<Campaign>(UPDATE, [ledgerId, id, EDITABLE_STATES, ...values]);
  return row;
}

// The granted throughput is kept while a campaign is suspended. A submission that follows a rejection is a new one to
// the registry.
const MOVE = statement(
  'campaigns_move',
  `with those as materialized (
     select id, status from campaigns
     where ledger_id = $1 and id = $2 and status = any($3::text[]) and ended_at is null
       and ($8::integer is null or attempt = $8) for update
   )
   update campaigns c set status = $4, rejection_reason = $5,
     messages_per_minute = coalesce($6, c.messages_per_minute), daily_cap = coalesce($7, c.daily_cap),
     submitted_at = coalesce(c.submitted_at, ledger_now($1)),
     attempt = case when t.status = 'rejected' then c.attempt + 1 else c.attempt end,
     carrier_ref = case when t.status = 'rejected' then null else c.carrier_ref end
   from those t where c.ledger_id = $1 and c.id = t.id
   returning t.status as previous_status, c.attempt, ${COLUMNS}`,
);

/** `ref`: the present `registryRef`. */
export type MovedCampaign = {
  readonly campaign: Campaign;
  readonly previousStatus: CampaignState;
  readonly ref: string;
};
export type CampaignMove = {
  readonly id: string;
  /** Undefined for any attempt. */
  readonly attempt?: number;
  readonly input: CampaignInput;
  readonly reason?: string | null;
  readonly throughput?: Throughput;
};

/** Applies an input to a campaign; undefined if its current state does not accept it. */
export async function moveCampaign(
  tx: Tx,
  { ledgerId }: Ledger,
  { id, attempt, input, reason = null, throughput }: CampaignMove,
): Promise<MovedCampaign | undefined> {
  const { from, to } = campaignMoves[input];
  const granted = [throughput?.messagesPerMinute ?? null, throughput?.dailyCap ?? null];
  const [row] = await tx.query<MovedRow>(MOVE, [ledgerId, id, from, to, reason, ...granted, attempt ?? null]);
  return row === undefined ? undefined : toMoved(row);
}

type MovedRow = Campaign & { previous_status: CampaignState; attempt: number };

function toMoved({ previous_status: previousStatus, attempt, ...campaign }: MovedRow): MovedCampaign {
  return { campaign, previousStatus, ref: registryRef(campaign.id, attempt) };
}

const END = statement(
  'campaigns_end_of_tenant',
  `with those as materialized (
     select id, status from campaigns where ledger_id = $1 and tenant_id = $2 and ended_at is null
     order by id for update
   )
   update campaigns c set ended_at = ledger_now($1), status = case when c.status = any($3::text[]) then $4 else c.status end
   from those t where c.ledger_id = $1 and c.id = t.id
   returning t.status as previous_status, c.attempt, c.carrier_ref,
     (select b.connection_id from brands b where b.ledger_id = c.ledger_id and b.id = c.brand_id) as connection_id,
     ${COLUMNS}`,
);

/** A campaign that has ended; `carrierRef` is null if the registry does not have it. */
export type EndedCampaign = MovedCampaign & { readonly carrierRef: string | null; readonly connectionId: ConnectionId };

/** Ends all campaigns of a tenant. Returns all of them, including campaigns whose status did not change. */
export async function endCampaigns(tx: Tx, { ledgerId }: Ledger, tenantId: string): Promise<EndedCampaign[]> {
  const { from, to } = campaignMoves.end;
  type Row = MovedRow & { carrier_ref: string | null; connection_id: ConnectionId };
  const rows = await tx.query<Row>(END, [ledgerId, tenantId, from, to]);
  return rows.map(({ carrier_ref: carrierRef, connection_id: connectionId, ...row }) => ({
    ...toMoved(row),
    carrierRef,
    connectionId,
  }));
}
