/** Statements on console sessions and sign-in links. These belong to the whole installation, and use wall time. */
import type { Db, Tx } from '../../../db/database.ts';
import { PAUSED_SQL } from '../../../db/pause.ts';
import { statement } from '../../../db/statement.ts';
import type { Session, SessionDirectory } from '../../../http/edge/authenticate.ts';
import type { EndedKey } from '../api-keys/ledger-queries.ts';
import type { ConsoleRole } from './rules.ts';

/**
 * The rights that a link gives: the rights of a user, or (without a user) the rights to everything or to one account.
 */
export type Grant = {
  readonly role: ConsoleRole;
  readonly account_id: string | null;
  readonly user_id: string | null;
};

export type NewLink = Grant & { readonly token_hash: Buffer; readonly life_s: number };

const INSERT_LINK = statement<NewLink>(
  'console_links_insert',
  `insert into console_links (token_hash, role, account_id, user_id, expires_at)
   values (:token_hash, :role, :account_id, :user_id, now() + make_interval(secs => :life_s))`,
);

export async function insertLink(db: Db, link: NewLink): Promise<void> {
  await db.query(INSERT_LINK, link);
}

// If two requests have one token, the second waits for the first and finds nothing.
const USE_LINK = statement(
  'console_links_use',
  `with used as (delete from console_links where token_hash = $1 returning role, account_id, user_id, expires_at)
   select role, account_id, user_id from used where expires_at > now()`,
);

/** Deletes a link. Returns the identity that it signs in; undefined if the link is unknown or has expired. */
export async function useLink(tx: Tx, tokenHash: Buffer): Promise<Grant | undefined> {
  const [grant] = await tx.query<Grant>(USE_LINK, [tokenHash]);
  return grant;
}

const USER = `(select json_build_object('id', u.id, 'email', u.email) from users u where u.id = s.user_id) as "user"`;
const COLUMNS = `s.id, s.role, ${USER}, s.account_id, s.created_at, s.expires_at, s.last_seen_at, s.user_agent`;

export type NewSession = Grant & {
  readonly id: string;
  readonly secret_hash: Buffer;
  readonly user_agent: string | null;
  readonly life_s: number;
};

const INSERT = statement<NewSession, Session>(
  'console_sessions_insert',
  `insert into console_sessions as s (id, secret_hash, role, account_id, user_id, user_agent, expires_at)
   values (:id, :secret_hash, :role, :account_id, :user_id, :user_agent, now() + make_interval(secs => :life_s))
   returning ${COLUMNS}`,
);

export async function insertSession(tx: Tx, session: NewSession): Promise<Session> {
  const [row] = await tx.query(INSERT, session);
  return row as Session;
}

// One statement finds the session and, at most once a minute, records that it was used.
const FIND = statement(
  'console_sessions_find',
  `with held as (
     select ${COLUMNS}, s.last_seen_at < now() - interval '1 minute' as stale
     from console_sessions s where s.secret_hash = $1 and s.expires_at > now()
   ), touched as (
     update console_sessions s set last_seen_at = now() from held h where h.stale and s.id = h.id
   )
   select s.id, s.role, s."user", s.account_id, s.created_at, s.expires_at,
     case when s.stale then now() else s.last_seen_at end as last_seen_at, s.user_agent, ${PAUSED_SQL} as is_paused
   from held s`,
);

/** Finds the session in force whose secret has this hash. */
export async function findSession(db: Db, secretHash: Buffer): ReturnType<SessionDirectory['find']> {
  const [session] = await db.query<Session & { is_paused: boolean }>(FIND, [secretHash]);
  return session;
}

const FIND_LEDGER = statement(
  'console_find_ledger',
  `select l.id as ledger_id, l.state, l.moved_to, a.status as account_status from ledgers l join accounts a on a.id = l.account_id
   where l.account_id = $1 and l.mode = $2`,
);

type Target = Parameters<SessionDirectory['findLedger']>[0];
type FoundLedger = NonNullable<Awaited<ReturnType<SessionDirectory['findLedger']>>>;

/** Finds the ledger of an account in a mode. */
export async function findLedger(db: Db, { accountId, mode }: Target): Promise<FoundLedger | undefined> {
  const [ledger] = await db.query<FoundLedger>(FIND_LEDGER, [accountId, mode]);
  return ledger;
}

type Page = { readonly before: string | null; readonly rows: number };

// Every id is below 'd', so without a position the range is the whole table.
const LIST = statement(
  'console_sessions_list',
  `select ${COLUMNS} from console_sessions s where s.id < coalesce($1::text, 'd') and s.expires_at > now()
   order by s.id desc limit $2`,
);
const LIST_OF_ACCOUNT = statement(
  'console_sessions_list_of_account',
  `select ${COLUMNS} from console_sessions s
   where s.account_id = $1 and s.id < coalesce($2::text, 'd') and s.expires_at > now() order by s.id desc limit $3`,
);

const LIST_OF_USER = statement(
  'console_sessions_list_of_user',
  `select ${COLUMNS} from console_sessions s
   where s.user_id = $1 and s.id < coalesce($2::text, 'd') and s.expires_at > now() order by s.id desc limit $3`,
);

/**
 * The sessions that a session sees and ends: all sessions, the sessions of one account, or the sessions of one user.
 */
export type Reach = { readonly accountId: string | null } | { readonly userId: string };

/** Lists the sessions in force, newest first. */
export function listSessions(db: Db, reach: Reach, { before, rows }: Page): Promise<Session[]> {
  if ('userId' in reach) return db.query(LIST_OF_USER, [reach.userId, before, rows]);
  if (reach.accountId === null) return db.query(LIST, [before, rows]);
  return db.query(LIST_OF_ACCOUNT, [reach.accountId, before, rows]);
}

/** A session that has ended. Nodes find their cached copy by its hash. */
export type EndedSession = EndedKey & Pick<Grant, 'account_id'> & { readonly id: string };

const ENDED = 'secret_hash as key_hash, id, account_id';
const END = statement('console_sessions_end', `delete from console_sessions where id = $1 returning ${ENDED}`);
const END_OF_ACCOUNT = statement(
  'console_sessions_end_of_account',
  `delete from console_sessions where id = $1 and account_id = $2 returning ${ENDED}`,
);

const END_OF_USER = statement(
  'console_sessions_end_of_user',
  `delete from console_sessions where id = $1 and user_id = $2 returning ${ENDED}`,
);

/** Ends a session within reach. */
export async function endSession(tx: Tx, id: string, reach: Reach): Promise<EndedSession | undefined> {
  const [ended] = await queryEnd(tx, id, reach);
  return ended;
}

function queryEnd(tx: Tx, id: string, reach: Reach): Promise<EndedSession[]> {
  if ('userId' in reach) return tx.query(END_OF_USER, [id, reach.userId]);
  return reach.accountId === null ? tx.query(END, [id]) : tx.query(END_OF_ACCOUNT, [id, reach.accountId]);
}

const END_BY_SECRET = statement(
  'console_sessions_end_by_secret',
  `delete from console_sessions where secret_hash = $1 returning ${ENDED}`,
);

/** Ends the session whose secret has this hash. */
export async function endSessionBySecret(tx: Tx, secretHash: Buffer): Promise<EndedSession | undefined> {
  const [ended] = await tx.query<EndedSession>(END_BY_SECRET, [secretHash]);
  return ended;
}

const SWEEP = ['console_links', 'console_sessions'].map((table) =>
  statement(
    `${table}_sweep`,
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where expires_at < now() order by expires_at limit $1::integer for update skip locked))
     returning 1 as gone`,
  ),
);

/** Deletes expired links and sessions, at most `rowsMax` of each. @returns the larger of the two counts */
export async function sweepExpired(db: Db, rowsMax: number): Promise<number> {
  let most = 0;
  for (const sweep of SWEEP) most = Math.max(most, (await db.query(sweep, [rowsMax])).length);
  return most;
}
