import { IS_OPEN_ALARM } from '../../carriers/connections/alarm-queries.ts';
import type { Db, Tx } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { IS_FAILING } from '../../domain/events/index.ts';
import type { NoticeKey, NoticeKind } from './rules.ts';

const momentOf = (column: string) => `extract(epoch from ${column})::text`;

/**
 * SQL of the subject and the state of a notice. The row of each kind has a name: an event is `f`, a port-out `o`, an
 * endpoint `e`, an alarm `c`. The state of a subject changes with each new call, request or series of failures.
 */
const KEYS: Readonly<Record<NoticeKind, { readonly subject: string; readonly state: string }>> = {
  emergency_call: { subject: 'f.resource_id', state: momentOf('f.at') },
  port_out: { subject: 'o.number_id', state: `coalesce(o.carrier_ref, ${momentOf('o.reported_at')})` },
  failing_endpoint: {
    subject: 'e.id',
    state: `concat_ws(' ', ${momentOf('e.failing_since')}, e.disabled_reason,
      case when e.failing_since is null then e.revision end)`,
  },
  connection: {
    subject: 'c.connection_id',
    state: `concat_ws(' ', c.capability, c.carrier_code, ${momentOf('c.since')})`,
  },
};

/** SQL that is true if no operator has settled the notice of a row. The row must have its name in `KEYS`. */
export const isUnsettled = (kind: NoticeKind): string => `not exists (
  select 1 from settled_notices s
  where s.kind = '${kind}' and s.subject_id = ${KEYS[kind].subject} and s.state = ${KEYS[kind].state} collate "C")`;

/** SQL that is true if another carrier requests the number `n` by the port-out `o`. */
export const IS_ASKED_FOR = `o.status = 'pending' and n.status <> 'released'`;

const keyColumns = (kind: NoticeKind) =>
  `'${kind}' as kind, ${KEYS[kind].subject} as subject_id, ${KEYS[kind].state} as state`;

/** The most calls to 911 of one account that are read, newest first. */
const CALLS_MAX = 100;

// An index has the calls to 911 of all ledgers by time. The range ends an hour from now, because the clock of a test
// ledger may be years ahead. The other tables have few relevant rows.
const FOUND = `
  with live as not materialized (
    select l.id as ledger_id, a.id as account_id, a.name as account_name
    from ledgers l join accounts a on a.id = l.account_id where l.mode = 'live'),
  found as (
    select ${keyColumns('emergency_call')}, f.at as since,
      coalesce(f.data ->> 'from', f.resource_id) as name, null as detail, live.*
    from (
      select ledger_id, resource_id, created_at as at, data,
        row_number() over (partition by ledger_id order by created_at desc) as place
      from events where type = 'emergency_call.placed'
        and created_at > now() - interval '24 hours' and created_at < now() + interval '1 hour') as f
    join live on live.ledger_id = f.ledger_id
    where f.place <= ${CALLS_MAX}
    union all
    select ${keyColumns('port_out')}, o.reported_at, n.phone_number, o.carrier_name, live.*
    from number_port_outs o join live on live.ledger_id = o.ledger_id
    join phone_numbers n on n.ledger_id = o.ledger_id and n.id = o.number_id
    where ${IS_ASKED_FOR}
    union all
    select ${keyColumns('failing_endpoint')}, e.failing_since, e.url, e.disabled_reason, live.*
    from webhook_endpoints e join live on live.ledger_id = e.ledger_id where ${IS_FAILING}
    union all
    select ${keyColumns('connection')}, c.since, n.name, c.title, null, n.account_id, a.name
    from carrier_alarms c join carrier_connections n on n.id = c.connection_id
    left join accounts a on a.id = n.account_id
    where ${IS_OPEN_ALARM})
  select n.kind, n.subject_id, n.state, n.since, n.name, n.detail, n.ledger_id, n.account_id, n.account_name,
    s.settled_by, s.settled_at
  from found n left join settled_notices s on s.kind = n.kind and s.subject_id = n.subject_id collate "C"
    and s.state = n.state collate "C"`;

/** A notice whose cause exists, settled or not. */
export type NoticeRow = NoticeKey & {
  readonly since: Date | null;
  readonly name: string;
  readonly detail: string | null;
  /** The live ledger; null for a notice about a connection. */
  readonly ledger_id: number | null;
  readonly account_id: string | null;
  readonly account_name: string | null;
  readonly settled_by: string | null;
  readonly settled_at: Date | null;
};

const LIST = statement(
  'notices_list',
  `${FOUND} order by s.settled_at desc nulls first, n.since desc nulls last, n.subject_id collate "C" limit $1`,
);

/** Lists the notices of all accounts. Unsettled notices come first, then settled ones, most recent first. */
export function listNotices(db: Db, rows: number): Promise<NoticeRow[]> {
  return db.query(LIST, [rows]);
}

const FIND = statement(
  'notices_find',
  `${FOUND} where n.kind = $1 and n.subject_id collate "C" = $2 and n.state collate "C" = $3`,
);

/** Finds a notice whose cause exists. */
export async function findNotice(db: Db, { kind, subject_id, state }: NoticeKey): Promise<NoticeRow | undefined> {
  const [row] = await db.query<NoticeRow>(FIND, [kind, subject_id, state]);
  return row;
}

const INSERT = statement(
  'settled_notices_insert',
  `insert into settled_notices (kind, subject_id, state, settled_by) values ($1, $2, $3, $4)
   on conflict do nothing returning settled_by, settled_at`,
);

type Settlement = { readonly settled_by: string; readonly settled_at: Date };

/** Stores that a notice is settled. Returns undefined if it was settled before. */
export async function insertSettled(
  tx: Tx,
  { kind, subject_id, state }: NoticeKey,
  by: string,
): Promise<Settlement | undefined> {
  const [row] = await tx.query<Settlement>(INSERT, [kind, subject_id, state, by]);
  return row;
}

const DELETE = statement(
  'settled_notices_delete',
  'delete from settled_notices where kind = $1 and subject_id = $2 and state = $3 returning settled_by',
);

/** Opens a settled notice again. Returns false if it was not settled. */
export async function deleteSettled(tx: Tx, { kind, subject_id, state }: NoticeKey): Promise<boolean> {
  return (await tx.query(DELETE, [kind, subject_id, state])).length > 0;
}

const SWEEP = statement(
  'settled_notices_sweep',
  `delete from settled_notices where ctid = any(array(
     select ctid from settled_notices where settled_at < now() - interval '30 days' order by settled_at
     limit $1::integer for update skip locked))
   returning 1 as gone`,
);

/** Deletes the oldest rows that are more than 30 days old. Returns their number. */
export async function sweepSettled(db: Db, rowsMax: number): Promise<number> {
  return (await db.query(SWEEP, [rowsMax])).length;
}
