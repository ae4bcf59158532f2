import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { OrderedNumber } from '../../../carriers/ports/numbers.ts';
import type { OrderingTenant } from '../../../carriers/ports/tenant.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { statement, type Which, whichStatement } from '../../../db/statement.ts';
import { sourcesOf } from '../../../lib/machine.ts';
import { type Ledger, type Scope, visible } from '../../../lib/scope.ts';
import { type AutoReplies, senderNameSql } from '../../tenants/index.ts';
import { type NumberStatus, numberMachine, ORDER_PLACE_WINDOW } from './rules.ts';
import type { PhoneNumber } from './schema.ts';

/** The columns of a PhoneNumber, of `phone_numbers p`. */
export const NUMBER_COLUMNS = `p.id, 'phone_number' as object, p.tenant_id, p.phone_number, p.status, p.capabilities,
  p.routing_config_id, p.campaign_id, p.e911_address_id,
  p.status = 'active' and not p.campaign_pending and exists (
    select 1 from campaigns c where c.ledger_id = p.ledger_id and c.id = p.campaign_id and c.status = 'approved'
  ) as messaging_ready, p.created_at`;

const INSERT = statement(
  'phone_numbers_insert',
  `insert into phone_numbers as p
     (ledger_id, id, tenant_id, phone_number, status, capabilities, routing_config_id, campaign_id, created_at,
      connection_id, messaging_connection_id, voice_connection_id)
   values ($1, $2, $3, $4, 'pending', '{}', $5, $6, ledger_now($1), $7, carrier_default($1, 'messaging'),
     carrier_default($1, 'voice')) returning ${NUMBER_COLUMNS}`,
);

export type NewNumber = {
  readonly id: string;
  readonly tenantId: string;
  readonly phoneNumber: string;
  readonly routingConfigId: string | null;
  readonly campaignId: string | null;
  /**
   * The connection that the number is ordered from. Its texts and calls get the connections that are the default now.
   */
  readonly connectionId: ConnectionId;
};

/** Stores a number that is yet to be ordered. Error: number_unavailable if the ledger already has it. */
export async function insertPendingNumber(tx: Tx, { ledgerId }: Ledger, number: NewNumber): Promise<PhoneNumber> {
  const { id, tenantId, phoneNumber, routingConfigId, campaignId, connectionId } = number;
  const values = [ledgerId, id, tenantId, phoneNumber, routingConfigId, campaignId, connectionId];
  const [row] = await tx.query<PhoneNumber>(INSERT, values);
  return row as PhoneNumber;
}

const CLAIM_LIVE = statement(
  'live_numbers_claim',
  'insert into live_numbers (phone_number, ledger_id, number_id) values ($1, $2, $3)',
);

/** Enters a number of a live ledger into the directory. Error: number_unavailable if any ledger has it. */
export async function claimLiveNumber(tx: Tx, { ledgerId }: Ledger, number: PhoneNumber): Promise<void> {
  await tx.query(CLAIM_LIVE, [number.phone_number, ledgerId, number.id]);
}

const FIND = statement(
  'phone_numbers_find',
  `select ${NUMBER_COLUMNS} from phone_numbers p where ledger_id = $1 and id = $2`,
);

/** Finds a number of any status, released ones included. */
export async function findNumber(db: Db, { ledgerId }: Ledger, id: string): Promise<PhoneNumber | undefined> {
  const [row] = await db.query<PhoneNumber>(FIND, [ledgerId, id]);
  return row;
}

/**
 * Returns the number, if the key may read it; a released number stays readable. Errors: phone_number_not_found,
 * tenant_restricted_key.
 */
export async function getPhoneNumber(db: Db, scope: Scope, id: string, param?: string): Promise<PhoneNumber> {
  return visible(scope, await findNumber(db, scope, id), 'phone_number_not_found', param);
}

/** Returns the number to filter a list by; null for all. Errors: phone_number_not_found, tenant_restricted_key. */
export async function numberFilter(db: Db, scope: Scope, id: string | undefined): Promise<PhoneNumber | null> {
  return id === undefined ? null : await getPhoneNumber(db, scope, id, 'phone_number_id');
}

const LOCK = statement(
  'phone_numbers_lock',
  `select ${NUMBER_COLUMNS} from phone_numbers p where ledger_id = $1 and id = $2 for update`,
);

export async function lockNumber(tx: Tx, { ledgerId }: Ledger, id: string): Promise<PhoneNumber | undefined> {
  const [row] = await tx.query<PhoneNumber>(LOCK, [ledgerId, id]);
  return row;
}

const FIND_OWNED = statement(
  'phone_numbers_find_owned',
  `select ${senderNameSql('t')} as sender_name, t.support_contact, t.auto_replies, p.voice_connection_id, p.e911_connection_id,
     ${NUMBER_COLUMNS}
   from phone_numbers p join tenants t on t.ledger_id = p.ledger_id and t.id = p.tenant_id
   where p.ledger_id = $1 and p.phone_number = $2 and p.status <> 'released'`,
);

/** A number that places calls, and the connection that it uses. */
export type CallableNumber = PhoneNumber & {
  readonly voice_connection_id: ConnectionId;
  /** The connection that has the number registered at its emergency address. */
  readonly e911_connection_id: ConnectionId;
};

/** An unreleased number, with the name and the support contact of its tenant for texts. */
export type OwnedNumber = CallableNumber & {
  readonly sender_name: string;
  readonly support_contact: string | null;
  /** Null if its tenant has never set one. */
  readonly auto_replies: AutoReplies | null;
};

/** Finds a number of the ledger by its digits (E.164). Released numbers are not found. */
export async function findOwnedNumber(
  db: Db,
  { ledgerId }: Ledger,
  phoneNumber: string,
): Promise<OwnedNumber | undefined> {
  const [row] = await db.query<OwnedNumber>(FIND_OWNED, [ledgerId, phoneNumber]);
  return row;
}

const TAKEN = statement(
  'phone_numbers_taken_among',
  `select phone_number from phone_numbers
   where ledger_id = $1 and phone_number = any($2::text[]) and status <> 'released'
   union select phone_number from live_numbers where $3 and phone_number = any($2::text[])`,
);

/** Returns the given numbers that the ledger has or is ordering. In live mode, checks all live ledgers. */
export async function listTakenAmong(db: Db, ledger: Ledger, phoneNumbers: readonly string[]): Promise<Set<string>> {
  const values = [ledger.ledgerId, phoneNumbers, ledger.mode === 'live'];
  const rows = await db.query<{ phone_number: string }>(TAKEN, values);
  return new Set(rows.map((row) => row.phone_number));
}

const readList = tenantReader<PhoneNumber>({
  name: 'phone_numbers_list',
  from: ['phone_numbers', 'p'],
  columns: NUMBER_COLUMNS,
  where: `p.status <> 'released'`,
});

/** Lists the numbers that are not released, newest first. */
export function listNumbers(
  db: Db,
  { ledgerId }: Scope,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<PhoneNumber[]> {
  return readList(db, ledgerId, page);
}

const UPDATE = statement(
  'phone_numbers_update',
  `update phone_numbers p set routing_config_id = $3, campaign_id = $4, e911_address_id = $5,
     campaign_pending = campaign_pending and campaign_id is not distinct from $4::text,
     e911_pending = $5::text is not null and (e911_pending or e911_address_id is distinct from $5)
   where ledger_id = $1 and id = $2 returning ${NUMBER_COLUMNS}`,
);

/**
 * Stores the references of a number. A new emergency address is pending until the carrier has confirmed it; a new
 * campaign is not (`setCampaignPending`).
 */
export async function updateNumberRow(tx: Tx, { ledgerId }: Ledger, number: PhoneNumber): Promise<PhoneNumber> {
  const { id, routing_config_id, campaign_id, e911_address_id } = number;
  const [row] = await tx.query<PhoneNumber>(UPDATE, [ledgerId, id, routing_config_id, campaign_id, e911_address_id]);
  return row as PhoneNumber;
}

const ACTIVATE = statement(
  'phone_numbers_activate',
  `update phone_numbers p set status = 'active', capabilities = $3, carrier_ref = $4
   where ledger_id = $1 and id = $2 and status = 'pending' returning ${NUMBER_COLUMNS}`,
);

/** Makes an ordered number `active`. Returns undefined if it is no longer `pending`. */
export async function activateNumber(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
  ordered: OrderedNumber,
): Promise<PhoneNumber | undefined> {
  const [row] = await tx.query<PhoneNumber>(ACTIVATE, [ledgerId, id, ordered.capabilities, ordered.carrierRef]);
  return row;
}

const NOTE_CARRIER_REF = statement(
  'phone_numbers_note_carrier_ref',
  `update phone_numbers set carrier_ref = $3
   where ledger_id = $1 and id = $2 and status = 'released' and carrier_ref is null returning 1 as noted`,
);

/** Stores the carrier's id of a number that was released during its order. Returns false for other numbers. */
export async function recordLateOrder(tx: Tx, { ledgerId }: Ledger, id: string, carrierRef: string): Promise<boolean> {
  return (await tx.query(NOTE_CARRIER_REF, [ledgerId, id, carrierRef])).length > 0;
}

const WITHDRAW = statement(
  'phone_numbers_withdraw',
  `with gone as (
     delete from phone_numbers where ledger_id = $1 and id = $2 and status = 'pending' returning phone_number
   )
   delete from live_numbers n using gone g where n.phone_number = g.phone_number and n.ledger_id = $1`,
);

/** Deletes a number whose order failed within its request: no tenant ever owned it. */
export async function withdrawNumber(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(WITHDRAW, [ledgerId, id]);
}

const RELEASABLE = `'{${sourcesOf(numberMachine, 'released').join(',')}}'`;

const release = whichStatement(
  'phone_numbers_release',
  (which) => `with those as materialized (
     select id, phone_number, status, campaign_id from phone_numbers
     where ledger_id = $1 and status = any(${RELEASABLE}) and ${which}
     order by id for update
   ), freed as (
     delete from live_numbers n using those t where n.phone_number = t.phone_number and n.ledger_id = $1
   )
   update phone_numbers p set status = 'released',
     routing_config_id = null, campaign_id = null, e911_address_id = null,
     campaign_pending = false, e911_pending = false
   from those t where p.ledger_id = $1 and p.id = t.id
   returning json_build_object('previous_status', t.status, 'carrier_ref', p.carrier_ref, 'campaign_id', t.campaign_id) as before, ${NUMBER_COLUMNS}`,
);

/** A number that has just been released. `carrierRef` is null while its order runs. */
export type ReleasedNumber = {
  number: PhoneNumber;
  previousStatus: NumberStatus;
  carrierRef: string | null;
  /** The campaign it was attached to. */
  campaignId: string | null;
};

/**
 * Releases one number, or all numbers of a tenant: removes them from the directory and clears their references. Skips
 * released numbers.
 */
export async function releaseNumberRows(tx: Tx, { ledgerId }: Ledger, which: Which): Promise<ReleasedNumber[]> {
  type Before = { previous_status: NumberStatus; carrier_ref: string | null; campaign_id: string | null };
  type Row = PhoneNumber & { before: Before };
  const [statement, value] = release(which);
  const rows = await tx.query<Row>(statement, [ledgerId, value]);
  return rows.map(({ before, ...number }) => ({
    number,
    previousStatus: before.previous_status,
    carrierRef: before.carrier_ref,
    campaignId: before.campaign_id,
  }));
}

const FIND_ORDER = statement(
  'phone_numbers_find_order',
  `select p.phone_number, p.status, p.carrier_ref, p.connection_id, p.messaging_connection_id,
     json_build_object('id', t.id, 'name', t.name) as tenant,
     p.created_at > ledger_now($1) - interval '${ORDER_PLACE_WINDOW}' as is_recent
   from phone_numbers p join tenants t on t.ledger_id = p.ledger_id and t.id = p.tenant_id
   where p.ledger_id = $1 and p.id = $2`,
);

/** The data of a number for requests to the carrier. */
export type NumberOrderRow = {
  phone_number: string;
  status: NumberStatus;
  carrier_ref: string | null;
  connection_id: ConnectionId;
  messaging_connection_id: ConnectionId;
  tenant: OrderingTenant;
  /** True while an order that never reached the carrier may still be placed. */
  is_recent: boolean;
};

export async function findNumberOrder(db: Db, { ledgerId }: Ledger, id: string): Promise<NumberOrderRow | undefined> {
  const [row] = await db.query<NumberOrderRow>(FIND_ORDER, [ledgerId, id]);
  return row;
}
