/**
 * What a step of a call comes to, in one statement: the call with its state, its log, what the carrier is to be told,
 * timers, jobs and usage. Whoever steps a call holds its row; the lane and the jobs are locked after it, here and
 * everywhere.
 */
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { cancelJobsCtes, insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { addToLanesSql } from '../../../queue/lanes/lane-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { USAGE_COLUMNS } from '../../billing/index.ts';
import { AUDIO_QUEUE, CALL_LANES, CALL_TIMER } from './effects.ts';
import { columnsOf, type Writes } from './plan-writes.ts';
import type { HeldCall, InLedger } from './queries.ts';

const ONLY_IF_WRITTEN = 'where exists (select 1 from held)';

/** The lane of call $2. */
const CALL_LANE = { ledgerId: '$1::int', kind: `'${CALL_LANES}'`, groupId: '$1::int::text', laneKey: '$2::text' };

// A timer that is set anew takes the place of the one before, also while that rings: its handler then finds its claim
// gone.
const EFFECTS = `logged as (
     insert into call_events (ledger_id, call_id, position, type, at, detail)
     select $1::int, $2::text, l.position, l.type, $4::timestamptz, l.detail::json
     from unnest($13::int[], $14::text[], $15::text[]) as l (position, type, detail) ${ONLY_IF_WRITTEN}
   ), told as (
     insert into call_commands (ledger_id, call_id, position, command)
     select $1::int, $2::text, c.position, c.command::json
     from unnest($16::int[], $17::text[]) as c (position, command) ${ONLY_IF_WRITTEN}
   ), laned as (
     ${addToLanesSql({ ...CALL_LANE, items: 'cardinality($16::int[])', from: 'from held where cardinality($16::int[]) > 0' })}
   ), ${cancelJobsCtes({ ledgerId: '$1::int', ids: '$18::text[]' })}, timed as (
     ${insertJobsSql({
       ledgerId: '$1::int',
       id: 't.id',
       queue: 'voice',
       kind: `'${CALL_TIMER}'`,
       payload: 't.payload::json',
       inMs: 't.in_ms',
       from: `from unnest($19::text[], $20::text[], $21::float8[]) as t (id, payload, in_ms) ${ONLY_IF_WRITTEN} order by t.id`,
       onConflict: 'replace',
     })}
   ), followed as (
     ${insertJobsSql({
       ledgerId: '$1::int',
       id: 'f.id',
       queue: AUDIO_QUEUE,
       kind: 'f.kind',
       payload: 'f.payload::json',
       from: `from unnest($22::text[], $23::text[], $24::text[]) as f (id, kind, payload) ${ONLY_IF_WRITTEN}`,
       onConflict: 'skip',
     })}
   ), metered as (
     insert into usage_entries ${USAGE_COLUMNS}
     select $1::int, u.kind, 'call:' || $2::text, $3::text, u.minutes, $4::timestamptz
     from unnest($25::text[], $26::int[]) as u (kind, minutes) ${ONLY_IF_WRITTEN}
     order by u.kind
     on conflict do nothing
   )
   select 1 as written from held`;

const STEP = statement(
  'calls_step',
  `with held as (
     update calls set state = $5, status = $6, outcome = $7, answered_by = $8, duration_seconds = $9, ended_at = $10,
       commands = $11, log_entries = $12
     where ledger_id = $1::int and id = $2::text
     returning 1 as done
   ), ${EFFECTS}`,
);

const OPEN = statement(
  'calls_open',
  `with held as (
     insert into calls (ledger_id, id, tenant_id, started_at, state, status, outcome, answered_by, duration_seconds,
       ended_at, commands, log_entries, phone_number_id, conversation_id, direction, "from", "to", connect_to, record)
     values ($1::int, $2::text, $3::text, $4::timestamptz, $5, $6, $7, $8, $9, $10, $11, $12,
       $27, $28, $29, $30, $31, $32, $33)
     on conflict (ledger_id, id) do nothing
     returning 1 as done
   ), ${EFFECTS}`,
);

/** Writes steps of a call that is held. */
export async function writeStep(tx: Tx, { ledgerId }: InLedger, held: HeldCall, writes: Writes): Promise<void> {
  await tx.query(STEP, valuesOf(ledgerId, held, writes));
  wakeUp(tx, writes);
}

export type NewCall = {
  readonly id: string;
  readonly tenantId: string;
  readonly phoneNumberId: string;
  readonly conversationId: string | null;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly connectTo: string | null;
  readonly record: boolean;
};

/** Writes a call that begins; false, and nothing is written, if it is there already. */
export async function writeNewCall(tx: Tx, { ledgerId }: InLedger, call: NewCall, writes: Writes): Promise<boolean> {
  const { id, tenantId, phoneNumberId, conversationId, direction, from, to, connectTo, record } = call;
  const none = { id, tenant_id: tenantId, commands: 0, log_entries: 0 };
  const own = [phoneNumberId, conversationId, direction, from, to, connectTo, record];
  const written = await tx.query(OPEN, [...valuesOf(ledgerId, none, writes), ...own]);
  if (written.length === 0) return false;
  wakeUp(tx, writes);
  return true;
}

/** The name of a call's timer among jobs. */
export function timerJobId(callId: string, name: string): string {
  return `call:${callId}:${name}`;
}

function valuesOf(
  ledgerId: number,
  { id, tenant_id, commands, log_entries }: Pick<HeldCall, 'id' | 'tenant_id' | 'commands' | 'log_entries'>,
  writes: Writes,
): unknown[] {
  const { at, state, log, setTimers, jobs } = writes;
  const usage = writes.usage.filter(({ minutes }) => minutes > 0);
  const columns = columnsOf(state);
  const { status, outcome, answeredBy, durationSeconds, endedAt } = columns;
  return [
    ...[ledgerId, id, tenant_id, at],
    ...[JSON.stringify(state), status, outcome, answeredBy, durationSeconds, endedAt],
    ...[commands + writes.commands.length, log_entries + log.length],
    log.map((_, index) => log_entries + index + 1),
    log.map(({ type }) => type),
    log.map(({ detail }) => JSON.stringify(detail)),
    writes.commands.map((_, index) => commands + index + 1),
    writes.commands.map((command) => JSON.stringify(command)),
    writes.clearedTimers.map((name) => timerJobId(id, name)),
    setTimers.map(({ name }) => timerJobId(id, name)),
    setTimers.map(({ name, generation }) => JSON.stringify({ callId: id, name, generation })),
    setTimers.map(({ inMs }) => inMs),
    jobs.map((job) => job.id),
    jobs.map(({ kind }) => kind),
    jobs.map(({ payload }) => JSON.stringify(payload)),
    usage.map(({ kind }) => kind),
    usage.map(({ minutes }) => minutes),
  ];
}

function wakeUp(tx: Tx, { commands, setTimers, jobs }: Writes): void {
  if (commands.length > 0) wake(tx, 'lanes', CALL_LANES);
  if (jobs.length > 0) wake(tx, 'jobs', AUDIO_QUEUE);
  if (setTimers.length > 0) wake(tx, 'jobs', 'voice', Math.min(...setTimers.map(({ inMs }) => inMs)));
}

// A call that is nobody's has no row and this one command; a repeated report of it finds that given.
const REFUSE = statement(
  'call_commands_refuse_call',
  `with told as (
     insert into call_commands (ledger_id, call_id, position, command) values ($1::int, $2::text, 1, $3)
     on conflict (ledger_id, call_id, position) do nothing
     returning 1 as done
   )
   ${addToLanesSql({ ...CALL_LANE, items: '1', from: 'from told' })}`,
);

/** Has a call hung up that nobody here takes. */
export async function refuseCall(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, legId }: { callId: string; legId: string },
): Promise<void> {
  await tx.query(REFUSE, [ledgerId, callId, JSON.stringify({ do: 'hang_up', legRef: legId, reason: 'ended' })]);
  wake(tx, 'lanes', CALL_LANES);
}

const NOTE = statement(
  'calls_note',
  `with noted as (
     update calls set recording_id = coalesce($3, recording_id), voicemail_id = coalesce($4, voicemail_id),
       summary = coalesce($5, summary), log_entries = log_entries + case when $6::text is null then 0 else 1 end
     where ledger_id = $1::int and id = $2::text
     returning log_entries
   )
   insert into call_events (ledger_id, call_id, position, type, at, detail)
   select $1::int, $2::text, log_entries, $6::text, ledger_now($1::int), $7::json from noted where $6::text is not null`,
);

/** Adds to a call what came of it, and an entry to its log: for what happens beside its machine. */
export async function noteOnCall(
  tx: Tx,
  { ledgerId }: InLedger,
  callId: string,
  note: {
    readonly recordingId?: string;
    readonly voicemailId?: string;
    readonly summary?: string;
    readonly log?: { readonly type: Writes['log'][number]['type']; readonly detail: object };
  },
): Promise<void> {
  const { recordingId = null, voicemailId = null, summary = null, log } = note;
  const entry = log === undefined ? [null, null] : [log.type, JSON.stringify(log.detail)];
  await tx.query(NOTE, [ledgerId, callId, recordingId, voicemailId, summary, ...entry]);
}
