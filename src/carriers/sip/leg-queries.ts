/** The legs of calls at SIP engines. A leg that has ended stays ended. */
import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { defineLegTable, type LegName, type OfConnection, ONE_LEG } from '../call-control/leg-queries.ts';
import type { LegEndCause, LegRefusal, Party } from '../ports/voice.ts';

/** The parameters of a leg's dial. Trunks after the first one need them again. */
export type Dialled = {
  readonly to: string;
  readonly from: string;
  readonly shownAs: string;
  readonly shownName?: string;
  readonly ringMs: number;
};

export type SipLeg = {
  readonly ledgerId: number;
  readonly legRef: string;
  readonly callRef: string;
  readonly party: Party | null;
  /** Null for a leg that was hung up before its dial. Its channel is null too. */
  readonly engine: string | null;
  readonly channelId: string | null;
  /** Null for a caller. */
  readonly dialled: Dialled | null;
  /** The command that dialled the leg. */
  readonly commandRef: string | null;
  /** The number of trunks that were tried before the present one. */
  readonly attempt: number;
  /** True if we have hung up the leg, even if the engine has not received this yet. */
  readonly isHungUp: boolean;
  /** The bridge of the leg. The leg returns to it at the end of a hold. */
  readonly bridgeId: string | null;
  readonly isHeld: boolean;
  /** True in a call that the engine connects without the product. Such a leg takes no commands. */
  readonly isOfEngine: boolean;
  readonly cause: LegEndCause | null;
  readonly endedAt: Date | null;
  /** True while the request that dials the leg may be in progress, so the engine may not have the channel yet. */
  readonly isNew: boolean;
};

export type LegEnd = { readonly cause: LegEndCause; readonly endedAt: Date; readonly refusal?: LegRefusal };

/** Longer than any request to an engine. */
export const NEW_MS = 5_000;

const FIELDS = `ledger_id as "ledgerId", leg_ref as "legRef", call_ref as "callRef", party, engine,
  channel_id as "channelId", dialled, command_ref as "commandRef", attempt, hung_up_at is not null as "isHungUp", bridge_id as "bridgeId",
  is_held as "isHeld", is_of_engine as "isOfEngine", cause, ended_at as "endedAt",
  dialled is not null and channel_at > clock_timestamp() - interval '${NEW_MS} milliseconds' as "isNew"`;

export const { listLegs, listLegsOfCall, markHungUp } = defineLegTable<SipLeg>('sip_legs', {
  fields: FIELDS,
  ended: { columns: 'ended_at, cause', values: "clock_timestamp(), 'canceled'" },
});

// All legs of a call are on the engine of the first leg, because legs of two engines cannot be joined. The first engine
// is chosen by a hash of the call's name, so that calls spread. A ready engine comes first. Otherwise the choice is an
// engine that had a connected process in the last 5 s, as in a restart: an answered leg waits there. The update changes
// nothing; with it, the statement also returns a leg that exists.
const OPEN = statement(
  'sip_legs_open',
  `with chosen as (
     (select engine, 0 as rank from sip_legs
      where ledger_id = $1 and connection_id = $2 and call_ref = $4 and ended_at is null and engine is not null
      limit 1)
     union all
     (select name, 1 from sip_engines where connection_id = $2 and seen_at > clock_timestamp() - interval '15 seconds'
        and (ready_at is not null or seen_at > clock_timestamp() - interval '5 seconds')
      order by ready_at is null, md5(name || $4) limit 1)
     order by rank limit 1),
   made as (
     insert into sip_legs as l
       (ledger_id, connection_id, leg_ref, call_ref, party, dialled, command_ref, engine, channel_id)
     select $1, $2, $3, $4, $5, $6::json, $7, engine, $3 || '.0' from chosen
     on conflict (ledger_id, connection_id, leg_ref) do update set leg_ref = l.leg_ref
     returning ${FIELDS})
   select * from made
   union all
   select ${FIELDS} from sip_legs where ${ONE_LEG} and not exists (select from made)`,
);

type NewLeg = {
  readonly callRef: string;
  readonly party: Party;
  readonly dialled: Dialled;
  readonly commandRef: string;
};

/**
 * Stores a leg that is about to be dialled, and chooses its engine. Returns the stored leg, which may have been dialled
 * or hung up before. Returns undefined if no engine works.
 */
export async function openLeg(
  db: Db,
  { ledgerId, connectionId, legRef }: LegName,
  leg: NewLeg,
): Promise<SipLeg | undefined> {
  const { callRef, party, dialled, commandRef } = leg;
  const values = [ledgerId, connectionId, legRef, callRef, party, JSON.stringify(dialled), commandRef];
  const [row] = await db.query<SipLeg>(OPEN, values);
  return row;
}

const NEXT = statement(
  'sip_legs_next',
  `update sip_legs set attempt = $4, channel_id = $3 || '.' || $4, channel_at = clock_timestamp()
   where ${ONE_LEG} and attempt = $4 - 1 and hung_up_at is null and ended_at is null returning ${FIELDS}`,
);

/**
 * Gives a leg its next channel, over the next trunk. Returns undefined if the leg was hung up, has ended, or already
 * has that channel.
 */
export async function advanceAttempt(db: Db, name: LegName, attempt: number): Promise<SipLeg | undefined> {
  const [row] = await db.query<SipLeg>(NEXT, [name.ledgerId, name.connectionId, name.legRef, attempt]);
  return row;
}

const ARRIVE = statement(
  'sip_legs_arrive',
  `insert into sip_legs (ledger_id, connection_id, leg_ref, call_ref, engine, channel_id, party, is_of_engine)
   values ($1, $2, $3, $4, $5, $6, $7, $8)
   on conflict (connection_id, channel_id) do nothing returning 1`,
);

type Arrival = {
  readonly callRef: string;
  readonly engine: string;
  /** Null for the dialled leg of a call that the engine connects, until its channel is known. */
  readonly channelId: string | null;
  readonly party: Party;
  readonly isOfEngine?: boolean;
};

/**
 * Stores the leg of a caller, in the transaction that makes its call. Returns false if the channel already has a leg.
 * Waits if another transaction is storing it.
 */
export async function arriveLeg(
  tx: Tx,
  { ledgerId, connectionId, legRef }: LegName,
  { callRef, engine, channelId, party, isOfEngine = false }: Arrival,
): Promise<boolean> {
  const values = [ledgerId, connectionId, legRef, callRef, engine, channelId, party, isOfEngine];
  return (await tx.query(ARRIVE, values)).length > 0;
}

const MOVE = statement(
  'sip_legs_move_engine_leg',
  `update sip_legs set channel_id = coalesce($4, channel_id)
   where ledger_id = $1 and connection_id = $2 and call_ref = $3
     and is_of_engine and party = 'customer' and ended_at is null returning ${FIELDS}`,
);

/**
 * Stores the present channel of the dialled leg, in a call that the engine connects. Returns undefined if the leg has
 * ended.
 */
export async function moveEngineLeg(
  db: Db,
  { ledgerId, connectionId, callRef }: OfConnection & { readonly callRef: string },
  channelId: string | null,
): Promise<SipLeg | undefined> {
  const [row] = await db.query<SipLeg>(MOVE, [ledgerId, connectionId, callRef, channelId]);
  return row;
}

const END = statement(
  'sip_legs_end',
  `update sip_legs set cause = coalesce(cause, $4), ended_at = coalesce(ended_at, $5), bridge_id = null, is_held = false
   where ${ONE_LEG}`,
);

/** Records that a leg has ended. */
export async function endLeg(db: Db, name: LegName, { cause, endedAt }: LegEnd): Promise<void> {
  await db.query(END, [name.ledgerId, name.connectionId, name.legRef, cause, endedAt]);
}

const FIND_BY_CHANNEL = statement(
  'sip_legs_find_by_channel',
  `select ${FIELDS} from sip_legs where connection_id = $1 and channel_id = $2`,
);

/** Finds the leg of a channel. */
export async function findLegByChannel(db: Db, connectionId: string, channelId: string): Promise<SipLeg | undefined> {
  const [row] = await db.query<SipLeg>(FIND_BY_CHANNEL, [connectionId, channelId]);
  return row;
}

const LIST_OF_ENGINE = statement(
  'sip_legs_list_of_engine',
  `select ${FIELDS} from sip_legs
   where connection_id = $1 and engine = $2 and ended_at is null and channel_id is not null and leg_ref > $3
   order by leg_ref limit $4`,
);

/** Returns the legs of an engine that have not ended, by name, from the name after `after`. */
export async function listLegsOfEngine(
  db: Db,
  { connectionId, engine }: { readonly connectionId: string; readonly engine: string },
  { after, rows }: { readonly after: string; readonly rows: number },
): Promise<SipLeg[]> {
  return await db.query<SipLeg>(LIST_OF_ENGINE, [connectionId, engine, after, rows]);
}

const JOIN = statement(
  'sip_legs_join',
  `update sip_legs set bridge_id = $4, is_held = false
   where ledger_id = $1 and connection_id = $2 and leg_ref = any($3)`,
);

/** Records that legs are in a bridge and not held. */
export async function joinLegs(
  db: Db,
  { ledgerId, connectionId }: OfConnection,
  { legRefs, bridgeId }: { readonly legRefs: readonly string[]; readonly bridgeId: string },
): Promise<void> {
  await db.query(JOIN, [ledgerId, connectionId, legRefs, bridgeId]);
}

const HOLD = statement('sip_legs_hold', `update sip_legs set is_held = $4 where ${ONE_LEG}`);

/** Records that a leg is held or no longer held. */
export async function holdLeg(db: Db, name: LegName, isHeld: boolean): Promise<void> {
  await db.query(HOLD, [name.ledgerId, name.connectionId, name.legRef, isHeld]);
}
