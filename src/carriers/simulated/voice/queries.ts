/** The store of simulated calls. A call is loaded under its lock, and saved in one statement. */
import type { Db, Signal, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import { statement } from '../../../db/statement.ts';
import { cancelJobsCtes, insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import {
  type CallEffect,
  type Leg,
  newCall,
  type Period,
  type Recording,
  type ScheduledAction,
  type SimulatedCall,
} from './call.ts';
import type { LiveAudio } from './sounds.ts';

/** The kind of the jobs of scheduled actions. */
export const ACTION_KIND = 'simulated.call_action';

export type ActionPayload = { readonly callRef: string; readonly action: ScheduledAction };

export const actionId = (callRef: string, name: string) => `${ACTION_KIND}:${callRef}:${name}`;

const CALL_TOPIC = 'simulated-call';

/** Signals a change of a call. */
export function signalCall(tx: Tx, callRef: string): void {
  tx.signal({ topic: CALL_TOPIC, payload: callRef });
}

/** Returns the call in a signal of `saveCall`; undefined for other signals. */
export function savedCallOf({ topic, payload }: Signal): string | undefined {
  return topic === CALL_TOPIC ? (payload as string) : undefined;
}

const LEG_COLUMNS = `leg_ref, party, address, dialled, state, answered_at, ended_at, busy_until, leaves_message,
  bridged_with, heard_from, is_greeted, gather_ref, heard, holds, voice_from, detects_machine`;
const SOUND_COLUMNS = 'ref, said_by, played_to, kind, content, starts_at, duration_ms, reported';
const RECORDING_COLUMNS = 'recording_ref, leg_refs, starts_at, ended_at, pauses';

const rowsSql = (table: string, columns: string, order: string) =>
  `coalesce((select json_agg(p order by ${order}) from (select ${columns} from ${table}
     where ledger_id = c.ledger_id and call_ref = c.call_ref) p), '[]')`;

export type CallName = { readonly ledgerId: number; readonly callRef: string };

const CALL_NAMES = inputOf<CallName>('call_names', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  call_ref: ['text', ({ callRef }) => callRef],
});

const READ = statement<
  { readonly call_names: readonly CallName[]; readonly command_ref: string | null },
  SimulatedCall & { readonly now: Date; readonly is_known_command: boolean }
>(
  'simulated_calls_read',
  `select c.call_ref, c.script, c.message_text, c.message_ms, c.bridged_at, c.stream_ref,
     ${rowsSql('simulated_legs', LEG_COLUMNS, 'leg_ref')} as legs,
     ${rowsSql('simulated_sounds', SOUND_COLUMNS, 'starts_at, ref')} as sounds,
     ${rowsSql('simulated_recordings', RECORDING_COLUMNS, 'recording_ref')} as recordings,
     ledger_now(c.ledger_id) as now,
     exists (select 1 from simulated_voice_commands v
       where v.ledger_id = c.ledger_id and v.call_ref = c.call_ref and v.command_ref = :command_ref) as is_known_command
   from ${CALL_NAMES.rows('w')}
   join simulated_calls c on c.ledger_id = w.ledger_id and c.call_ref = w.call_ref`,
);

export type StoredCall = {
  readonly call: SimulatedCall;
  /** The ledger's present moment. */
  readonly now: Date;
  /** True if the command was already carried out. */
  readonly isKnownCommand: boolean;
};

/** Reads several calls, by call ref. Calls that do not exist are left out. */
export async function readCalls(
  db: Db,
  calls: readonly CallName[],
  commandRef: string | null = null,
): Promise<Map<string, StoredCall>> {
  const rows = await db.query(READ, { call_names: calls, command_ref: commandRef });
  return new Map(
    rows.map(({ now, is_known_command: isKnownCommand, ...row }) => {
      const call = {
        ...row,
        legs: row.legs.map(toLeg),
        sounds: row.sounds.map((sound) => withDates(sound, ['starts_at'])),
        recordings: row.recordings.map(toRecording),
      };
      return [call.call_ref, { call, now, isKnownCommand }];
    }),
  );
}

const toPeriod = <Row extends Period>(period: Row) => withDates(period, ['from', 'until']);

function toRecording(row: Recording): Recording {
  const recording = withDates(row, ['starts_at', 'ended_at']);
  return { ...recording, pauses: recording.pauses.map(toPeriod) };
}

function toLeg(row: Leg): Leg {
  const leg = withDates(row, ['answered_at', 'ended_at', 'busy_until', 'heard_from', 'voice_from']);
  return { ...leg, heard: leg.heard.map(toPeriod), holds: leg.holds.map(toPeriod) };
}

/** Converts columns that are JSON text to dates. */
function withDates<Row extends object>(row: Row, columns: readonly (keyof Row)[]): Row {
  const made = { ...row };
  for (const column of columns) {
    const text = row[column];
    if (text !== null) made[column] = new Date(text as string) as Row[keyof Row];
  }
  return made;
}

export async function readCall(db: Db, call: CallName, commandRef?: string): Promise<StoredCall | undefined> {
  return (await readCalls(db, [call], commandRef)).get(call.callRef);
}

// Inputs of a call run one after another under this lock.
const LOCK = statement(
  'simulated_calls_lock',
  'select 1 from simulated_calls where ledger_id = $1 and call_ref = $2 for no key update',
);

/** Locks and reads a call, in two statements: the second reads changes that were committed while the first waited. */
export async function lockCall(tx: Tx, call: CallName, commandRef?: string): Promise<StoredCall | undefined> {
  const locked = await tx.query(LOCK, [call.ledgerId, call.callRef]);
  return locked.length === 0 ? undefined : readCall(tx, call, commandRef);
}

const FIND_RECORDING = statement(
  'simulated_recordings_find',
  `select call_ref as "callRef" from simulated_recordings where ledger_id = $1 and recording_ref = $2`,
);

/** Returns the ref of a recording's call. */
export async function findRecordedCall(db: Db, ledgerId: number, recordingRef: string): Promise<string | undefined> {
  const [row] = await db.query<{ callRef: string }>(FIND_RECORDING, [ledgerId, recordingRef]);
  return row?.callRef;
}

const OPEN = statement(
  'simulated_calls_open',
  `insert into simulated_calls (ledger_id, call_ref, script) values ($1, $2, $3::json) on conflict do nothing`,
);

/** Inserts a call without legs. If the call exists, nothing changes. */
export async function openCall(tx: Tx, ledgerId: number, { call_ref, script }: SimulatedCall): Promise<void> {
  await tx.query(OPEN, [ledgerId, call_ref, script === null ? null : JSON.stringify(script)]);
}

type PlannedAction = { readonly id: string; readonly payload: ActionPayload; readonly inMs: number };

const ACTIONS = inputOf<PlannedAction>('actions', {
  id: ['text', ({ id }) => id],
  payload: ['json', ({ payload }) => payload],
  in_ms: ['float8', ({ inMs }) => inMs],
});

type SaveValues = Pick<SimulatedCall, 'call_ref' | 'bridged_at' | 'stream_ref' | 'message_text' | 'message_ms'> & {
  readonly ledger_id: number;
  /** JSON of the changes; null for an unchanged script. */
  readonly script: string | null;
  readonly legs: string;
  readonly sounds: string;
  readonly recordings: string;
  readonly command_ref: string | null;
  readonly cancelled: readonly string[];
  readonly actions: readonly PlannedAction[];
};

const SAVE = statement<SaveValues>(
  'simulated_calls_save',
  `with changed as (
     update simulated_calls set bridged_at = :bridged_at::timestamptz, stream_ref = :stream_ref::text,
       message_text = :message_text::text, message_ms = :message_ms::int, script = coalesce(:script::json, script)
     where ledger_id = :ledger_id::int and call_ref = :call_ref::text
       and (:script::json is not null or (bridged_at, stream_ref, message_text, message_ms)
         is distinct from (:bridged_at::timestamptz, :stream_ref::text, :message_text::text, :message_ms::int))
   ), legs as (
     insert into simulated_legs (ledger_id, call_ref, ${LEG_COLUMNS})
     select :ledger_id::int, :call_ref::text, ${LEG_COLUMNS} from json_populate_recordset(null::simulated_legs, :legs::json)
     on conflict (ledger_id, leg_ref) do update set state = excluded.state, answered_at = excluded.answered_at,
       ended_at = excluded.ended_at, busy_until = excluded.busy_until,
       leaves_message = excluded.leaves_message, bridged_with = excluded.bridged_with, heard_from = excluded.heard_from, is_greeted = excluded.is_greeted,
       gather_ref = excluded.gather_ref, heard = excluded.heard, holds = excluded.holds
   ), sounds as (
     insert into simulated_sounds (ledger_id, call_ref, ${SOUND_COLUMNS})
     select :ledger_id::int, :call_ref::text, ${SOUND_COLUMNS} from json_populate_recordset(null::simulated_sounds, :sounds::json)
     on conflict (ledger_id, call_ref, ref) do update
       set content = excluded.content, starts_at = excluded.starts_at, duration_ms = excluded.duration_ms,
         reported = excluded.reported
   ), recordings as (
     insert into simulated_recordings (ledger_id, call_ref, ${RECORDING_COLUMNS})
     select :ledger_id::int, :call_ref::text, ${RECORDING_COLUMNS}
     from json_populate_recordset(null::simulated_recordings, :recordings::json)
     on conflict (ledger_id, recording_ref) do update set ended_at = excluded.ended_at, pauses = excluded.pauses
   ), commands as (
     insert into simulated_voice_commands (ledger_id, call_ref, command_ref)
     select :ledger_id::int, :call_ref::text, :command_ref::text where :command_ref::text is not null
   ), ${cancelJobsCtes({ ledgerId: ':ledger_id::int', ids: ':cancelled::text[]' })}
   ${insertJobsSql({
     ledgerId: ':ledger_id::int',
     id: 'a.id',
     queue: 'voice',
     kind: `'${ACTION_KIND}'`,
     payload: 'a.payload',
     inMs: 'a.in_ms',
     from: `from ${ACTIONS.rows('a')} order by a.id`,
     onConflict: 'replace',
   })}`,
);

export type CallChange = {
  readonly before: SimulatedCall;
  readonly after: SimulatedCall;
  readonly effects: readonly CallEffect[];
  /** The command that caused the change. */
  readonly commandRef?: string | undefined;
};

/** Saves the changes of a step to a locked call, plans and cancels its scheduled actions, and records its command. */
export async function saveCall(tx: Tx, ledgerId: number, change: CallChange): Promise<void> {
  const { before, after, effects, commandRef = null } = change;
  const { call_ref, script, bridged_at, stream_ref, message_text, message_ms } = after;
  // If several effects have the same name, the last one counts.
  const actions = new Map(
    effects.flatMap((effect) => (effect.do === 'plan' || effect.do === 'cancel' ? [[effect.name, effect]] : [])),
  );
  const planned = [...actions.values()].filter((action) => action.do === 'plan');
  const cancelled = [...actions.values()].filter((action) => action.do === 'cancel');
  await tx.query(SAVE, {
    ...{ ledger_id: ledgerId, call_ref, bridged_at, stream_ref, message_text, message_ms, command_ref: commandRef },
    script: script === before.script ? null : JSON.stringify(script),
    legs: changed(before.legs, after.legs),
    sounds: changed(before.sounds, after.sounds),
    recordings: changed(before.recordings, after.recordings),
    cancelled: cancelled.map(({ name }) => actionId(call_ref, name)),
    actions: planned.map(({ name, action, inMs }) => {
      return { id: actionId(call_ref, name), payload: { callRef: call_ref, action }, inMs };
    }),
  });
  if (planned.length > 0) wake(tx, 'jobs', 'voice', Math.min(...planned.map(({ inMs }) => Math.max(inMs, 0))));
  signalCall(tx, call_ref);
}

function changed(before: readonly object[], after: readonly object[]): string {
  return JSON.stringify(after.filter((row) => !before.includes(row)));
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

const KEEP_AUDIO = statement(
  'simulated_audio_keep',
  `insert into simulated_audio (ledger_id, call_ref, starts_at, audio)
   select $1, $2, $3, $4
   where exists (select 1 from simulated_calls where ledger_id = $1 and call_ref = $2)
   on conflict do nothing`,
);

/** Stores live audio (mu-law) that starts at the given time. */
export async function keepLiveAudio(db: Db, { ledgerId, callRef }: CallName, heard: LiveAudio): Promise<void> {
  await db.query(KEEP_AUDIO, [ledgerId, callRef, heard.starts_at, heard.audio]);
}

const LIST_AUDIO = statement(
  'simulated_audio_list',
  `select starts_at, audio from simulated_audio where ledger_id = $1 and call_ref = $2 order by starts_at`,
);

export function listLiveAudio(db: Db, { ledgerId, callRef }: CallName): Promise<LiveAudio[]> {
  return db.query<LiveAudio>(LIST_AUDIO, [ledgerId, callRef]);
}
