/** The store of simulated calls. A call is loaded under its lock, and saved in one statement. */
import type { Db, Signal, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { JOB_COLUMNS } from '../../../queue/jobs/enqueue.ts';
import { wake } from '../../../queue/worker/wake.ts';
import {
  type CallEffect,
  type Leg,
  newCall,
  type Recording,
  type ScheduledAction,
  type SimulatedCall,
  type Sound,
} from './call.ts';

/** The kind of the jobs of scheduled actions. */
export const ACTION_KIND = 'simulated.call_action';

export type ActionPayload = { readonly callRef: string; readonly action: ScheduledAction };

export const actionId = (callRef: string, name: string) => `${ACTION_KIND}:${callRef}:${name}`;

const CALL_TOPIC = 'simulated-call';

/** Returns the call that a signal of `saveCall` is about; undefined for other signals. */
export function savedCallOf({ topic, payload }: Signal): string | undefined {
  return topic === CALL_TOPIC ? (payload as string) : undefined;
}

const OPEN = statement(
  'simulated_calls_open',
  `insert into simulated_calls (ledger_id, call_ref, script) values ($1, $2, $3::json) on conflict do nothing`,
);

/** Inserts a call without legs. A call that exists is left as it is. */
export async function openCall(tx: Tx, ledgerId: number, { call_ref, script }: SimulatedCall): Promise<void> {
  await tx.query(OPEN, [ledgerId, call_ref, script === null ? null : JSON.stringify(script)]);
}

const CALL_COLUMNS = 'script, message_text, message_ms, bridged_at, stream_ref';
const LEG_COLUMNS = `leg_ref, party, address, dialled, state, answered_at, ended_at, busy_until, leaves_message, end_reason`;
const SOUND_COLUMNS = 'ref, said_by, played_to, kind, content, starts_at, duration_ms';
const RECORDING_COLUMNS = 'recording_ref, leg_refs, starts_at, ended_at';

// Inputs of a call run one after another under this lock.
const LOCK = statement(
  'simulated_calls_lock',
  `select call_ref, ${CALL_COLUMNS}, ledger_now($1) as now
   from simulated_calls where ledger_id = $1 and call_ref = $2 for no key update`,
);

// A statement of its own, after the lock: it sees what was written while the lock was waited for.
const LOAD = statement(
  'simulated_calls_load',
  `select
     coalesce((select json_agg(l order by l.leg_ref) from (
       select ${LEG_COLUMNS} from simulated_legs where ledger_id = $1 and call_ref = $2) l), '[]') as legs,
     coalesce((select json_agg(s order by s.starts_at, s.ref) from (
       select ${SOUND_COLUMNS}, reported from simulated_sounds where ledger_id = $1 and call_ref = $2) s), '[]') as sounds,
     coalesce((select json_agg(r) from (
       select ${RECORDING_COLUMNS} from simulated_recordings
       where ledger_id = $1 and call_ref = $2) r), '[]') as recordings,
     exists (select 1 from simulated_voice_commands
       where ledger_id = $1 and call_ref = $2 and command_ref = $3) as "isKnownCommand"`,
);

export type LoadedCall = {
  readonly call: SimulatedCall;
  /** The ledger's present moment. */
  readonly now: Date;
  /** True if the command was carried out before. */
  readonly isKnownCommand: boolean;
};

/** Locks and loads a call. */
export async function loadCall(
  tx: Tx,
  ledgerId: number,
  callRef: string,
  commandRef: string | null = null,
): Promise<LoadedCall | undefined> {
  type Parts = Pick<SimulatedCall, 'legs' | 'sounds' | 'recordings'>;
  const [locked] = await tx.query<Omit<SimulatedCall, keyof Parts> & { now: Date }>(LOCK, [ledgerId, callRef]);
  if (locked === undefined) return undefined;
  const [loaded] = await tx.query<Parts & { isKnownCommand: boolean }>(LOAD, [ledgerId, callRef, commandRef]);
  const { legs, sounds, recordings, isKnownCommand } = loaded as NonNullable<typeof loaded>;
  const { now, ...row } = locked;
  const call = {
    ...row,
    legs: legs.map((leg) => withDates(leg, ['answered_at', 'ended_at', 'busy_until'])),
    sounds: sounds.map((sound) => withDates(sound, ['starts_at'])),
    recordings: recordings.map((recording) => withDates(recording, ['starts_at', 'ended_at'])),
  };
  return { call, now, isKnownCommand };
}

/** Makes dates of columns that came as JSON. */
function withDates<Row extends object>(row: Row, columns: readonly (keyof Row)[]): Row {
  const made = { ...row };
  for (const column of columns) {
    const text = row[column];
    if (text !== null) made[column] = new Date(text as string) as Row[keyof Row];
  }
  return made;
}

// A job that is planned again loses its lease: if a worker is carrying it out, that transaction rolls back.
const SAVE = statement(
  'simulated_calls_save',
  `with changed as (
     update simulated_calls set bridged_at = $3::timestamptz, stream_ref = $4::text,
       message_text = $5::text, message_ms = $6::int
     where ledger_id = $1::int and call_ref = $2::text
       and (bridged_at, stream_ref, message_text, message_ms)
         is distinct from ($3::timestamptz, $4::text, $5::text, $6::int)
   ), legs as (
     insert into simulated_legs (ledger_id, call_ref, ${LEG_COLUMNS})
     select $1::int, $2::text, ${LEG_COLUMNS} from json_populate_recordset(null::simulated_legs, $7::json)
     on conflict (ledger_id, leg_ref) do update set state = excluded.state, answered_at = excluded.answered_at,
       ended_at = excluded.ended_at, busy_until = excluded.busy_until,
       leaves_message = excluded.leaves_message, end_reason = excluded.end_reason
   ), sounds as (
     insert into simulated_sounds (ledger_id, call_ref, ${SOUND_COLUMNS}, reported)
     select $1::int, $2::text, ${SOUND_COLUMNS}, reported from json_populate_recordset(null::simulated_sounds, $8::json)
     on conflict (ledger_id, call_ref, ref) do update
       set content = excluded.content, starts_at = excluded.starts_at, duration_ms = excluded.duration_ms,
         reported = excluded.reported
   ), recordings as (
     insert into simulated_recordings (ledger_id, call_ref, ${RECORDING_COLUMNS})
     select $1::int, $2::text, ${RECORDING_COLUMNS}
     from json_populate_recordset(null::simulated_recordings, $9::json)
     on conflict (ledger_id, recording_ref) do update set ended_at = excluded.ended_at
   ), commands as (
     insert into simulated_voice_commands (ledger_id, call_ref, command_ref)
     select $1::int, $2::text, $10::text where $10::text is not null
   ), to_cancel as materialized (
     select id from jobs where ledger_id = $1::int and id = any($11::text[]) order by id for update
   ), cancelled as (
     delete from jobs where ledger_id = $1::int and id = any(array(select id from to_cancel))
   )
   insert into jobs ${JOB_COLUMNS}
   select $1::int, a.id, 'voice', '${ACTION_KIND}', a.payload::json,
     clock_timestamp() + make_interval(secs => a.in_ms / 1000)
   from unnest($12::text[], $13::text[], $14::float8[]) as a (id, payload, in_ms)
   order by a.id on conflict (ledger_id, id) do update
     set payload = excluded.payload, run_at = excluded.run_at, lease_token = null, attempts = 0`,
);

export type CallChange = {
  readonly before: SimulatedCall;
  readonly after: SimulatedCall;
  readonly effects?: readonly CallEffect[];
  /** The command that made the change. */
  readonly commandRef?: string | null;
};

/** Saves what a step changed of a locked call, plans and cancels its scheduled actions, and notes its command. */
export async function saveCall(tx: Tx, ledgerId: number, change: CallChange): Promise<void> {
  const { before, after, effects = [], commandRef = null } = change;
  const { call_ref, bridged_at, stream_ref, message_text, message_ms } = after;
  // The last effect of a name counts.
  const actions = new Map(
    effects.flatMap((one) => (one.do === 'plan' || one.do === 'cancel' ? [[one.name, one]] : [])),
  );
  const planned = [...actions.values()].filter((one) => one.do === 'plan');
  const cancelled = [...actions.values()].filter((one) => one.do === 'cancel');
  await tx.query(SAVE, [
    ledgerId,
    call_ref,
    bridged_at,
    stream_ref,
    message_text,
    message_ms,
    changed(before.legs, after.legs),
    changed(before.sounds, after.sounds),
    changed(before.recordings, after.recordings),
    commandRef,
    cancelled.map(({ name }) => actionId(call_ref, name)),
    planned.map(({ name }) => actionId(call_ref, name)),
    planned.map(({ action }) => JSON.stringify({ callRef: call_ref, action } satisfies ActionPayload)),
    planned.map(({ inMs }) => inMs),
  ]);
  if (planned.length > 0) wake(tx, 'jobs', 'voice', Math.min(...planned.map(({ inMs }) => Math.max(inMs, 0))));
  tx.signal({ topic: CALL_TOPIC, payload: call_ref });
}

/** Inserts a call with its legs, sounds, recordings and scheduled actions. */
export async function insertCall(
  tx: Tx,
  ledgerId: number,
  call: SimulatedCall,
  effects: readonly CallEffect[] = [],
): Promise<void> {
  await openCall(tx, ledgerId, call);
  await saveCall(tx, ledgerId, { before: newCall(call.call_ref, call.script), after: call, effects });
}

function changed(before: readonly object[], after: readonly object[]): string {
  return JSON.stringify(after.filter((row) => !before.includes(row)));
}

const FIND_COMMAND = statement(
  'simulated_voice_commands_find',
  'select 1 as done from simulated_voice_commands where ledger_id = $1 and call_ref = $2 and command_ref = $3',
);

/** True if the command was carried out. */
export async function isKnownCommand(db: Db, ledgerId: number, callRef: string, commandRef: string): Promise<boolean> {
  return (await db.query(FIND_COMMAND, [ledgerId, callRef, commandRef])).length > 0;
}

const LEGS = statement(
  'simulated_legs_list',
  `select ${LEG_COLUMNS} from simulated_legs where ledger_id = $1 and call_ref = $2 order by leg_ref`,
);

export async function listLegs(db: Db, ledgerId: number, callRef: string): Promise<Leg[]> {
  return db.query<Leg>(LEGS, [ledgerId, callRef]);
}

const SOUNDS = statement(
  'simulated_sounds_list',
  `select ${SOUND_COLUMNS} from simulated_sounds where ledger_id = $1 and call_ref = $2 order by starts_at, ref`,
);

export async function listSounds(db: Db, ledgerId: number, callRef: string): Promise<Sound[]> {
  return db.query<Sound>(SOUNDS, [ledgerId, callRef]);
}

const FIND_RECORDING = statement(
  'simulated_recordings_find',
  `select call_ref, ${RECORDING_COLUMNS} from simulated_recordings where ledger_id = $1 and recording_ref = $2`,
);

export type FoundRecording = Recording & { readonly call_ref: string };

export async function findRecording(db: Db, ledgerId: number, ref: string): Promise<FoundRecording | undefined> {
  const [row] = await db.query<FoundRecording>(FIND_RECORDING, [ledgerId, ref]);
  return row;
}
