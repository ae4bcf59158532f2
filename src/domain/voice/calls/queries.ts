import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db, Tx } from '../../../db/database.ts';
import { joinKeys } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger, Mode } from '../../../lib/scope.ts';
import type { NewEvent, PlannedEvent } from '../../events/index.ts';
import { LOG_ENTRIES_MAX } from './bounds.ts';
import { IS_EMERGENCY } from './commands/lane-groups.ts';
import type { Call } from './schema.ts';
import type { Call as CallState } from './state/call.ts';
import type { CallLogType } from './state/call-step.ts';

/** The ledger of a row. Carrier events and jobs have no scope, only a ledger. */
export type InLedger = Pick<Ledger, 'ledgerId'>;

/** Returns the SQL of a moment in the form that JavaScript writes. */
export const momentSql = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The route of a row `c` of `calls`. The hours are judged at the start of the call. */
const ROUTE = `case when c.route_branch is not null then json_build_object('routing_config_id', c.routing_config_id,
    'branch', c.route_branch, 'reason', c.route_reason, 'at', ${momentSql('c.started_at')}) end`;

/** The columns of a row `c` of `calls` that the API shows, by field, without its log. */
const FIELDS: Readonly<Record<string, string>> = {
  id: 'c.id',
  object: `'call'`,
  tenant_id: 'c.tenant_id',
  phone_number_id: 'c.phone_number_id',
  conversation_id: 'c.conversation_id',
  direction: 'c.direction',
  from: 'c."from"',
  to: 'c."to"',
  caller_name: 'c.caller_name',
  attestation: 'c.attestation',
  connect_to: 'c.connect_to',
  status: 'c.status',
  outcome: 'c.outcome',
  answered_by: 'c.answered_by',
  answered_by_kind: 'c.answered_by_kind',
  route: ROUTE,
  duration_seconds: 'coalesce(c.duration_seconds, 0)',
  record: 'c.record',
  recording_id: 'c.recording_id',
  voicemail_id: 'c.voicemail_id',
  summary: 'c.summary',
  started_at: 'c.started_at',
  ended_at: 'c.ended_at',
};

/** The state of a call as the key of its index. */
export const STATE_KEY = joinKeys('direction', 'status', `coalesce(outcome, '')`);

/** @param from rows `e` of the call's log */
const logSql = (from: string) =>
  `(select coalesce(json_agg(json_build_object('type', e.type, 'at', ${momentSql('e.at')}, 'detail', e.detail)
          order by e.position), '[]')
   from ${from})`;

/** The log of a row `c` of `calls`. */
export const OWN_LOG = 'call_events e where e.ledger_id = c.ledger_id and e.call_id = c.id';

export const CALL_COLUMNS = [
  ...Object.entries(FIELDS).map(([field, sql]) => `${sql} as "${field}"`),
  `${logSql(OWN_LOG)} as events`,
].join(', ');

/**
 * Returns the JSON of a row `c` of `calls`, as the API shows it.
 * @param log rows `e` of its log
 */
export function callJsonSql(log: string): string {
  const fields = Object.entries(FIELDS).map(([field, sql]) => {
    return `'${field}', ${field.endsWith('_at') ? momentSql(sql) : sql}`;
  });
  return `json_build_object(${fields.join(', ')}, 'events', ${logSql(log)})`;
}

const FIND_CONNECTION = statement(
  'calls_find_connection',
  'select connection_id from calls where ledger_id = $1 and id = $2',
);

/** Returns the connection of a call. */
export async function findCallConnection(db: Db, { ledgerId }: InLedger, id: string): Promise<ConnectionId> {
  const [row] = await db.query<{ connection_id: ConnectionId }>(FIND_CONNECTION, [ledgerId, id]);
  return row?.connection_id ?? null;
}

const FIND = statement('calls_find', `select ${CALL_COLUMNS} from calls c where c.ledger_id = $1 and c.id = $2`);

export async function findCall(db: Db, { ledgerId }: InLedger, id: string): Promise<Call | undefined> {
  const [row] = await db.query<Call>(FIND, [ledgerId, id]);
  return row;
}

const EXISTS = statement('calls_exists', 'select 1 as found from calls where ledger_id = $1 and id = $2');

export async function hasCall(db: Db, { ledgerId }: InLedger, id: string): Promise<boolean> {
  return (await db.query(EXISTS, [ledgerId, id])).length > 0;
}

/** Returns the events of a call. An event without data gets the call as it is now. */
export async function showCall(
  db: Db,
  ledger: InLedger,
  id: string,
  events: readonly PlannedEvent[],
): Promise<NewEvent[]> {
  const call = events.some(({ data }) => data === null) ? await findCall(db, ledger, id) : undefined;
  return events.map((event) => ({ ...event, data: event.data ?? (call as NewEvent['data']) }));
}

/** A call as the executor has locked or read it. */
export type LockedCall = {
  readonly ledger_id: number;
  readonly id: string;
  readonly tenant_id: string;
  readonly conversation_id: string | null;
  readonly connection_id: ConnectionId;
  readonly account_id: string;
  readonly mode: Mode;
  readonly is_emergency: boolean;
  readonly state: CallState;
  readonly commands: number;
  readonly log_entries: number;
  /** Ledger time of the lock on the call. */
  readonly now: Date;
};

const STATE_COLUMNS = `c.ledger_id, c.id, c.tenant_id, c.conversation_id, c.connection_id, g.account_id, g.mode, ${IS_EMERGENCY},
  c.state, c.commands, c.log_entries, ledger_now($1) as now`;

// ledger_now is read from the locked row, and so after any wait for the lock.
const LOCK_STATE = statement(
  'calls_lock_state',
  `select ${STATE_COLUMNS}
   from (select * from calls where ledger_id = $1 and id = $2 for update) c join ledgers g on g.id = c.ledger_id`,
);

/** Locks a call until the transaction ends, so that no other transaction steps it. */
export async function lockCallState(tx: Tx, { ledgerId }: InLedger, id: string): Promise<LockedCall | undefined> {
  const [row] = await tx.query<LockedCall>(LOCK_STATE, [ledgerId, id]);
  return row;
}

/** A call that is read without a lock. `version` is the version of its row; every change of the row changes it. */
export type ReadCall = LockedCall & { readonly version: string };

const READ_STATE = statement(
  'calls_read_state',
  `select ${STATE_COLUMNS}, c.xmin::text as version
   from calls c join ledgers g on g.id = c.ledger_id where c.ledger_id = $1 and c.id = $2`,
);

/** Reads a call for `writeStepWith`. */
export async function readCallState(db: Db, { ledgerId }: InLedger, id: string): Promise<ReadCall | undefined> {
  const [row] = await db.query<ReadCall>(READ_STATE, [ledgerId, id]);
  return row;
}

/** The facts of a call that its post-call jobs need. */
export type CallFacts = {
  readonly tenant_id: string;
  readonly conversation_id: string | null;
  readonly from: string;
  readonly to: string;
  readonly direction: 'inbound' | 'outbound';
  readonly duration_seconds: number | null;
  readonly ended_at: Date | null;
  readonly summary: string | null;
};

export const FACT_COLUMNS = 'tenant_id, conversation_id, "from", "to", direction, duration_seconds, ended_at, summary';

const LOCK = statement(
  'calls_lock',
  `select ${FACT_COLUMNS} from calls where ledger_id = $1 and id = $2 and erased_at is null for no key update`,
);

/**
 * Locks the call row before any job row, so writers run one at a time. Undefined if there is no such call, or its
 * content was erased.
 */
export async function lockCall(tx: Tx, { ledgerId }: InLedger, id: string): Promise<CallFacts | undefined> {
  const [row] = await tx.query<CallFacts>(LOCK, [ledgerId, id]);
  return row;
}

const ADD_RESULTS = statement(
  'calls_add_results',
  `with changed as (
     update calls set voicemail_id = coalesce($3, voicemail_id), log_entries = log_entries + 1
     where ledger_id = $1::int and id = $2::text
     returning log_entries
   )
   insert into call_events (ledger_id, call_id, position, type, at, detail)
   select $1::int, $2::text, log_entries, $4::text, ledger_now($1::int), $5::json from changed
   where log_entries <= ${LOG_ENTRIES_MAX}`,
);

/** Adds the result of a post-call job for a voicemail or recording to the call's log, without a step of the machine. */
export async function addCallResults(
  tx: Tx,
  { ledgerId }: InLedger,
  callId: string,
  { voicemailId, log }: { readonly voicemailId?: string; readonly log: LogEntry },
): Promise<void> {
  await tx.query(ADD_RESULTS, [ledgerId, callId, voicemailId ?? null, log.type, JSON.stringify(log.detail)]);
}

type LogEntry = { readonly type: CallLogType; readonly detail: object };

const MARK_RECORDED = statement(
  'calls_mark_recorded',
  'update calls set record = true where ledger_id = $1 and id = $2 and not record',
);

/** Marks a call as recorded. The healing of recordings finds unreported recordings by this mark. */
export async function markRecorded(tx: Tx, { ledgerId }: InLedger, id: string): Promise<void> {
  await tx.query(MARK_RECORDED, [ledgerId, id]);
}

/** Returns true while the targets of a call ring and no voicemail follows. If nobody answers, the call is missed. */
export async function isWithoutVoicemail(db: Db, ledger: InLedger, id: string): Promise<boolean> {
  const stage = (await readCallState(db, ledger, id))?.state.stage;
  return stage?.name === 'ringing_targets' && stage.plan.noAnswer === null;
}
