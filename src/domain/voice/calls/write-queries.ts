/**
 * The statements that lock and write a call. One statement writes a step: the call with its state, log, commands,
 * timers, jobs and usage. Every writer locks the call's row first, then the lane, then job rows, so writers of one call
 * run one at a time and cannot deadlock.
 */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { cancelJobsCtes, insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { addToLanesSql } from '../../../queue/lanes/lane-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { USAGE_COLUMNS } from '../../billing/index.ts';
import { LOG_ENTRIES_MAX } from './bounds.ts';
import type { Call, CallOutcome, CallStatus, TimerName } from './call.ts';
import { signalCommands } from './call-signal.ts';
import type { CallLogType } from './call-step.ts';
import { CALL_LANE, CALL_LANES, GROUP_OF_WRITTEN, IS_EMERGENCY } from './lane-groups.ts';
import type { InLedger } from './queries.ts';

/** The kind of the jobs that are timers of calls; see `TimerName`. Their queue is `voice`. */
export const CALL_TIMER = 'call-timer';

const EXISTS = statement('calls_exists', 'select 1 as found from calls where ledger_id = $1 and id = $2');

export async function hasCall(db: Db, { ledgerId }: InLedger, id: string): Promise<boolean> {
  return (await db.query(EXISTS, [ledgerId, id])).length > 0;
}

/** A call as its executor has locked it. */
export type LockedCall = {
  readonly id: string;
  readonly tenant_id: string;
  readonly conversation_id: string | null;
  readonly state: Call;
  readonly commands: number;
  readonly log_entries: number;
  /** Ledger time at which the call was locked. */
  readonly now: Date;
};

// ledger_now is read from the locked row, so after any wait for the lock.
const LOCK_STATE = statement(
  'calls_lock_state',
  `select c.id, c.tenant_id, c.conversation_id, c.state, c.commands, c.log_entries, ledger_now($1) as now
   from (select * from calls where ledger_id = $1 and id = $2 for update) c`,
);

/** Locks a call until the transaction ends, so that no other transaction steps it. */
export async function lockCallState(tx: Tx, { ledgerId }: InLedger, id: string): Promise<LockedCall | undefined> {
  const [row] = await tx.query<LockedCall>(LOCK_STATE, [ledgerId, id]);
  return row;
}

export type NewTimer = { readonly name: TimerName; readonly generation: number; readonly inMs: number };
export type NewPostCallJob = { readonly id: string; readonly kind: string; readonly payload: object };

/** The columns of a call that show its state in the API. */
export type CallColumns = {
  readonly status: CallStatus;
  readonly outcome: CallOutcome | null;
  readonly answeredBy: string | null;
  readonly durationSeconds: number | null;
  readonly endedAt: Date | null;
};

/** The rows that steps of a call write. */
export type Writes = {
  readonly at: Date;
  readonly state: Call;
  readonly columns: CallColumns;
  readonly log: readonly { readonly type: CallLogType; readonly detail: object }[];
  readonly commands: readonly object[];
  readonly setTimers: readonly NewTimer[];
  readonly clearedTimers: readonly TimerName[];
  readonly jobs: readonly NewPostCallJob[];
  readonly usage: readonly { readonly kind: string; readonly minutes: number }[];
};

const ONLY_IF_WRITTEN = 'where exists (select 1 from written)';

// A timer that is set again replaces the row of the one before, even while its handler runs: the handler then has lost
// its claim.
const EFFECTS = `logged as (
     insert into call_events (ledger_id, call_id, position, type, at, detail)
     select $1::int, $2::text, l.position, l.type, $4::timestamptz, l.detail::json
     from unnest($13::int[], $14::text[], $15::text[]) as l (position, type, detail) ${ONLY_IF_WRITTEN}
   ), commanded as (
     insert into call_commands (ledger_id, call_id, position, command)
     select $1::int, $2::text, c.position, c.command::json
     from unnest($16::int[], $17::text[]) as c (position, command) ${ONLY_IF_WRITTEN}
   ), laned as (
     ${addToLanesSql({
       ...CALL_LANE,
       groupId: GROUP_OF_WRITTEN,
       items: 'cardinality($16::int[])',
       from: 'from written where cardinality($16::int[]) > 0',
       hurries: true,
     })}
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
   ), planned as (
     ${insertJobsSql({
       ledgerId: '$1::int',
       id: 'p.id',
       queue: 'audio',
       kind: 'p.kind',
       payload: 'p.payload::json',
       from: `from unnest($22::text[], $23::text[], $24::text[]) as p (id, kind, payload) ${ONLY_IF_WRITTEN}`,
       onConflict: 'skip',
     })}
   ), metered as (
     insert into usage_entries ${USAGE_COLUMNS}
     select $1::int, u.kind, 'call:' || $2::text, $3::text, u.minutes, $4::timestamptz
     from unnest($25::text[], $26::int[]) as u (kind, minutes) ${ONLY_IF_WRITTEN}
     order by u.kind
     on conflict do nothing
   )
   select 1 as done from written`;

const STEP = statement(
  'calls_step',
  `with written as (
     update calls set state = $5, status = $6, outcome = $7, answered_by = $8, duration_seconds = $9, ended_at = $10,
       commands = $11, log_entries = $12
     where ledger_id = $1::int and id = $2::text
     returning ${IS_EMERGENCY}
   ), ${EFFECTS}`,
);

const OPEN = statement(
  'calls_open',
  `with written as (
     insert into calls (ledger_id, id, tenant_id, started_at, state, status, outcome, answered_by, duration_seconds,
       ended_at, commands, log_entries, phone_number_id, conversation_id, direction, "from", "to", connect_to, record,
       connection_id)
     values ($1::int, $2::text, $3::text, $4::timestamptz, $5, $6, $7, $8, $9, $10, $11, $12,
       $27, $28, $29, $30, $31, $32, $33, $34)
     on conflict (ledger_id, id) do nothing
     returning ${IS_EMERGENCY}
   ), ${EFFECTS}`,
);

/** Writes steps of a locked call. */
export async function writeStep(tx: Tx, { ledgerId }: InLedger, locked: LockedCall, writes: Writes): Promise<void> {
  await tx.query(STEP, valuesOf(ledgerId, locked, writes));
  wakeWorkers(tx, locked.id, writes);
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
  readonly connectionId: ConnectionId;
};

/** Writes a new call. Returns false, and writes nothing, if the call exists. */
export async function writeNewCall(tx: Tx, { ledgerId }: InLedger, call: NewCall, writes: Writes): Promise<boolean> {
  const { id, tenantId, phoneNumberId, conversationId, direction, from, to, connectTo, record, connectionId } = call;
  const empty = { id, tenant_id: tenantId, commands: 0, log_entries: 0 };
  const own = [phoneNumberId, conversationId, direction, from, to, connectTo, record, connectionId];
  const written = await tx.query(OPEN, [...valuesOf(ledgerId, empty, writes), ...own]);
  if (written.length === 0) return false;
  wakeWorkers(tx, id, writes);
  return true;
}

function timerJobId(callId: string, name: string): string {
  return `call:${callId}:${name}`;
}

function valuesOf(
  ledgerId: number,
  { id, tenant_id, commands, log_entries }: Pick<LockedCall, 'id' | 'tenant_id' | 'commands' | 'log_entries'>,
  writes: Writes,
): unknown[] {
  const { at, state, log, setTimers, jobs } = writes;
  const usage = writes.usage.filter(({ minutes }) => minutes > 0);
  const { status, outcome, answeredBy, durationSeconds, endedAt } = writes.columns;
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

function wakeWorkers(tx: Tx, callId: string, { commands, setTimers, jobs }: Writes): void {
  if (commands.length > 0) {
    wake(tx, 'lanes', CALL_LANES);
    signalCommands(tx, callId);
  }
  if (jobs.length > 0) wake(tx, 'jobs', 'audio');
  if (setTimers.length > 0) wake(tx, 'jobs', 'voice', Math.min(...setTimers.map(({ inMs }) => inMs)));
}

// A refused call has no row, only this one command. A repeated report of the call conflicts with it.
const REFUSE = statement(
  'call_commands_refuse_call',
  `with commanded as (
     insert into call_commands (ledger_id, call_id, position, command) values ($1::int, $2::text, 1, $3)
     on conflict (ledger_id, call_id, position) do nothing
     returning 1 as done
   )
   ${addToLanesSql({ ...CALL_LANE, items: '1', from: 'from commanded' })}`,
);

/** Hangs up a call to a number that the ledger does not own. The command names the connection: there is no call. */
export async function refuseCall(
  tx: Tx,
  { ledgerId }: InLedger,
  { callId, legId, connectionId }: { callId: string; legId: string; connectionId: ConnectionId },
): Promise<void> {
  const command = { do: 'hang_up', legRef: legId, reason: 'ended', ...(connectionId && { connectionId }) };
  await tx.query(REFUSE, [ledgerId, callId, JSON.stringify(command)]);
  wake(tx, 'lanes', CALL_LANES);
}

/** The facts of a call that its post-call jobs need. */
export type CallFacts = {
  readonly tenant_id: string;
  readonly conversation_id: string | null;
  readonly from: string;
  readonly direction: 'inbound' | 'outbound';
  readonly duration_seconds: number | null;
  readonly ended_at: Date | null;
  readonly summary: string | null;
};

export const FACT_COLUMNS = 'tenant_id, conversation_id, "from", direction, duration_seconds, ended_at, summary';

const LOCK = statement(
  'calls_lock',
  `select ${FACT_COLUMNS} from calls where ledger_id = $1 and id = $2 for no key update`,
);

/** Locks the call row before any job row, so writers run one at a time. */
export async function lockCall(tx: Tx, { ledgerId }: InLedger, id: string): Promise<CallFacts | undefined> {
  const [row] = await tx.query<CallFacts>(LOCK, [ledgerId, id]);
  return row;
}

const ADD_RESULTS = statement(
  'calls_add_results',
  `with changed as (
     update calls set recording_id = coalesce($3, recording_id), voicemail_id = coalesce($4, voicemail_id),
       summary = coalesce($5, summary), log_entries = log_entries + case when $6::text is null then 0 else 1 end
     where ledger_id = $1::int and id = $2::text
     returning log_entries
   )
   insert into call_events (ledger_id, call_id, position, type, at, detail)
   select $1::int, $2::text, log_entries, $6::text, ledger_now($1::int), $7::json from changed
   where $6::text is not null and log_entries <= ${LOG_ENTRIES_MAX}`,
);

/** Adds the results of a post-call job to its call, with an entry in its log. The machine takes no part in this. */
export async function addCallResults(
  tx: Tx,
  { ledgerId }: InLedger,
  callId: string,
  results: {
    readonly recordingId?: string;
    readonly voicemailId?: string;
    readonly summary?: string;
    readonly log?: Writes['log'][number];
  },
): Promise<void> {
  const { recordingId = null, voicemailId = null, summary = null, log } = results;
  const entry = log === undefined ? [null, null] : [log.type, JSON.stringify(log.detail)];
  await tx.query(ADD_RESULTS, [ledgerId, callId, recordingId, voicemailId, summary, ...entry]);
}
