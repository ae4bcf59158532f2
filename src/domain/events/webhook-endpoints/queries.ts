import type { Db, Tx } from '../../../db/database.ts';
import { listReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type DisabledReason, ENDPOINTS_MAX, FAILING_LIMIT, LIVE_SECRETS_MAX, SECRET_OVERLAP } from './rules.ts';
import type { WebhookEndpoint } from './schema.ts';

const COLUMNS = `id, 'webhook_endpoint' as object, url, enabled_events, tenant_id, description, status, disabled_reason,
  failing_since, event_version, created_at`;

/**
 * SQL that is true for an endpoint `e` that is failing, or that was disabled because it failed. It is the condition of
 * the index `webhook_endpoints_failing`.
 */
export const IS_FAILING = `e.deleted_at is null
  and (e.failing_since is not null or e.disabled_reason in ('failing', 'gone'))`;

// First key of the transaction locks that serialise creations; the second is the ledger.
const LOCK_CLASS = 7_244_003;

const LOCK_ALL = statement('webhook_endpoints_lock_all', `select pg_advisory_xact_lock(${LOCK_CLASS}, $1)`);

/** Makes other creations of the ledger's endpoints wait until the transaction ends. */
export async function lockEndpoints(tx: Tx, { ledgerId }: Ledger): Promise<void> {
  await tx.query(LOCK_ALL, [ledgerId]);
}

const INSERT = statement(
  'webhook_endpoints_insert',
  `with endpoint as (
     insert into webhook_endpoints (ledger_id, id, url, enabled_events, description, event_version, tenant_id, created_at)
     select $1::integer, $2, $3, $4::text[], $5, $6, $9, ledger_now($1)
     where (select count(*) from webhook_endpoints where ledger_id = $1 and deleted_at is null) < ${ENDPOINTS_MAX}
     returning *
   ), secret as (
     insert into webhook_secrets (ledger_id, endpoint_id, id, secret) select $1::integer, id, $7::text, $8::bytea from endpoint
   )
   select ${COLUMNS} from endpoint`,
);

export type NewEndpoint = {
  id: string;
  url: string;
  enabledEvents: readonly string[] | null;
  tenantId: string | null;
  description: string | null;
  eventVersion: string;
  secretId: string;
  /** Encrypted. */
  secret: Buffer;
};

/** Inserts an endpoint with its secret; undefined if the ledger has ENDPOINTS_MAX endpoints already. */
export async function insertEndpoint(
  tx: Tx,
  { ledgerId }: Ledger,
  endpoint: NewEndpoint,
): Promise<WebhookEndpoint | undefined> {
  const { id, url, enabledEvents, tenantId, description, eventVersion, secretId, secret } = endpoint;
  const values = [ledgerId, id, url, enabledEvents, description, eventVersion, secretId, secret, tenantId];
  const [row] = await tx.query<WebhookEndpoint>(INSERT, values);
  return row;
}

const FIND = statement(
  'webhook_endpoints_find',
  `select ${COLUMNS} from webhook_endpoints where ledger_id = $1 and id = $2 and deleted_at is null`,
);

export async function findEndpoint(db: Db, { ledgerId }: Ledger, id: string): Promise<WebhookEndpoint | undefined> {
  const [row] = await db.query<WebhookEndpoint>(FIND, [ledgerId, id]);
  return row;
}

const LOCK = statement(
  'webhook_endpoints_lock',
  `select ${COLUMNS} from webhook_endpoints where ledger_id = $1 and id = $2 and deleted_at is null for no key update`,
);

export async function lockEndpoint(
  tx: Tx,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  id: string,
): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.query<WebhookEndpoint>(LOCK, [ledgerId, id]);
  return row;
}

const readList = listReader<WebhookEndpoint>(
  { name: 'webhook_endpoints_list', from: ['webhook_endpoints', 'e'], columns: COLUMNS, where: 'e.deleted_at is null' },
  { name: 'ledger', keys: [] },
);

export function listEndpoints(
  db: Db,
  { ledgerId }: Ledger,
  page: { before: string | null; rows: number },
): Promise<WebhookEndpoint[]> {
  return readList(db, ledgerId, page);
}

// A new address or a new status ends the run of failures: earlier failures do not count.
const UPDATE = statement(
  'webhook_endpoints_update',
  `update webhook_endpoints set url = $3, enabled_events = $4, description = $5, status = $6, disabled_reason = $7,
     tenant_id = $8,
     failing_since = case when url = $3 and status = $6 then failing_since end, revision = revision + 1
   where ledger_id = $1 and id = $2 returning ${COLUMNS}`,
);

export type EndpointChange = Pick<
  WebhookEndpoint,
  'url' | 'enabled_events' | 'tenant_id' | 'description' | 'status' | 'disabled_reason'
>;

export async function updateEndpointRow(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
  change: EndpointChange,
): Promise<WebhookEndpoint> {
  const { url, enabled_events, tenant_id, description, status, disabled_reason } = change;
  const values = [ledgerId, id, url, enabled_events, description, status, disabled_reason, tenant_id];
  const [row] = await tx.query<WebhookEndpoint>(UPDATE, values);
  return row as WebhookEndpoint;
}

const DISABLE = statement(
  'webhook_endpoints_disable',
  `update webhook_endpoints set status = 'disabled', disabled_reason = $3, revision = revision + 1
   where ledger_id = $1 and id = $2 and revision = $4 and status = 'active' and deleted_at is null
   returning ${COLUMNS}`,
);

/** Disables an active endpoint, unless it was changed after `revision`. */
export async function disableEndpointRow(
  tx: Tx,
  ledgerId: number,
  { id, reason, revision }: { id: string; reason: DisabledReason; revision: number },
): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.query<WebhookEndpoint>(DISABLE, [ledgerId, id, reason, revision]);
  return row;
}

const DELETE = statement(
  'webhook_endpoints_delete',
  `with secrets as (delete from webhook_secrets where ledger_id = $1 and endpoint_id = $2)
   update webhook_endpoints set deleted_at = ledger_now($1), revision = revision + 1
   where ledger_id = $1 and id = $2`,
);

export async function markEndpointDeleted(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(DELETE, [ledgerId, id]);
}

const ROTATE = statement(
  'webhook_secrets_rotate',
  `with dropped as (
     delete from webhook_secrets where ledger_id = $1 and endpoint_id = $2 and id not in (
       select id from webhook_secrets
       where ledger_id = $1 and endpoint_id = $2 and (expires_at is null or expires_at > ledger_now($1))
       order by id desc limit ${LIVE_SECRETS_MAX - 1})
   ), replaced as (
     update webhook_secrets set expires_at = ledger_now($1) + interval '${SECRET_OVERLAP}'
     where ledger_id = $1 and endpoint_id = $2 and expires_at is null
   ), added as (
     insert into webhook_secrets (ledger_id, endpoint_id, id, secret) values ($1, $2, $3, $4)
   )
   update webhook_endpoints set revision = revision + 1 where ledger_id = $1 and id = $2`,
);

/** Adds a secret (encrypted); earlier secrets expire after the overlap. The endpoint must be locked. */
export async function rotateSecretRow(
  tx: Tx,
  { ledgerId }: Ledger,
  endpointId: string,
  secret: { id: string; sealed: Buffer },
): Promise<void> {
  await tx.query(ROTATE, [ledgerId, endpointId, secret.id, secret.sealed]);
}

const MARK_FAILING = statement(
  'webhook_endpoints_mark_failing',
  `update webhook_endpoints set failing_since = ledger_now($1)
   where ledger_id = $1 and id = $2 and revision = $3 and failing_since is null
   returning failing_since + interval '${FAILING_LIMIT}' as worn_out_at`,
);

/**
 * Stores the first failure after a success. The revision does not change, because nothing that senders cache depends on
 * it.
 * @returns when the run of failures will have lasted too long, in ledger time; undefined if a run had started before
 */
export async function markFailing(tx: Tx, ledgerId: number, id: string, revision: number): Promise<Date | undefined> {
  const [row] = await tx.query<{ worn_out_at: Date }>(MARK_FAILING, [ledgerId, id, revision]);
  return row?.worn_out_at;
}

const LOCK_FAILING = statement(
  'webhook_endpoints_lock_failing',
  `select revision, extract(epoch from failing_since + interval '${FAILING_LIMIT}' - ledger_now($1))::float8 * 1000 as left_ms
   from webhook_endpoints
   where ledger_id = $1 and id = $2 and failing_since is not null and status = 'active' and deleted_at is null
   for no key update`,
);

export type FailingEndpoint = {
  readonly revision: number;
  /** Milliseconds until the run of failures has lasted too long. */
  readonly left_ms: number;
};

/** Locks an active endpoint in a run of failures, so that the run does not start or end during the transaction. */
export async function lockFailing(tx: Tx, ledgerId: number, id: string): Promise<FailingEndpoint | undefined> {
  const [row] = await tx.query<FailingEndpoint>(LOCK_FAILING, [ledgerId, id]);
  return row;
}

const MARK_WORKING = statement(
  'webhook_endpoints_mark_working',
  `update webhook_endpoints set failing_since = null
   where ledger_id = $1 and id = $2 and failing_since is not null`,
);

/** Ends a run of failures. */
export async function markWorking(db: Db, ledgerId: number, id: string): Promise<void> {
  await db.query(MARK_WORKING, [ledgerId, id]);
}
