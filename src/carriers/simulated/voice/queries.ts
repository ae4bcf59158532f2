import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { JOB_COLUMNS } from '../../../queue/jobs/enqueue.ts';
import type { Party } from '../../ports/voice.ts';
import { ACT_KIND, actId, actValues, wakePerformers } from './acts.ts';
import { noneUnsaved, type PlannedAct, type SimulatedCall } from './books.ts';
import { signalChange } from './change-signal.ts';
import type { ScriptStep } from './script.ts';
import { SOUND_COLUMNS } from './sound-queries.ts';

export type SimulatedLeg = {
  leg_ref: string;
  call_ref: string;
  party: Party;
  address: string;
  /** False for who called us. */
  dialled: boolean;
  state: 'dialing' | 'ringing' | 'up' | 'ended';
  answered_at: Date | null;
  ended_at: Date | null;
  busy_until: Date | null;
  leaves_message: boolean;
  /** Why it ended, for a web client that asks. */
  end_reason: string | null;
};

const OPEN = statement(
  'simulated_calls_open',
  `insert into simulated_calls (ledger_id, call_ref, script) values ($1, $2, $3::json) on conflict do nothing`,
);

/** Makes the books of a call; those that are there stay as they are. */
export async function openCall(tx: Tx, ledgerId: number, callRef: string, script: ScriptStep[] | null): Promise<void> {
  await tx.query(OPEN, [ledgerId, callRef, script === null ? null : JSON.stringify(script)]);
}

// Whatever happens on a call happens under this lock, one thing after another.
const LOCK = statement(
  'simulated_calls_lock',
  `select call_ref, script, message_text, message_ms, bridged_at, stream_ref, ledger_now($1) as now
   from simulated_calls where ledger_id = $1 and call_ref = $2 for no key update`,
);

const LEG_COLUMNS = `leg_ref, call_ref, party, address, dialled, state, answered_at, ended_at, busy_until, leaves_message,
  end_reason`;

const LEGS = statement(
  'simulated_legs_list',
  `select ${LEG_COLUMNS} from simulated_legs where ledger_id = $1 and call_ref = $2 order by leg_ref`,
);

// In a statement of its own, after the lock: it sees what was written while that was waited for.
const LOAD = statement(
  'simulated_calls_load',
  `select
     coalesce((select json_agg(l order by l.leg_ref) from (
       select ${LEG_COLUMNS} from simulated_legs where ledger_id = $1 and call_ref = $2) l), '[]') as legs,
     coalesce((select json_agg(s order by s.starts_at, s.ref) from (
       select ${SOUND_COLUMNS}, reported from simulated_sounds where ledger_id = $1 and call_ref = $2) s), '[]') as sounds,
     coalesce((select json_agg(r) from (
       select recording_ref, leg_refs, starts_at, ended_at from simulated_recordings
       where ledger_id = $1 and call_ref = $2) r), '[]') as recordings,
     exists (select 1 from simulated_voice_commands
       where ledger_id = $1 and call_ref = $2 and command_ref = $3) as "isCommandNoted"`,
);

type Loaded = Pick<SimulatedCall, 'legs' | 'sounds' | 'recordings' | 'isCommandNoted'>;

/** Holds a call. What then happens to it is entered in hand, and written by `saveCall`. */
export async function lockCall(
  tx: Tx,
  ledgerId: number,
  callRef: string,
  commandRef: string | null = null,
): Promise<SimulatedCall | undefined> {
  const [call] = await tx.query<Omit<SimulatedCall, 'unsaved' | keyof Loaded>>(LOCK, [ledgerId, callRef]);
  if (call === undefined) return undefined;
  const [loaded] = await tx.query<Loaded>(LOAD, [ledgerId, callRef, commandRef]);
  const { legs, sounds, recordings, isCommandNoted } = loaded as Loaded;
  return {
    ...call,
    isCommandNoted,
    legs: legs.map((leg) => withDates(leg, ['answered_at', 'ended_at', 'busy_until'])),
    sounds: sounds.map((sound) => withDates(sound, ['starts_at'])),
    recordings: recordings.map((recording) => withDates(recording, ['starts_at', 'ended_at'])),
    unsaved: noneUnsaved(),
  };
}

/** Moments that came as JSON. */
function withDates<Row extends object>(row: Row, columns: readonly (keyof Row)[]): Row {
  const made = { ...row };
  for (const column of columns) {
    const text = row[column];
    if (text !== null) made[column] = new Date(text as string) as Row[keyof Row];
  }
  return made;
}

const ACT_CONFLICT = `on conflict (ledger_id, id) do update
     set payload = excluded.payload, run_at = excluded.run_at, lease_token = null, attempts = 0`;

// One that is planned anew is taken from under a worker that carries it out just then: its effects roll back.
const PLAN = statement(
  'simulated_acts_plan',
  `insert into jobs ${JOB_COLUMNS}
   select $1, a.id, 'voice', '${ACT_KIND}', a.payload::json, clock_timestamp() + make_interval(secs => a.in_ms / 1000)
   from unnest($2::text[], $3::text[], $4::float8[]) as a (id, payload, in_ms)
   order by a.id ${ACT_CONFLICT}`,
);

/** Plans acts of a call that is not held; one whose name is planned already takes its place. */
export async function planActs(
  tx: Tx,
  ledgerId: number,
  callRef: string,
  planned: readonly PlannedAct[],
): Promise<void> {
  if (planned.length === 0) return;
  await tx.query(PLAN, [ledgerId, ...actValues(callRef, planned)]);
  wakePerformers(tx, planned);
}

const SAVE = statement(
  'simulated_calls_save',
  `with held as (
     update simulated_calls set bridged_at = $3::timestamptz, stream_ref = $12::text
     where ledger_id = $1::int and call_ref = $2::text
       and (bridged_at is distinct from $3::timestamptz or stream_ref is distinct from $12::text)
   ), legs as (
     insert into simulated_legs (ledger_id, ${LEG_COLUMNS})
     select $1::int, ${LEG_COLUMNS} from json_populate_recordset(null::simulated_legs, $4::json)
     on conflict (ledger_id, leg_ref) do update set state = excluded.state, answered_at = excluded.answered_at,
       ended_at = excluded.ended_at, busy_until = excluded.busy_until,
       leaves_message = excluded.leaves_message, end_reason = excluded.end_reason
   ), sounds as (
     insert into simulated_sounds (ledger_id, call_ref, ${SOUND_COLUMNS}, reported)
     select $1::int, $2::text, ${SOUND_COLUMNS}, reported from json_populate_recordset(null::simulated_sounds, $5::json)
     on conflict (ledger_id, call_ref, ref) do update
       set content = excluded.content, starts_at = excluded.starts_at, duration_ms = excluded.duration_ms,
         reported = excluded.reported
   ), recordings as (
     insert into simulated_recordings (ledger_id, call_ref, recording_ref, leg_refs, starts_at, ended_at)
     select $1::int, $2::text, recording_ref, leg_refs, starts_at, ended_at
     from json_populate_recordset(null::simulated_recordings, $6::json)
     on conflict (ledger_id, recording_ref) do update set ended_at = excluded.ended_at
   ), noted as (
     insert into simulated_voice_commands (ledger_id, call_ref, command_ref)
     select $1::int, $2::text, $7::text where $7::text is not null
   ), to_cancel as materialized (
     select id from jobs where ledger_id = $1::int and id = any($8::text[]) order by id for update
   ), cancelled as (
     delete from jobs where ledger_id = $1::int and id = any(array(select id from to_cancel))
   )
   insert into jobs ${JOB_COLUMNS}
   select $1::int, a.id, 'voice', '${ACT_KIND}', a.payload::json,
     clock_timestamp() + make_interval(secs => a.in_ms / 1000)
   from unnest($9::text[], $10::text[], $11::float8[]) as a (id, payload, in_ms)
   order by a.id ${ACT_CONFLICT}`,
);

/** Writes what has happened to a call that is held. */
export async function saveCall(tx: Tx, ledgerId: number, call: SimulatedCall): Promise<void> {
  const { call_ref, bridged_at, stream_ref, unsaved } = call;
  const planned = [...unsaved.acts.values()].filter((act) => act !== null);
  const cancelled = [...unsaved.acts].flatMap(([name, act]) => (act === null ? [actId(call_ref, name)] : []));
  await tx.query(SAVE, [
    ledgerId,
    call_ref,
    bridged_at,
    JSON.stringify(call.legs.filter(({ leg_ref }) => unsaved.legs.has(leg_ref))),
    JSON.stringify(call.sounds.filter(({ ref }) => unsaved.sounds.has(ref))),
    JSON.stringify(call.recordings.filter(({ recording_ref }) => unsaved.recordings.has(recording_ref))),
    unsaved.commandRef,
    cancelled,
    ...actValues(call_ref, planned),
    stream_ref,
  ]);
  wakePerformers(tx, planned);
  signalChange(tx, call_ref);
}

export async function listLegs(db: Db, ledgerId: number, callRef: string): Promise<SimulatedLeg[]> {
  return db.query<SimulatedLeg>(LEGS, [ledgerId, callRef]);
}

const SCRIPT = statement(
  'simulated_calls_script',
  'select script from simulated_calls where ledger_id = $1 and call_ref = $2',
);

export async function findScript(db: Db, ledgerId: number, callRef: string): Promise<ScriptStep[] | null> {
  const [row] = await db.query<{ script: ScriptStep[] | null }>(SCRIPT, [ledgerId, callRef]);
  return row?.script ?? null;
}

const MESSAGE = statement(
  'simulated_calls_message',
  'update simulated_calls set message_text = $3, message_ms = $4 where ledger_id = $1 and call_ref = $2',
);

/** Tells the caller what to leave on a voicemail. */
export async function setMessage(
  tx: Tx,
  ledgerId: number,
  message: { callRef: string; text: string; durationMs: number },
): Promise<void> {
  await tx.query(MESSAGE, [ledgerId, message.callRef, message.text, message.durationMs]);
}

const INSERT_LEG = statement(
  'simulated_legs_insert',
  `insert into simulated_legs (ledger_id, leg_ref, call_ref, party, address, dialled, state)
   values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning 1 as done`,
);

export type NewLeg = Pick<SimulatedLeg, 'leg_ref' | 'call_ref' | 'party' | 'address' | 'dialled' | 'state'>;

/** A leg to which nothing has happened yet. */
export function newLeg(leg: NewLeg): SimulatedLeg {
  return {
    ...leg,
    answered_at: null,
    ended_at: null,
    busy_until: null,
    leaves_message: false,
    end_reason: null,
  };
}

/** @returns false if the leg is there already */
export async function insertLeg(tx: Tx, ledgerId: number, leg: NewLeg): Promise<boolean> {
  const values = [ledgerId, leg.leg_ref, leg.call_ref, leg.party, leg.address, leg.dialled, leg.state];
  return (await tx.query(INSERT_LEG, values)).length > 0;
}

const FIND_COMMAND = statement(
  'simulated_voice_commands_find',
  'select 1 as done from simulated_voice_commands where ledger_id = $1 and call_ref = $2 and command_ref = $3',
);

export async function isCommandNoted(db: Db, ledgerId: number, callRef: string, commandRef: string): Promise<boolean> {
  return (await db.query(FIND_COMMAND, [ledgerId, callRef, commandRef])).length > 0;
}
