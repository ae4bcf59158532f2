/** The legs of calls at Telnyx. Their states only advance, in whatever order the reports arrive. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { defineLegTable, type LegName, type OfConnection, ONE_LEG } from '../../call-control/leg-queries.ts';
import type { FoundLeg, LegEndCause, Party } from '../../ports/voice.ts';

type LegState = FoundLeg['state'];

export type TelnyxLeg = {
  readonly ledgerId: number;
  readonly legRef: string;
  readonly callRef: string;
  readonly party: Party | null;
  /** Telnyx's name of the leg; null until it is known. */
  readonly callControlId: string | null;
  readonly callLegId: string | null;
  readonly state: LegState;
  /** True if we have hung up the leg. Telnyx may not know it yet. */
  readonly isHungUp: boolean;
  /** True if Telnyx keeps the leg when its bridge ends, even if the bridge command does not ask for it. */
  readonly parks: boolean;
  readonly joinedRef: string | null;
  readonly isHeld: boolean;
  readonly conferenceId: string | null;
  readonly recordingRef: string | null;
  readonly streamRef: string | null;
  readonly cause: LegEndCause | null;
  readonly endedAt: Date | null;
};

const FIELDS = `ledger_id as "ledgerId", leg_ref as "legRef", call_ref as "callRef", party,
  call_control_id as "callControlId", call_leg_id as "callLegId", state, hung_up_at is not null as "isHungUp", parks,
  joined_ref as "joinedRef", is_held as "isHeld", conference_id as "conferenceId", recording_ref as "recordingRef",
  stream_ref as "streamRef", cause, ended_at as "endedAt"`;

export const { listLegs, listLegsOfCall, markHungUp } = defineLegTable<TelnyxLeg>('telnyx_legs', {
  fields: FIELDS,
  ended: { columns: 'state', values: "'ended'" },
});

// The update changes nothing. Without it the statement would not return a leg that exists.
const OPEN = statement(
  'telnyx_legs_open',
  `insert into telnyx_legs as l (ledger_id, connection_id, leg_ref, call_ref, party, parks, state)
   values ($1, $2, $3, $4, $5, $6, 'dialing')
   on conflict (ledger_id, connection_id, leg_ref) do update set leg_ref = l.leg_ref
   returning ${FIELDS}`,
);

type NewLeg = LegName & { readonly callRef: string; readonly party: Party; readonly parks: boolean };

/** Stores a leg before its dial. Returns the stored leg, which may have been dialled or hung up before. */
export async function openLeg(db: Db, leg: NewLeg): Promise<TelnyxLeg> {
  const { ledgerId, connectionId, legRef, callRef, party, parks } = leg;
  const [row] = await db.query<TelnyxLeg>(OPEN, [ledgerId, connectionId, legRef, callRef, party, parks]);
  return row as TelnyxLeg;
}

const ARRIVE = statement(
  'telnyx_legs_arrive',
  `insert into telnyx_legs as l
     (ledger_id, connection_id, leg_ref, call_ref, party, call_control_id, call_leg_id, state)
   values ($1, $2, $3, $4, 'customer', $5, $6, 'ringing')
   on conflict (connection_id, call_control_id) do update set leg_ref = l.leg_ref
   returning ${FIELDS}`,
);

type Arrival = LegName & { readonly callRef: string; readonly callControlId: string; readonly callLegId: string };

/**
 * Stores Telnyx's names of a leg that has arrived. Returns the stored leg. A repeated report of the arrival has the
 * same names.
 */
export async function arriveLeg(db: Db, arrival: Arrival): Promise<TelnyxLeg> {
  const { ledgerId, connectionId, legRef, callRef, callControlId, callLegId } = arrival;
  const values = [ledgerId, connectionId, legRef, callRef, callControlId, callLegId];
  const [row] = await db.query<TelnyxLeg>(ARRIVE, values);
  return row as TelnyxLeg;
}

const NAME = statement(
  'telnyx_legs_name',
  `update telnyx_legs set call_control_id = coalesce(call_control_id, $4), call_leg_id = coalesce(call_leg_id, $5)
   where ${ONE_LEG} returning ${FIELDS}`,
);

type CarrierNames = { readonly callControlId: string | null; readonly callLegId: string | null };

/** Stores Telnyx's names of a leg. Returns the leg; undefined if we never dialled it. */
export async function nameLeg(db: Db, name: LegName, names: CarrierNames): Promise<TelnyxLeg | undefined> {
  const { ledgerId, connectionId, legRef } = name;
  const values = [ledgerId, connectionId, legRef, names.callControlId, names.callLegId];
  const [row] = await db.query<TelnyxLeg>(NAME, values);
  return row;
}

const ADVANCE = statement(
  'telnyx_legs_advance',
  `update telnyx_legs set state = $4
   where ${ONE_LEG} and array_position('{dialing,ringing,up,ended}', state) < array_position('{dialing,ringing,up}', $4)`,
);

/** Records that a leg rings or is answered. Ignored if the leg is already past that state. */
export async function advanceLeg(db: Db, name: LegName, state: 'ringing' | 'up'): Promise<void> {
  await db.query(ADVANCE, [name.ledgerId, name.connectionId, name.legRef, state]);
}

const END = statement(
  'telnyx_legs_end',
  `update telnyx_legs set state = 'ended', cause = coalesce(cause, $4), ended_at = coalesce(ended_at, $5),
     is_held = false, conference_id = null
   where ${ONE_LEG}`,
);

/** Records that a leg has ended. */
export async function endLeg(
  db: Db,
  name: LegName,
  { cause, endedAt }: { readonly cause: LegEndCause; readonly endedAt: Date },
): Promise<void> {
  await db.query(END, [name.ledgerId, name.connectionId, name.legRef, cause, endedAt]);
}

const FIND_BY_CARRIER = statement(
  'telnyx_legs_find_by_carrier',
  `select ${FIELDS} from telnyx_legs where connection_id = $1 and call_control_id = $2
   union all
   select ${FIELDS} from telnyx_legs where connection_id = $1 and call_leg_id = $3 and call_control_id is distinct from $2
   limit 1`,
);

/** Finds a leg by Telnyx's names. */
export async function findLegByCarrier(
  db: Db,
  connectionId: string,
  { callControlId, callLegId }: CarrierNames,
): Promise<TelnyxLeg | undefined> {
  const [row] = await db.query<TelnyxLeg>(FIND_BY_CARRIER, [connectionId, callControlId, callLegId]);
  return row;
}

const JOIN = statement(
  'telnyx_legs_join',
  `update telnyx_legs set joined_ref = case leg_ref when $3 then $4 when $4 then $3 end
   where ledger_id = $1 and connection_id = $2 and (leg_ref in ($3, $4) or (call_ref = $5 and joined_ref in ($3, $4)))`,
);

/** Records that two legs of a call are bridged with each other, and with no other leg. */
export async function joinLegs(
  db: Db,
  { ledgerId, connectionId }: OfConnection,
  { callRef, legRefs: [first, second] }: { readonly callRef: string; readonly legRefs: readonly [string, string] },
): Promise<void> {
  await db.query(JOIN, [ledgerId, connectionId, first, second, callRef]);
}

const HOLD = statement('telnyx_legs_hold', `update telnyx_legs set is_held = $4, conference_id = $5 where ${ONE_LEG}`);

/** Records that a leg is held or no longer held. */
export async function holdLeg(
  db: Db,
  name: LegName,
  { isHeld, conferenceId }: { readonly isHeld: boolean; readonly conferenceId: string | null },
): Promise<void> {
  await db.query(HOLD, [name.ledgerId, name.connectionId, name.legRef, isHeld, conferenceId]);
}

const LABEL = statement(
  'telnyx_legs_label',
  `update telnyx_legs set recording_ref = coalesce($4, recording_ref), stream_ref = coalesce($5, stream_ref)
   where ${ONE_LEG} returning ${FIELDS}`,
);

/** Adds a recording or stream that begins on a leg to the leg's label. Reports repeat the label. Returns the leg. */
export async function labelLeg(
  db: Db,
  name: LegName,
  { recordingRef, streamRef }: { readonly recordingRef?: string; readonly streamRef?: string },
): Promise<TelnyxLeg | undefined> {
  const values = [name.ledgerId, name.connectionId, name.legRef, recordingRef ?? null, streamRef ?? null];
  const [row] = await db.query<TelnyxLeg>(LABEL, values);
  return row;
}

/** Finds the leg of a call whose audio this stream carries. */
export async function findLegByStream(
  db: Db,
  { ledgerId, connectionId }: OfConnection,
  { callRef, streamRef }: { readonly callRef: string; readonly streamRef: string },
): Promise<TelnyxLeg | undefined> {
  const legs = await listLegsOfCall(db, { ledgerId, connectionId }, callRef);
  return legs.find((leg) => leg.streamRef === streamRef);
}

const UNENDED = `hung_up_at is not null and state <> 'ended' and call_control_id is not null`;

// The newest legs are the most likely to be live, so each round takes them. It takes the others in turn.
const TAKE_UNENDED = statement(
  'telnyx_legs_take_unended',
  `with newest as (
     select ledger_id, connection_id, leg_ref from telnyx_legs
     where ${UNENDED} and hung_up_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
     order by hung_up_at desc limit $2::int / 2
   ), next as (
     select ledger_id, connection_id, leg_ref from telnyx_legs
     where ${UNENDED} and hung_up_at < clock_timestamp() - make_interval(secs => $1::float8 / 1000)
     order by hang_up_turn_at nulls first limit $2::int / 2
   )
   update telnyx_legs set hang_up_turn_at = clock_timestamp()
   where (ledger_id, connection_id, leg_ref) in (select * from newest union select * from next)
   returning connection_id as "connectionId", ${FIELDS}`,
);

/** Returns up to `rows` legs without an end that we hung up at least `olderMs` ago: the newest, and others in turn. */
export async function takeUnended(
  db: Db,
  { olderMs, rows }: { readonly olderMs: number; readonly rows: number },
): Promise<(TelnyxLeg & { readonly connectionId: string })[]> {
  return await db.query(TAKE_UNENDED, [olderMs, rows]);
}
