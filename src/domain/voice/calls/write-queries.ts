/**
 * The statements that lock and write a call. One statement writes a step: the call with its state, log, commands,
 * timers, jobs and usage. Every writer locks the call's row first, then the lane, then job rows, so writers of one call
 * run one at a time and cannot deadlock.
 */
import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { ClaimOffer } from '../../../db/claim-offers.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { type Rider, type Statement, shiftParameters, statement } from '../../../db/statement.ts';
import { isEmergencyNumber } from '../../../lib/emergency.ts';
import { cancelJobsCtes, insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { addToLanesSql } from '../../../queue/lanes/lane-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { USAGE_COLUMNS } from '../../billing/index.ts';
import { announceWritten, emittingSql, emittingValues, type WrittenEvent } from '../../events/index.ts';
import { recordActivitySql } from '../../messaging/index.ts';
import { signalCommands } from './call-signal.ts';
import type { Writes } from './call-step.ts';
import { CALL_LANE, CALL_LANES, GROUP_OF_STEPPED, groupOf, IS_EMERGENCY } from './lane-groups.ts';
import { callJsonSql, type InLedger, type LockedCall, type ReadCall } from './queries.ts';

/** The kind of the jobs that are timers of calls; see `TimerName`. Their queue is `voice`. */
export const CALL_TIMER = 'call-timer';

const ONLY_IF_WRITTEN = 'where exists (select 1 from stepped)';

// A timer that is set again replaces the row of the one before, even while its handler runs: the handler then has lost
// its claim.
const EFFECTS = `logged as (
     insert into call_events (ledger_id, call_id, position, type, at, detail)
     select $1::int, $2::text, l.position, l.type, $4::timestamptz, l.detail::json
     from unnest($13::int[], $14::text[], $15::text[]) as l (position, type, detail) ${ONLY_IF_WRITTEN}
     returning position, type, at, detail
   ), commanded as (
     insert into call_commands (ledger_id, call_id, position, command)
     select $1::int, $2::text, c.position, c.command::json
     from unnest($16::int[], $17::text[]) as c (position, command) ${ONLY_IF_WRITTEN}
   ), call_lane as (
     ${addToLanesSql({
       ...CALL_LANE,
       groupId: GROUP_OF_STEPPED,
       items: 'cardinality($16::int[])',
       from: 'from stepped where cardinality($16::int[]) > 0',
       hurries: true,
       claim: { token: '$27::text', leaseMs: '$28::float8' },
     })}
     returning lease_token
   ), ${cancelJobsCtes({ ledgerId: '$1::int', ids: '(select $18::text[] from stepped)::text[]' })}, timed as (
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
       inMs: 'p.in_ms',
       from: `from unnest($22::text[], $23::text[], $24::text[], $29::float8[]) as p (id, kind, payload, in_ms)
         ${ONLY_IF_WRITTEN}`,
       onConflict: 'skip',
     })}
   ), metered as (
     insert into usage_entries ${USAGE_COLUMNS}
     select $1::int, u.kind, 'call:' || $2::text, $3::text, u.minutes, $4::timestamptz
     from unnest($25::text[], $26::int[]) as u (kind, minutes) ${ONLY_IF_WRITTEN}
     order by u.kind
     on conflict do nothing
   ), active_conversation as (
     ${recordActivitySql({ id: '$30::text', preview: '$31::text', condition: 'exists (select 1 from stepped)' })}
   )`;

// The log as it was before the statement, and the entries that it adds.
const LOG = `(select position, type, at, detail from call_events where ledger_id = $1::int and call_id = $2::text
       union all select position, type, at, detail from logged) e`;

const EMITTING = emittingSql({ condition: 'exists (select 1 from stepped)', data: '(select data from shown)::text' });

/** Values of every step. Those of its own follow, and then those of events. */
const STEP_VALUES = 31;

type StepParts = {
  /** CTEs that make `stepped`: the written row with `is_emergency`, or none. */
  readonly stepped: string;
  /** Further values of these CTEs. */
  readonly values?: number;
  /** The result of a rider. */
  readonly rider?: string;
};

function stepStatement(name: string, emits: boolean, { stepped, values = 0, rider = 'null' }: StepParts): Statement {
  const shown = `shown as (select ${callJsonSql(LOG)} as data from stepped c)`;
  const events = emits ? `, ${shown}, ${shiftParameters(EMITTING.ctes, STEP_VALUES + values)}` : '';
  return statement(
    `${name}${emits ? '_emit' : ''}`,
    `with ${stepped}, ${EFFECTS}${events}
     select version, (select lease_token from call_lane) as lease_token, ${rider} as rider,
       ${emits ? EMITTING.result : 'null::json'} as events
     from stepped`,
  );
}

const inBothForms = (name: string, parts: StepParts) => ({
  plain: stepStatement(name, false, parts),
  emitting: stepStatement(name, true, parts),
});

const UPDATE = `update calls set state = $5, status = $6, outcome = $7, answered_by = $8, duration_seconds = $9,
       ended_at = $10, commands = $11, log_entries = $12
     where ledger_id = $1::int and id = $2::text`;

const STEP = inBothForms('calls_step', {
  stepped: `stepped as (${UPDATE} returning *, xmin::text as version, ${IS_EMERGENCY})`,
});

const WITH_RIDER = new Map<string, typeof STEP>();

/**
 * Returns the statements that write a step of a call that is not locked, with a rider. They lock the call first, as
 * every writer does. They write nothing if it has changed since it was read, or if another writer has it.
 */
function withRider(rider: Rider): typeof STEP {
  const made = WITH_RIDER.get(rider.name);
  if (made !== undefined) return made;
  const version = `$${STEP_VALUES + 1}::text::xid`;
  const stepped = `locked as materialized (
       select 1 from calls where ledger_id = $1::int and id = $2::text and xmin = ${version} for update skip locked
     ), ${shiftParameters(rider.ctes, STEP_VALUES + 1)}
     , stepped as (${UPDATE} and exists (select 1 from mine) returning *, xmin::text as version, ${IS_EMERGENCY})`;
  const values = 1 + rider.values.length;
  const statements = inBothForms(`calls_step_${rider.name}`, { stepped, values, rider: rider.result });
  WITH_RIDER.set(rider.name, statements);
  return statements;
}

const OPEN = inBothForms('calls_open', {
  stepped: `stepped as (
     insert into calls (ledger_id, id, tenant_id, started_at, state, status, outcome, answered_by, duration_seconds,
       ended_at, commands, log_entries, phone_number_id, conversation_id, direction, "from", "to", connect_to, record,
       connection_id)
     values ($1::int, $2::text, $3::text, $4::timestamptz, $5, $6, $7, $8, $9, $10, $11, $12,
       $32, $33, $34, $35, $36, $37, $38, $39)
     on conflict (ledger_id, id) do nothing
     returning *, xmin::text as version, ${IS_EMERGENCY})`,
  values: 8,
});

type StepRow = { version: string; lease_token: string | null; rider: unknown; events: readonly WrittenEvent[] | null };

/** A written step. `offer` is the claim on its commands' lane, if this process has it. */
export type Written = { readonly offer?: ClaimOffer; readonly rider: unknown; readonly version: string };

type Stepping = { readonly statements: typeof STEP; readonly values: readonly unknown[]; readonly call: SteppedCall };
type SteppedCall = Pick<LockedCall, 'id' | 'tenant_id' | 'is_emergency' | 'commands' | 'log_entries'>;

/** Writes a step with its events. Returns undefined if it was not written. */
async function run(
  db: Db,
  ledgerId: number,
  { statements, values, call }: Stepping,
  writes: Writes,
): Promise<Written | undefined> {
  const { events, commands } = writes;
  const groupId = groupOf(ledgerId, call);
  const offer = commands.length === 0 ? undefined : db.offers.get(CALL_LANES, groupId);
  const own = [offer?.leaseToken ?? null, offer?.leaseMs ?? null, writes.jobs.map(({ inMs = 0 }) => inMs)];
  const { id: conversationId = null, preview = null } = writes.activity ?? {};
  const base = [...valuesOf(ledgerId, call, writes), ...own, conversationId, preview, ...values];
  const [row] = await (events.length === 0
    ? db.query<StepRow>(statements.plain, base)
    : db.query<StepRow>(statements.emitting, [...base, ...emittingValues(db, ledgerId, events)]));
  if (row === undefined) return undefined;
  const isClaimed = offer !== undefined && row.lease_token === offer.leaseToken;
  wakeWorkers(db, call.id, writes, isClaimed ? 'claimed' : row.lease_token);
  if (row.events !== null) announceWritten(db, ledgerId, events, row.events);
  return { ...(isClaimed && { offer }), rider: row.rider, version: row.version };
}

/** Writes steps of a locked call. */
export async function writeStep(tx: Tx, { ledgerId }: InLedger, call: LockedCall, writes: Writes): Promise<Written> {
  return (await run(tx, ledgerId, { statements: STEP, values: [], call }, writes)) as Written;
}

/**
 * Writes steps of a call that was read and not locked, together with a rider.
 * @returns undefined, and nothing is written, if the call has changed, another writer has it, or the rider cannot be
 *   carried out
 */
export function writeStepWith(
  db: Db,
  { ledgerId }: InLedger,
  { call, rider }: { readonly call: ReadCall; readonly rider: Rider },
  writes: Writes,
): Promise<Written | undefined> {
  const values = [call.version, ...rider.values];
  return run(db, ledgerId, { statements: withRider(rider), values, call }, writes);
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

/** Writes a new call. Returns undefined, and writes nothing, if the call exists. */
export function writeNewCall(
  tx: Tx,
  { ledgerId }: InLedger,
  call: NewCall,
  writes: Writes,
): Promise<Written | undefined> {
  const { id, tenantId, phoneNumberId, conversationId, direction, from, to, connectTo, record, connectionId } = call;
  const empty = { id, tenant_id: tenantId, is_emergency: isEmergencyNumber(to), commands: 0, log_entries: 0 };
  const values = [phoneNumberId, conversationId, direction, from, to, connectTo, record, connectionId];
  return run(tx, ledgerId, { statements: OPEN, values, call: empty }, writes);
}

function timerJobId(callId: string, name: string): string {
  return `call:${callId}:${name}`;
}

function valuesOf(ledgerId: number, { id, tenant_id, commands, log_entries }: SteppedCall, writes: Writes): unknown[] {
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

/** @param lane whether this process has just claimed the lane; otherwise the token of the one that has it */
function wakeWorkers(
  db: Db,
  callId: string,
  { commands, setTimers, jobs }: Writes,
  lane: 'claimed' | string | null,
): void {
  if (commands.length > 0 && lane === null) wake(db, 'lanes', CALL_LANES);
  if (commands.length > 0 && lane !== 'claimed') signalCommands(db, callId);
  if (jobs.length > 0) wake(db, 'jobs', 'audio', Math.min(...jobs.map(({ inMs = 0 }) => inMs)));
  if (setTimers.length > 0) wake(db, 'jobs', 'voice', Math.min(...setTimers.map(({ inMs }) => inMs)));
}
