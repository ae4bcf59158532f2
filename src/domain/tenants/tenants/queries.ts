import { isDeepStrictEqual } from 'node:util';
import type { Db, Tx } from '../../../db/database.ts';
import { listReader } from '../../../db/list.ts';
import { statement } from '../../../db/statement.ts';
import { hasWordsSql, wordReader } from '../../../db/word-list.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { wordsOf } from '../../../lib/words.ts';
import { type AutoReplies, type QuietHours, type Retention, SENDER_NAME_CHARS_MAX, type Tenant } from './schema.ts';

/** SQL for the tenant's name that recipients know. `tenant` is the alias of its row. */
export function senderNameSql(tenant: string): string {
  return `coalesce(${tenant}.sender_name, rtrim(left(ltrim(${tenant}.name), ${SENDER_NAME_CHARS_MAX})))`;
}

/** The retention of a tenant that has set no limit. */
export const KEPT: Retention = {
  message_days: null,
  recording_days: null,
  voicemail_days: null,
  transcript_days: null,
};

/** The automatic replies of a tenant that has set none. */
export const UNANSWERED: AutoReplies = { missed_call: null, after_hours: null, once_every_hours: 12 };

const COLUMNS = `t.id, 'tenant' as object, t.name, t.external_ref, t.timezone, ${senderNameSql('t')} as sender_name,
  t.support_contact, t.quiet_hours, coalesce(t.retention, '${JSON.stringify(KEPT)}') as retention,
  t.emergency_contacts, coalesce(t.auto_replies, '${JSON.stringify(UNANSWERED)}') as auto_replies, t.metadata, t.created_at`;

const INSERT = statement(
  'tenants_insert',
  `insert into tenants as t (ledger_id, id, name, external_ref, timezone, sender_name, support_contact, metadata,
     quiet_hours, retention, emergency_contacts, auto_replies, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, ledger_now($1)) returning ${COLUMNS}`,
);

export type NewTenant = {
  id: string;
  name: string;
  externalRef: string | null;
  timezone: string;
  /** Null: the default. Undefined in an update: unchanged. */
  senderName: string | null | undefined;
  supportContact: string | null;
  metadata: Record<string, string>;
  quietHours: QuietHours | null;
  retention: Retention;
  emergencyContacts: readonly string[];
  autoReplies: AutoReplies;
};

function valuesOf({ ledgerId }: Ledger, tenant: NewTenant): unknown[] {
  const {
    id,
    name,
    externalRef,
    timezone,
    senderName = null,
    supportContact,
    metadata,
    quietHours,
    retention,
  } = tenant;
  const values = [id, name, externalRef, timezone, senderName, supportContact, JSON.stringify(metadata)];
  const limits = Object.values(retention).some((days) => days !== null) ? JSON.stringify(retention) : null;
  const replies = isDeepStrictEqual(tenant.autoReplies, UNANSWERED) ? null : JSON.stringify(tenant.autoReplies);
  return [ledgerId, ...values, quietHours && JSON.stringify(quietHours), limits, tenant.emergencyContacts, replies];
}

export async function insertTenant(tx: Tx, ledger: Ledger, tenant: NewTenant): Promise<Tenant> {
  const [row] = await tx.query<Tenant>(INSERT, valuesOf(ledger, tenant));
  return row as Tenant;
}

const FIND = statement(
  'tenants_find',
  `select ${COLUMNS} from tenants t where ledger_id = $1 and id = $2 and deleted_at is null`,
);

/** Finds a tenant that has not been deleted. */
export async function findTenant(db: Db, { ledgerId }: Ledger, id: string): Promise<Tenant | undefined> {
  const [row] = await db.query<Tenant>(FIND, [ledgerId, id]);
  return row;
}

const FIND_IDS = statement(
  'tenants_find_ids',
  'select id from tenants where ledger_id = $1 and id = any($2::text[]) and deleted_at is null',
);

/** Returns the given ids that are tenants of the ledger, without deleted ones. */
export async function findTenantIds(
  db: Db,
  { ledgerId }: Ledger,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ id: string }>(FIND_IDS, [ledgerId, ids]);
  return new Set(rows.map(({ id }) => id));
}

const FIND_LIVE = statement(
  'tenants_find_live',
  `select l.id as ledger_id, l.account_id from ledgers l
   join tenants t on t.ledger_id = l.id and t.id = $1 and t.deleted_at is null where l.mode = 'live'`,
);

/** Returns the live ledger of a tenant, for commands of the operator, which name no account. */
export async function findLiveLedger(db: Db, tenantId: string): Promise<Ledger | undefined> {
  const [row] = await db.query<{ ledger_id: number; account_id: string }>(FIND_LIVE, [tenantId]);
  return row && { ledgerId: row.ledger_id, accountId: row.account_id, mode: 'live' };
}

const LOCK = statement(
  'tenants_lock',
  `select ${COLUMNS} from tenants t where ledger_id = $1 and id = $2 and deleted_at is null for update`,
);

export async function lockTenant(tx: Tx, { ledgerId }: Ledger, id: string): Promise<Tenant | undefined> {
  const [row] = await tx.query<Tenant>(LOCK, [ledgerId, id]);
  return row;
}

const LOCK_SHARED = statement(
  'tenants_lock_shared',
  'select 1 from tenants where ledger_id = $1 and id = $2 and deleted_at is null for key share',
);

/**
 * Prevents deletion of a tenant until the transaction ends, for a transaction that adds to the tenant without changing
 * it. Many transactions may hold this lock at the same time. Inserting a row that refers to the tenant takes the same
 * lock, but does not see a deletion that it waited for.
 * @returns false if the tenant has been deleted
 */
export async function lockTenantShared(tx: Tx, { ledgerId }: Pick<Ledger, 'ledgerId'>, id: string): Promise<boolean> {
  return (await tx.query(LOCK_SHARED, [ledgerId, id])).length > 0;
}

const EXISTED = statement('tenants_existed', 'select 1 from tenants where ledger_id = $1 and id = $2');

/** Returns true also for a deleted tenant, whose history stays readable. */
export async function tenantExisted(db: Db, { ledgerId }: Ledger, id: string): Promise<boolean> {
  return (await db.query(EXISTED, [ledgerId, id])).length > 0;
}

const DROP_WORDS = statement(
  'tenant_words_drop',
  'delete from tenant_words where ledger_id = $1 and tenant_id = $2 and word <> all($3::text[])',
);
const WRITE_WORDS = statement(
  'tenant_words_write',
  `insert into tenant_words (ledger_id, tenant_id, word) select $1, $2, word from unnest($3::text[]) as i (word)
   on conflict do nothing`,
);

/** Stores the words of a tenant's name for the search. Former words are deleted. */
export async function writeTenantWords(tx: Tx, { ledgerId }: Ledger, id: string, name: string): Promise<void> {
  const values = [ledgerId, id, wordsOf(name)];
  await tx.query(DROP_WORDS, values);
  await tx.query(WRITE_WORDS, values);
}

const WORDS = ['tenant_words', 'tenant_id'] as const;

/** Reads tenants by the starts of the words of their names. */
export const readTenantsByWord = wordReader<Tenant>({
  name: 'tenants_by_word',
  words: WORDS,
  from: ['tenants', 't'],
  columns: COLUMNS,
  shown: 't.deleted_at is null',
});

const LIST = { name: 'tenants_list', from: ['tenants', 't'], columns: COLUMNS, where: 't.deleted_at is null' } as const;
const readLedger = listReader<Tenant>(LIST, { name: 'ledger', keys: [] });
const readByRef = listReader<Tenant>(
  { ...LIST, filters: { id: 't.id = ?', words: hasWordsSql(WORDS, '?', 't.id') } },
  { name: 'external_ref', keys: [{ sql: 't.external_ref' }], where: 't.external_ref is not null' },
);
const readOwn = listReader<Tenant>(LIST, { name: 'own', keys: [{ sql: 't.id' }] });

type TenantPage = {
  readonly externalRef: string | null;
  /** Each word is the start of a word of the name. Can be combined with a reference. */
  readonly words: readonly string[] | null;
  readonly before: string | null;
  readonly rows: number;
};

/** Returns tenants, newest first; for a key of one tenant, that tenant alone. */
export function listTenants(
  db: Db,
  { ledgerId, tenantId }: Scope,
  { externalRef, words, ...page }: TenantPage,
): Promise<Tenant[]> {
  if (externalRef !== null) {
    const filters = { id: tenantId, words: words?.join(' ') };
    return readByRef(db, ledgerId, { ...page, arms: [[externalRef]], filters });
  }
  return tenantId === null ? readLedger(db, ledgerId, page) : readOwn(db, ledgerId, { ...page, arms: [[tenantId]] });
}

const UPDATE = statement(
  'tenants_update',
  `update tenants t set name = $3, external_ref = $4, timezone = $5,
     sender_name = case when $13 then t.sender_name else $6 end, support_contact = $7, metadata = $8, quiet_hours = $9,
     retention = $10, emergency_contacts = $11, auto_replies = $12
   where ledger_id = $1 and id = $2 returning ${COLUMNS}`,
);

export async function updateTenantRow(tx: Tx, ledger: Ledger, tenant: NewTenant): Promise<Tenant> {
  const [row] = await tx.query<Tenant>(UPDATE, [...valuesOf(ledger, tenant), tenant.senderName === undefined]);
  return row as Tenant;
}

const DELETE = statement(
  'tenants_delete',
  'update tenants set deleted_at = ledger_now($1) where ledger_id = $1 and id = $2 and deleted_at is null',
);

export async function markTenantDeleted(tx: Tx, { ledgerId }: Ledger, id: string): Promise<void> {
  await tx.query(DELETE, [ledgerId, id]);
}
