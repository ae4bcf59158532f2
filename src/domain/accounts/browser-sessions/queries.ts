/** Statements on browser sessions. They use the wall clock. */
import type { Db, Tx } from '../../../db/database.ts';
import { tenantReader } from '../../../db/list.ts';
import { PAUSED_SQL } from '../../../db/pause.ts';
import { statement } from '../../../db/statement.ts';
import type { KeyHolder } from '../../../http/edge/authenticate.ts';
import type { Ability } from '../../../lib/abilities.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { BrowserSession } from './schema.ts';

/** SQL condition: the key that minted a session `s` is in force, or no key minted it. A session ends with its key. */
const OF_KEY_IN_FORCE = `(s.key_id is null or exists (
     select 1 from api_keys k where k.ledger_id = s.ledger_id and k.id = s.key_id
     and k.revoked_at is null and (k.expires_at is null or k.expires_at > now())))`;

/** The condition of a session `s` that may be used. */
export const SESSION_IN_FORCE = `s.revoked_at is null and s.expires_at > now() and ${OF_KEY_IN_FORCE}`;

const COLUMNS = `s.id, 'browser_session' as object, s.tenant_id, s.abilities, s.allowed_origins, s.web_client_id,
  s.reader, s.created_at, s.expires_at`;

const FIND_HOLDER = statement(
  'browser_sessions_find_holder',
  `select s.id as key_id, s.tenant_id, l.id as ledger_id, l.account_id, l.mode, l.state, l.moved_to, a.status as account_status,
          s.expires_at, ${PAUSED_SQL} as is_paused, s.abilities, s.allowed_origins, s.web_client_id, s.reader
   from browser_sessions s join ledgers l on l.id = s.ledger_id join accounts a on a.id = l.account_id
   where s.token_hash = $1 and ${SESSION_IN_FORCE}`,
);

type HolderRow = Omit<KeyHolder, 'browser'> & {
  abilities: Ability[];
  allowed_origins: string[] | null;
  web_client_id: string | null;
  reader: string | null;
};

/**
 * Finds the session of the token with this hash, if it is in force. Needs no scope: the scope is made from the session.
 */
export async function findSessionHolder(db: Db, tokenHash: Buffer): Promise<KeyHolder | undefined> {
  const [row] = await db.query<HolderRow>(FIND_HOLDER, [tokenHash]);
  if (row === undefined) return undefined;
  const { abilities, allowed_origins: allowedOrigins, web_client_id: webClientId, reader, ...holder } = row;
  return { ...holder, browser: { abilities, allowedOrigins, webClientId, reader } };
}

const INSERT = statement(
  'browser_sessions_insert',
  `insert into browser_sessions as s
     (ledger_id, id, tenant_id, token_hash, key_id, abilities, allowed_origins, web_client_id, reader, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10)) returning ${COLUMNS}`,
);

export type NewSession = Pick<BrowserSession, 'id' | 'tenant_id' | 'allowed_origins' | 'web_client_id' | 'reader'> & {
  readonly abilities: readonly string[];
  readonly tokenHash: Buffer;
  /** Null for a session that no key has minted. */
  readonly keyId: string | null;
  readonly lifeS: number;
};

export async function insertSession(tx: Tx, { ledgerId }: Ledger, session: NewSession): Promise<BrowserSession> {
  const { id, tenant_id, tokenHash, keyId, abilities, allowed_origins, web_client_id, reader, lifeS } = session;
  const who = [ledgerId, id, tenant_id, tokenHash, keyId];
  const values = [...who, abilities, allowed_origins, web_client_id, reader, lifeS];
  const [row] = await tx.query<BrowserSession>(INSERT, values);
  return row as BrowserSession;
}

const readList = tenantReader<BrowserSession>({
  name: 'browser_sessions_list',
  from: ['browser_sessions', 's'],
  columns: COLUMNS,
  where: 's.revoked_at is null',
  shown: SESSION_IN_FORCE,
});

/** Lists the sessions in force, newest first. */
export function listSessions(
  db: Db,
  { ledgerId }: Ledger,
  page: { tenantId: string | null; before: string | null; rows: number },
): Promise<BrowserSession[]> {
  return readList(db, ledgerId, page);
}

/** The hash of a session that has ended. Nodes find their cached copy with it. */
export type EndedSession = { token_hash: Buffer };

const FIND = statement(
  'browser_sessions_find',
  'select tenant_id from browser_sessions where ledger_id = $1 and id = $2 for update',
);

/** Locks a session, in force or not, until the transaction ends. */
export async function lockSession(
  tx: Tx,
  { ledgerId }: Ledger,
  id: string,
): Promise<{ tenant_id: string } | undefined> {
  const [row] = await tx.query<{ tenant_id: string }>(FIND, [ledgerId, id]);
  return row;
}

const REVOKE = statement(
  'browser_sessions_revoke',
  `update browser_sessions set revoked_at = coalesce(revoked_at, now())
   where ledger_id = $1 and id = $2 returning token_hash`,
);

export function revokeSession(tx: Tx, { ledgerId }: Ledger, id: string): Promise<EndedSession[]> {
  return tx.query(REVOKE, [ledgerId, id]);
}

const REVOKE_OF_TENANT = statement(
  'browser_sessions_revoke_of_tenant',
  `update browser_sessions set revoked_at = now()
   where ledger_id = $1 and tenant_id = $2 and revoked_at is null returning token_hash`,
);

export function revokeSessionsOfTenant(tx: Tx, { ledgerId }: Ledger, tenantId: string): Promise<EndedSession[]> {
  return tx.query(REVOKE_OF_TENANT, [ledgerId, tenantId]);
}

const SWEEP = statement(
  'browser_sessions_sweep',
  `delete from browser_sessions where ctid = any(array(
     select ctid from browser_sessions where expires_at < now() order by expires_at limit $1::integer
     for update skip locked))
   returning 1 as gone`,
);

/** Deletes sessions that have expired, at most `sessionsMax`. @returns how many */
export async function sweepSessions(db: Db, sessionsMax: number): Promise<number> {
  return (await db.query(SWEEP, [sessionsMax])).length;
}
