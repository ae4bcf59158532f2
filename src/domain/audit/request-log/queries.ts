import type { Db, Tx } from '../../../db/database.ts';
import { inputOf } from '../../../db/input.ts';
import {
  byMoment,
  joinKeys,
  type ListOrder,
  type ListTable,
  listReader,
  momentSql,
  type Positioned,
} from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { RequestRecord } from '../../../http/edge/record-requests.ts';
import type { Range } from '../../../http/schemas/pagination.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { RequestLogEntry } from './schema.ts';

const COLUMNS = `id, 'request_log_entry' as object, created_at, method, path, route, status, error_code, duration_ms,
  api_key_id, tenant_id, resource_id, idempotency_key, idempotent_replayed`;

/** An arbitrary constant: processes that write the log take turns under this advisory lock. */
const LOCK_KEY = 7_244_004;

const REQUESTS = inputOf<RequestRecord>('requests', {
  ledger_id: ['int', ({ ledgerId }) => ledgerId],
  id: ['text', ({ id }) => id],
  created_at: ['timestamptz', ({ createdMs }) => new Date(createdMs).toISOString()],
  method: ['text', ({ method }) => method],
  path: ['text', ({ path }) => path],
  route: ['text', ({ route }) => route],
  status: ['smallint', ({ status }) => status],
  error_code: ['text', ({ errorCode }) => errorCode],
  duration_ms: ['real', ({ durationMs }) => durationMs],
  api_key_id: ['text', ({ keyId }) => keyId],
  tenant_id: ['text', ({ tenantId }) => tenantId],
  resource_id: ['text', ({ resourceId }) => resourceId],
  idempotency_key: ['text', ({ idempotencyKey }) => idempotencyKey],
  idempotent_replayed: ['boolean', ({ isReplay }) => isReplay],
});

// `clock_timestamp()` is read for each row after the lock is taken, and the lock is released after the commit. So rows
// become visible in the order of `logged_at`, and a reader in that order misses none.
const INSERT = statement<{ readonly requests: readonly RequestRecord[] }>(
  'request_log_insert',
  `with locked as materialized (select pg_advisory_xact_lock(${LOCK_KEY}))
   insert into request_log (ledger_id, id, logged_at, created_at, method, path, route, status, error_code, duration_ms,
     api_key_id, tenant_id, resource_id, idempotency_key, idempotent_replayed)
   select r.ledger_id, r.id, clock_timestamp(), r.created_at, r.method, r.path, r.route, r.status, r.error_code,
     r.duration_ms, r.api_key_id, r.tenant_id, r.resource_id, r.idempotency_key, r.idempotent_replayed
   from locked cross join ${REQUESTS.rows('r')}
   on conflict (ledger_id, id) do nothing`,
);

/** Inserts requests of any ledgers. A request that is stored already is left as it is. */
export async function insertRequests(db: Db, requests: readonly RequestRecord[]): Promise<void> {
  await db.query(INSERT, { requests });
}

const FIND = statement(
  'request_log_find',
  `select ${COLUMNS} from request_log where ledger_id = $1 and id = $2 and created_at >= $3`,
);

/** Returns a request that arrived at `keptSince` or later. */
export async function findRequest(
  db: Db,
  { ledgerId }: Ledger,
  { id, keptSince }: { readonly id: string; readonly keptSince: Date },
): Promise<RequestLogEntry | undefined> {
  const [row] = await db.query<RequestLogEntry>(FIND, [ledgerId, id, keptSince]);
  return row;
}

// A row is written when its reply has been sent. Clocks of processes and database differ by less than a minute.
const EARLIEST_BEFORE = `interval '1 minute'`;
const LATEST_AFTER = `interval '2 minutes'`;
const ORDER: ListOrder = {
  ...byMoment('r.logged_at'),
  moment: 'r.created_at',
  bounds: (start, end) => [`${start} - ${EARLIEST_BEFORE}`, `${end} + ${LATEST_AFTER}`],
};

/** The kind of a request, exactly as in the indexes. Its parts have no spaces. */
const KIND = `(r.method || ' ' || coalesce(r.route, '-') || ' ' || r.status::text || ' ' || coalesce(r.error_code, '-'))`;
const TENANT_KIND = joinKeys('r.tenant_id', KIND);

/** The fields of a kind, in their order. An empty value filters nothing. */
const MATCHES = (kind: string, [method, route, status, code]: readonly [string, string, string, string]) =>
  `${method} in ('', split_part(${kind}, ' ', 1)) and ${route} in ('', split_part(${kind}, ' ', 2))
   and (${status} = '' or split_part(${kind}, ' ', 3) like ${status}) and ${code} in ('', split_part(${kind}, ' ', 4))`;

/** Reads the distinct values of an index's key: each step begins after the value of the previous step. */
function distinctKeys(key: string, within: readonly string[], matches: string): string {
  const next = (bound: string) =>
    `select ${key} as k from request_log r where r.ledger_id = :ledger_id and ${[bound, ...within].join(' and ')}
     order by ${key} limit 1`;
  return `with recursive keys (k) as (
      (${next('true')})
      union all
      select (${next(`${key} > keys.k`)}) from keys where keys.k is not null
    ) select k from keys where k is not null and ${matches}`;
}

const KIND_PATH = {
  name: 'kind',
  keys: [{ sql: KIND }],
  armsFrom: distinctKeys(KIND, [], MATCHES('k', [':key1::text', ':key2::text', ':key3::text', ':key4::text'])),
};

// `0` is the character after `/`, so the range has the keys that begin with the tenant and a slash.
const TENANT_PATH = {
  name: 'tenant_kind',
  keys: [{ sql: TENANT_KIND }],
  where: 'r.tenant_id is not null',
  armsFrom: distinctKeys(
    TENANT_KIND,
    ['r.tenant_id is not null', `${TENANT_KIND} > :key1::text || '/'`, `${TENANT_KIND} < :key1::text || '0'`],
    MATCHES('substr(k, length(:key1::text) + 2)', [':key2::text', ':key3::text', ':key4::text', ':key5::text']),
  ),
};

/** The writes of one resource are few, so all other filters are conditions on them. */
const RESOURCE_PATH = { name: 'resource', keys: [{ sql: 'r.resource_id' }], where: 'r.resource_id is not null' };

const NEWEST: ListTable = {
  name: 'request_log_newest',
  from: ['request_log', 'r'],
  columns: COLUMNS,
  order: ORDER,
  filters: {
    tenantId: 'r.tenant_id = ?::text',
    method: 'r.method = ?::text',
    route: 'r.route = ?::text',
    status: 'r.status::text like ?::text',
    errorCode: 'r.error_code = ?::text',
  },
};
const FORWARD: ListTable = { ...NEWEST, name: 'request_log_forward', ascending: true };

const readersOf = (list: ListTable) => ({
  all: listReader<Positioned<RequestLogEntry>>(list, { name: 'all', keys: [] }),
  kind: listReader<Positioned<RequestLogEntry>>(list, KIND_PATH),
  tenant: listReader<Positioned<RequestLogEntry>>(list, TENANT_PATH),
  resource: listReader<Positioned<RequestLogEntry>>(list, RESOURCE_PATH),
});
const READERS = { desc: readersOf(NEWEST), asc: readersOf(FORWARD) };

/** Filters on requests; an empty one filters nothing. `status` is a pattern of SQL's `like`. */
type KindFilter = {
  readonly method: string;
  readonly route: string;
  readonly status: string;
  readonly errorCode: string;
};

type RequestPage = KindFilter & {
  readonly tenantId: string | null;
  readonly resourceId: string | null;
  readonly range: Range;
  /** The moment and id of the last row before the page. */
  readonly after: readonly string[] | null;
  readonly rows: number;
};

/** Returns requests, newest first, or in the order of their writing. */
export function listRequests(
  order: 'asc' | 'desc',
  db: Db,
  { ledgerId }: Ledger,
  { tenantId, resourceId, range, after, rows, ...kinds }: RequestPage,
): Promise<Positioned<RequestLogEntry>[]> {
  const readers = READERS[order];
  const page = { range, before: after, rows };
  if (resourceId !== null) {
    const wanted = Object.entries(kinds).map(([name, value]) => [name, value === '' ? null : value]);
    const filters = { tenantId, ...Object.fromEntries(wanted) };
    return readers.resource(db, ledgerId, { ...page, arms: [[resourceId]], filters });
  }
  const { method, route, status, errorCode } = kinds;
  const kind = [method, route, status, errorCode];
  if (tenantId !== null) return readers.tenant(db, ledgerId, { ...page, arms: [[tenantId, ...kind]] });
  if (kind.every((part) => part === '')) return readers.all(db, ledgerId, page);
  return readers.kind(db, ledgerId, { ...page, arms: [kind] });
}

const POSITION = statement(
  'request_log_position',
  `select tenant_id, ${momentSql('logged_at')} as moment from request_log where ledger_id = $1 and id = $2`,
);

/** Returns a request's place in the list, and its tenant. */
export async function findRequestPosition(
  db: Db,
  { ledgerId }: Ledger,
  id: string,
): Promise<{ readonly tenantId: string | null; readonly position: readonly [string, string] } | undefined> {
  const [row] = await db.query<{ tenant_id: string | null; moment: string }>(POSITION, [ledgerId, id]);
  return row && { tenantId: row.tenant_id, position: [row.moment, id] };
}

const SWEEP = statement(
  'request_log_sweep',
  `with old as materialized (
     select e.row_id from ledgers l cross join lateral (
       select ctid as row_id from request_log where ledger_id = l.id and logged_at < $1::timestamptz
       order by logged_at limit $2::integer) e
     limit $2::integer
   )
   delete from request_log where ctid = any(array(select row_id from old)) returning 1 as gone`,
);

/** Deletes requests that were written before a moment, at most `requestsMax`. @returns how many */
export async function sweepRequestLog(db: Db, before: Date, requestsMax: number): Promise<number> {
  return (await db.query(SWEEP, [before, requestsMax])).length;
}

const FORGET_KEYS = statement(
  'request_log_forget_keys',
  `with page as materialized (
     select id, idempotency_key ~ $3::text and coalesce(tenant_id, $5::text) = $5::text as has_number from request_log
     where ledger_id = $1::integer and id > $2::text order by id limit $4::integer
   ), forgotten as (
     update request_log r set idempotency_key = null from page p
     where p.has_number and r.ledger_id = $1::integer and r.id = p.id
   )
   select max(id) as last from page`,
);

/**
 * Reads a page of entries after an id. In the entries of the tenant and of no tenant, deletes the Idempotency-Keys that
 * match the pattern. Only these keys can contain the number of a person: numbers in paths are masked.
 * @returns the last id of the page; undefined if the page is empty
 */
export async function forgetKeysWith(
  tx: Tx,
  { ledgerId, after, rows }: { readonly ledgerId: number; readonly after: string; readonly rows: number },
  { tenantId, pattern }: { readonly tenantId: string; readonly pattern: string },
): Promise<string | undefined> {
  const values = [ledgerId, after, pattern, rows, tenantId];
  const [row] = await tx.query<{ last: string | null }>(FORGET_KEYS, values);
  return row?.last ?? undefined;
}
