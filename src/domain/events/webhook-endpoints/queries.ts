import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { type DisabledReason, FAILING_LIMIT, LIVE_SECRETS_MAX, SECRET_OVERLAP } from './rules.ts';
import type { WebhookEndpoint } from './schema.ts';

const COLUMNS = `id, 'webhook_endpoint' as object, url, enabled_events, description, status, disabled_reason,
  event_version, created_at`;

const INSERT = statement(
  'webhook_endpoints_insert',
  `with endpoint as (
     insert into webhook_endpoints (ledger_id, id, url, enabled_events, description, event_version, created_at)
     values ($1, $2, $3, $4, $5, $6, ledger_now($1)) returning *
   ), secret as (
     insert into webhook_secrets (ledger_id, endpoint_id, id, secret) values ($1, $2, $7, $8)
   )
   select ${COLUMNS} from endpoint`,
);

export type NewEndpoint = {
  id: string;
  url: string;
  enabledEvents: readonly string[] | null;
  description: string | null;
  eventVersion: string;
  secretId: string;
  /** Encrypted. */
  secret: Buffer;
};

export async function insertEndpoint(tx: Tx, { ledgerId }: Ledger, endpoint: NewEndpoint): Promise<WebhookEndpoint> {
  const { id, url, enabledEvents, description, eventVersion, secretId, secret } = endpoint;
  const values = [ledgerId, id, url, enabledEvents, description, eventVersion, secretId, secret];
  const [row] = await tx.query<WebhookEndpoint>(INSERT, values);
  return row as WebhookEndpoint;
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

export async function lockEndpoint(tx: Tx, { ledgerId }: Ledger, id: string): Promise<WebhookEndpoint | undefined> {
  const [row] = await tx.query<WebhookEndpoint>(LOCK, [ledgerId, id]);
  return row;
}

const LIST = statement(
  'webhook_endpoints_list',
  `select ${COLUMNS} from webhook_endpoints
   where ledger_id = $1 and deleted_at is null and ($2::text is null or id < $2) order by id desc limit $3`,
);

export async function listEndpoints(
  db: Db,
  { ledgerId }: Ledger,
  page: { before: string | null; rows: number },
): Promise<WebhookEndpoint[]> {
  return db.query(LIST, [ledgerId, page.before, page.rows]);
}

// A new address or a switching-on is a fresh start: failures of before do not count against it.
const UPDATE = statement(
  'webhook_endpoints_update',
  `update webhook_endpoints set url = $3, enabled_events = $4, description = $5, status = $6, disabled_reason = $7,
     failing_since = case when url = $3 and status = $6 then failing_since end, revision = revision + 1
   where ledger_id = $1 and id = $2 returning ${COLUMNS}`,
);

export type EndpointChange = Pick<
  WebhookEndpoint,
  'url' | 'enabled_events' | 'description' | 'status' | 'disabled_reason'
>;

export async function updateEndpointRow(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
  change: EndpointChange,
): Promise<WebhookEndpoint> {
  const { url, enabled_events, description, status, disabled_reason } = change;
  const values = [ledgerId, id, url, enabled_events, description, status, disabled_reason];
  const [row] = await tx.query<WebhookEndpoint>(UPDATE, values);
  return row as WebhookEndpoint;
}

const DISABLE = statement(
  'webhook_endpoints_disable',
  `update webhook_endpoints set status = 'disabled', disabled_reason = $3, revision = revision + 1
   where ledger_id = $1 and id = $2 and revision = $4 and status = 'active' and deleted_at is null
   returning ${COLUMNS}`,
);

/** Switches off an active endpoint, unless it was changed after `revision`. */
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

/** Adds a secret (encrypted); the ones before it end after the overlap. The endpoint must be locked. */
export async function rotateSecretRow(
  tx: Tx,
  { ledgerId }: Ledger,
  endpointId: string,
  secret: { id: string; sealed: Buffer },
): Promise<void> {
  await tx.query(ROTATE, [ledgerId, endpointId, secret.id, secret.sealed]);
}

// One row per secret, newest first.
const TARGET = statement(
  'webhook_endpoints_target',
  `select e.url, e.event_version, e.revision, s.id as secret_id, s.secret,
     extract(epoch from s.expires_at)::float8 * 1000 as expires_at_ms,
     extract(epoch from l.clock_offset)::float8 * 1000 as clock_offset_ms
   from webhook_endpoints e join webhook_secrets s on s.ledger_id = e.ledger_id and s.endpoint_id = e.id
   join ledgers l on l.id = e.ledger_id
   where e.ledger_id = $1 and e.id = $2 and e.deleted_at is null order by s.id desc`,
);

export type TargetRow = {
  url: string;
  event_version: string;
  revision: number;
  secret_id: string;
  secret: Buffer;
  /** Ledger time, epoch; null for the newest. */
  expires_at_ms: number | null;
  /** How far the ledger's clock runs ahead of the wall. */
  clock_offset_ms: number;
};

/** Where and how to send, with every secret that has not been dropped; empty for an endpoint that is gone. */
export async function findTarget(db: Db, ledgerId: number, endpointId: string): Promise<TargetRow[]> {
  return db.query(TARGET, [ledgerId, endpointId]);
}

const MARK_FAILING = statement(
  'webhook_endpoints_mark_failing',
  `update webhook_endpoints set failing_since = ledger_now($1)
   where ledger_id = $1 and id = $2 and revision = $3 and failing_since is null
   returning failing_since + interval '${FAILING_LIMIT}' as worn_out_at`,
);

/**
 * Notes the first failure after a success. Not a change of revision: nothing that senders keep depends on it.
 * @returns when the run of failures has lasted for too long, in ledger time; undefined if it began before
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
  /** Until the run of failures has lasted for too long. */
  readonly left_ms: number;
};

/** An active endpoint in a run of failures, which begins and ends with nobody else until the transaction does. */
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
