/**
 * The statements that lock and write a call. One statement writes a step: the call with its state, log, commands,
 * timers, jobs and usage. Every writer locks the call's row first, then the lane, then job rows, so writers of one call
 * run one at a time and cannot deadlock.
 */
import type { VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { ClaimOffer } from '../../../../db/claim-offers.ts';
import type { Db, Tx } from '../../../../db/database.ts';
import { inputOf, type Values } from '../../../../db/input.ts';
import { type JoinedWrite, perJoinedWrite, type Statement, statement } from '../../../../db/statement.ts';
import { isEmergencyNumber } from '../../../../lib/phone/emergency.ts';
import { cancelJobsCtes, insertJobsSql } from '../../../../queue/jobs/job-sql.ts';
import { addToLanesSql } from '../../../../queue/lanes/lane-sql.ts';
import { wake } from '../../../../queue/worker/wake.ts';
import { USAGE_COLUMNS } from '../../../billing/index.ts';
import {
  announceWritten,
  type EmittingValues,
  emittingSql,
  emittingValues,
  type WrittenEvent,
} from '../../../events/index.ts';
import { type ConversationField, recordActivitySql, touchConversationSql } from '../../../messaging/index.ts';
import { CALL_PREVIEW } from '../../conversation-previews.ts';
import { AGENT_LEGS_CTES } from '../../queues/agent-leg-queries.ts';
import { CALL_LANE, CALL_LANES, GROUP_OF_STEPPED, groupOf, IS_EMERGENCY } from '../commands/lane-groups.ts';
import { callJsonSql, type InLedger, type LockedCall, type ReadCall } from '../queries.ts';
import type { NewPostCallJob, NewTimer, Writes } from '../state/call-step.ts';
import { signalCommands } from './call-signal.ts';
import { type NewCall, valuesOfNew } from './new-call.ts';

/** The kind of the jobs that are timers of calls; see `TimerName`. Their queue is `voice`. */
export const CALL_TIMER = 'call-timer';

function timerJobId(callId: string, name: string): string {
  return `call:${callId}:${name}`;
}

type NamedTimer = NewTimer & { readonly callId: string };

const LOG = inputOf<Writes['log'][number]>('log', {
  type: ['text', ({ type }) => type],
  detail: ['json', ({ detail }) => detail],
});
const COMMANDS = inputOf<VoiceInstruction>('commands', {
  command: ['json', (command) => command],
});
const TIMERS = inputOf<NamedTimer>('timers', {
  id: ['text', ({ callId, name }) => timerJobId(callId, name)],
  payload: ['json', ({ callId, name, generation }) => ({ callId, name, generation })],
  in_ms: ['float8', ({ inMs }) => inMs],
});
const JOBS = inputOf<NewPostCallJob>('jobs', {
  id: ['text', ({ id }) => id],
  kind: ['text', ({ kind }) => kind],
  payload: ['json', ({ payload }) => payload],
  in_ms: ['float8', ({ inMs = 0 }) => inMs],
});
const USAGE = inputOf<Writes['usage'][number]>('usage', {
  kind: ['text', ({ kind }) => kind],
  minutes: ['int', ({ minutes }) => minutes],
});

/** The values of every step. */
type StepValues = EmittingValues & ReturnType<typeof valuesOf>;

type SteppedCall = Pick<LockedCall, 'id' | 'tenant_id' | 'is_emergency' | 'commands' | 'log_entries'>;

function valuesOf(call: SteppedCall, writes: Writes, offer: ClaimOffer | undefined) {
  const { at, state, columns, log, commands, jobs, activity } = writes;
  return {
    call_id: call.id,
    tenant_id: call.tenant_id,
    at,
    state: JSON.stringify(state),
    status: columns.status,
    outcome: columns.outcome,
    answered_by: columns.answeredBy,
    answered_by_kind: columns.answeredByKind,
    route_branch: columns.routeBranch,
    route_reason: columns.routeReason,
    duration_seconds: columns.durationSeconds,
    ended_at: columns.endedAt,
    commands_before: call.commands,
    commands,
    log_before: call.log_entries,
    log,
    cleared_timers: writes.clearedTimers.map((name) => timerJobId(call.id, name)),
    timers: writes.setTimers.map((timer) => ({ ...timer, callId: call.id })),
    jobs,
    agent_legs: writes.agentLegs,
    usage: writes.usage.filter(({ minutes }) => minutes > 0),
    activity_id: activity?.id ?? null,
    activity_preview: activity?.preview ?? null,
    activity_kind: activity?.kind ?? null,
    reopens: activity?.reopens ?? false,
    claim_token: offer?.leaseToken ?? null,
    claim_ms: offer?.leaseMs ?? null,
  };
}

const ONLY_IF_WRITTEN = 'where exists (select 1 from stepped)';
const COMMAND_COUNT = 'cardinality(:commands.command::json[])';
const LOG_COUNT = 'cardinality(:log.type::text[])';

// A timer that is set again replaces its row, even while the handler of the timer runs. The handler then loses its
// claim.
const EFFECTS = `logged as (
     insert into call_events (ledger_id, call_id, position, type, at, detail)
     select :ledger_id::int, :call_id::text, :log_before::int + l.n, l.type, :at::timestamptz, l.detail
     from ${LOG.rows('l', 'n')} ${ONLY_IF_WRITTEN}
     returning position, type, at, detail
   ), commanded as (
     insert into call_commands (ledger_id, call_id, position, command)
     select :ledger_id::int, :call_id::text, :commands_before::int + c.n, c.command
     from ${COMMANDS.rows('c', 'n')} ${ONLY_IF_WRITTEN}
   ), call_lane as (
     ${addToLanesSql({
       ...CALL_LANE,
       groupId: GROUP_OF_STEPPED,
       items: COMMAND_COUNT,
       from: `from stepped where ${COMMAND_COUNT} > 0`,
       hurries: true,
       claim: { token: ':claim_token::text', leaseMs: ':claim_ms::float8' },
     })}
     returning lease_token
   ), ${cancelJobsCtes({
     ledgerId: ':ledger_id::int',
     ids: '(select :cleared_timers::text[] from stepped)::text[]',
   })}, timed as (
     ${insertJobsSql({
       ledgerId: ':ledger_id::int',
       id: 't.id',
       queue: 'voice',
       kind: `'${CALL_TIMER}'`,
       payload: 't.payload',
       inMs: 't.in_ms',
       from: `from ${TIMERS.rows('t')} ${ONLY_IF_WRITTEN} order by t.id`,
       onConflict: 'replace',
     })}
   ), planned as (
     ${insertJobsSql({
       ledgerId: ':ledger_id::int',
       id: 'p.id',
       queue: 'audio',
       kind: 'p.kind',
       payload: 'p.payload',
       inMs: 'p.in_ms',
       from: `from ${JOBS.rows('p')} ${ONLY_IF_WRITTEN}`,
       onConflict: 'skip',
     })}
   ), metered as (
     insert into usage_entries ${USAGE_COLUMNS}
     select :ledger_id::int, u.kind, 'call:' || :call_id::text, :tenant_id::text, u.minutes, :at::timestamptz
     from ${USAGE.rows('u')} ${ONLY_IF_WRITTEN}
     order by u.kind
     on conflict do nothing
   ), ${AGENT_LEGS_CTES}, active_conversation as (
     ${recordActivitySql({
       id: ':activity_id::text',
       preview: ':activity_preview::text',
       kind: ':activity_kind::text',
       reopens: ':reopens::boolean',
       condition: 'exists (select 1 from stepped)',
     })}
   )`;

// The log before the statement, and the entries that the statement adds.
const WHOLE_LOG = `(select position, type, at, detail from call_events
         where ledger_id = :ledger_id::int and call_id = :call_id::text
       union all select position, type, at, detail from logged) e`;

const EMITTING = emittingSql({ condition: 'exists (select 1 from stepped)', data: '(select data from shown)::text' });

type StepParts = {
  /** CTEs that make `stepped`: the written row with `is_emergency`, or no row. */
  readonly stepped: string;
  /** The result of a joined write. */
  readonly joined?: string;
  /** The fields of the conversation that the step changed, except the activity. */
  readonly reopened?: string;
};

function stepStatement<Own>(
  name: string,
  emits: boolean,
  { stepped, joined = 'null', reopened = '(select reopened from active_conversation)' }: StepParts,
) {
  const shown = `shown as (select ${callJsonSql(WHOLE_LOG)} as data from stepped c)`;
  const events = emits ? `, ${shown}, ${EMITTING.ctes}` : '';
  return statement<StepValues & Own, StepRow>(
    `${name}${emits ? '_emit' : ''}`,
    `with ${stepped}, ${EFFECTS}${events}
     select version, conversation_id, (select lease_token from call_lane) as lease_token, ${joined} as joined,
       exists (select 1 from agent_legs_decided) as decides, ${reopened} as reopened,
       ${emits ? EMITTING.result : 'null::json'} as events
     from stepped`,
  );
}

/**
 * The two forms of a statement that writes a step: without events, and with events. `Own` are its additional values.
 */
type StepForms<Own> = Readonly<Record<'plain' | 'emitting', Statement<StepValues & Own, StepRow>>>;

const inBothForms = <Own>(name: string, parts: StepParts): StepForms<Own> => ({
  plain: stepStatement<Own>(name, false, parts),
  emitting: stepStatement<Own>(name, true, parts),
});

const UPDATE = `update calls set state = :state, status = :status, outcome = :outcome, answered_by = :answered_by,
       answered_by_kind = :answered_by_kind,
       route_branch = :route_branch, route_reason = :route_reason, duration_seconds = :duration_seconds, ended_at = :ended_at,
       commands = :commands_before::int + ${COMMAND_COUNT}, log_entries = :log_before::int + ${LOG_COUNT}
     where ledger_id = :ledger_id::int and id = :call_id::text`;

/** Writes a step of a locked call. */
const STEP = inBothForms<object>('calls_step', {
  stepped: `stepped as (${UPDATE} returning *, xmin::text as version, ${IS_EMERGENCY})`,
});

/** The values of a joined write, and the version of the call. */
type JoinedValues = Values & { readonly version: string };

/**
 * The statements that write a step of a call that is not locked, with a joined write. They lock the call first, as
 * every writer does. They write nothing if it has changed since it was read, or if another writer has it.
 */
const stepWithJoined = perJoinedWrite(({ name, ctes, condition, result }) =>
  inBothForms<JoinedValues>(`calls_step_${name}`, {
    stepped: `locked as materialized (
       select 1 from calls where ledger_id = :ledger_id::int and id = :call_id::text and xmin = :version::text::xid
       for update skip locked
     ), ${ctes}
     , stepped as (${UPDATE} and ${condition} returning *, xmin::text as version, ${IS_EMERGENCY})`,
    joined: result,
  }),
);

const CONVERSATION = touchConversationSql({
  id: ':conversation_id::text',
  tenantId: ':tenant_id::text',
  phoneNumberId: ':phone_number_id::text',
  externalNumber: ':other_party::text',
  preview: `'${CALL_PREVIEW}'`,
  kind: `'call'`,
  // The first step of a call can already be a missed call.
  reopens: `:outcome::text is not distinct from 'missed'`,
});

/** Writes a new call. */
const OPEN = inBothForms<ReturnType<typeof valuesOfNew>>('calls_open', {
  reopened: '(select reopened from conversation)',
  stepped: `conversation as (${CONVERSATION}), stepped as (
     insert into calls (ledger_id, id, tenant_id, started_at, state, status, outcome, answered_by, duration_seconds,
       ended_at, commands, log_entries, phone_number_id, conversation_id, direction, "from", "to", connect_to, record,
       connection_id, caller_name, attestation, routing_config_id, route_branch, route_reason)
     select :ledger_id::int, :call_id::text, :tenant_id::text, :at::timestamptz, :state, :status, :outcome,
       :answered_by, :duration_seconds, :ended_at, ${COMMAND_COUNT}, ${LOG_COUNT}, :phone_number_id::text,
       (select id from conversation), :direction, :from, :to, :connect_to, :record, :connection_id,
       :caller_name, :attestation, :routing_config_id, :route_branch, :route_reason
     on conflict (ledger_id, id) do nothing
     returning *, xmin::text as version, ${IS_EMERGENCY})`,
});

type StepRow = {
  readonly version: string;
  readonly conversation_id: string | null;
  readonly lease_token: string | null;
  readonly joined: unknown;
  /** True if a queue must decide again. */
  readonly decides: boolean;
  readonly reopened: readonly ConversationField[] | null;
  readonly events: readonly WrittenEvent[] | null;
};

/** A written step. `offer` is the claim on its commands' lane, if this process has it. */
export type Written = Pick<StepRow, 'version' | 'conversation_id' | 'joined' | 'reopened'> & {
  readonly offer?: ClaimOffer;
};

type Stepping<Own> = { readonly forms: StepForms<Own>; readonly values: Own; readonly call: SteppedCall };

/** Writes a step with its events. Returns undefined if the statement wrote nothing. */
async function run<Own>(
  db: Db,
  ledgerId: number,
  { forms, values, call }: Stepping<Own>,
  writes: Writes,
): Promise<Written | undefined> {
  const { events, commands } = writes;
  const offer = commands.length === 0 ? undefined : db.offers.get(CALL_LANES, groupOf(ledgerId, call));
  const form = events.length === 0 ? forms.plain : forms.emitting;
  const step: StepValues = { ...valuesOf(call, writes, offer), ...emittingValues(db, ledgerId, events) };
  const [row] = await db.query(form, { ...step, ...values });
  if (row === undefined) return undefined;
  const isClaimed = offer !== undefined && row.lease_token === offer.leaseToken;
  wakeWorkers(db, call.id, writes, isClaimed ? 'claimed' : row.lease_token);
  if (row.decides) wake(db, 'jobs', 'voice');
  if (row.events !== null) announceWritten(db, ledgerId, events, row.events);
  const { version, conversation_id, joined, reopened } = row;
  return { ...(isClaimed && { offer }), version, conversation_id, joined, reopened };
}

/** Writes steps of a locked call. */
export async function writeStep(tx: Tx, { ledgerId }: InLedger, call: LockedCall, writes: Writes): Promise<Written> {
  return (await run(tx, ledgerId, { forms: STEP, values: {}, call }, writes)) as Written;
}

/**
 * Writes steps of a call that was read and not locked, together with a joined write.
 * @returns undefined, and nothing is written, if the call has changed, another writer has it, or the joined write
 *   cannot be carried out
 */
export function writeStepWith(
  db: Db,
  { ledgerId }: InLedger,
  { call, joined }: { readonly call: ReadCall; readonly joined: JoinedWrite },
  writes: Writes,
): Promise<Written | undefined> {
  const values = { version: call.version, ...joined.values };
  return run(db, ledgerId, { forms: stepWithJoined(joined), values, call }, writes);
}

/**
 * Writes a new call, and its activity in the conversation of the number and the other party, which is created if there
 * is none. Returns undefined if the call exists.
 */
export function writeNewCall(
  tx: Tx,
  { ledgerId }: InLedger,
  call: NewCall,
  writes: Writes,
): Promise<Written | undefined> {
  const { id, tenantId, to } = call;
  const empty = { id, tenant_id: tenantId, is_emergency: isEmergencyNumber(to), commands: 0, log_entries: 0 };
  return run(tx, ledgerId, { forms: OPEN, values: valuesOfNew(call), call: empty }, writes);
}

/** @param lane true if this process has just claimed the lane; otherwise the token of the process that has it */
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
