/** Where web clients that are logged in can be reached. Times are of the wall: sessions have nothing to do with ledger time. */
import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { WebClientName } from './web-client-signal.ts';

/** A session that its node has not renewed for so long is gone with the node. */
const STALE_AFTER_S = 10;

const OPEN = statement(
  'web_client_sessions_open',
  `insert into web_client_sessions (ledger_id, web_client_id, session_id, node_id, seen_at)
   select ledger_id, id, $3, $4, clock_timestamp() from web_clients
   where ledger_id = $1 and id = $2 and status = 'active' for share
   on conflict (ledger_id, web_client_id)
     do update set session_id = excluded.session_id, node_id = excluded.node_id, seen_at = excluded.seen_at
   returning 1 as opened`,
);

export type WebClientSession = WebClientName & { readonly sessionId: string; readonly nodeId: string };

/** Makes this the one session of its web client. False if the web client has been revoked meanwhile. */
export async function openSession(
  db: Db,
  { ledgerId, webClientId, sessionId, nodeId }: WebClientSession,
): Promise<boolean> {
  return (await db.query(OPEN, [ledgerId, webClientId, sessionId, nodeId])).length > 0;
}

const CLOSE = statement(
  'web_client_sessions_close',
  'delete from web_client_sessions where ledger_id = $1 and web_client_id = $2 and session_id = $3',
);

/** Forgets a session; one that a newer has replaced is none any more. */
export async function closeSession(db: Db, { ledgerId, webClientId, sessionId }: WebClientSession): Promise<void> {
  await db.query(CLOSE, [ledgerId, webClientId, sessionId]);
}

const RENEW = statement(
  'web_client_sessions_renew',
  `with mine as (
     select s.ledger_id, s.web_client_id from web_client_sessions s
     join web_clients w on w.ledger_id = s.ledger_id and w.id = s.web_client_id
     where s.node_id = $1 and s.session_id = any($2::text[]) and w.status = 'active'
     order by s.ledger_id, s.web_client_id for no key update of s skip locked
   )
   update web_client_sessions s set seen_at = clock_timestamp() from mine
   where s.ledger_id = mine.ledger_id and s.web_client_id = mine.web_client_id
   returning s.session_id`,
);

/**
 * Renews sessions of a node; returns those that still are what they were: not replaced, and of web clients not revoked. One
 * that somebody holds is passed over for once: the others do not wait for it.
 */
export async function renewSessions(db: Db, nodeId: string, sessionIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ session_id: string }>(RENEW, [nodeId, sessionIds]);
  return new Set(rows.map((row) => row.session_id));
}

const STATE = statement(
  'web_client_sessions_state',
  `select w.status, s.session_id from web_clients w
   left join web_client_sessions s on s.ledger_id = w.ledger_id and s.web_client_id = w.id
   where w.ledger_id = $1 and w.id = $2`,
);

/** What has become of a session: `replaced` by a newer login, `revoked` with its web client. */
export async function readSessionState(
  db: Db,
  { ledgerId, webClientId, sessionId }: WebClientSession,
): Promise<'current' | 'replaced' | 'revoked'> {
  const [row] = await db.query<{ status: string; session_id: string | null }>(STATE, [ledgerId, webClientId]);
  if (row?.status !== 'active') return 'revoked';
  return row.session_id === sessionId ? 'current' : 'replaced';
}

/** The session of a web client that is logged in. */
const LIVE = `from web_client_sessions s
   join web_clients w on w.ledger_id = s.ledger_id and w.id = s.web_client_id
   where s.ledger_id = $1 and s.web_client_id = $2 and w.status = 'active'
     and s.seen_at > clock_timestamp() - make_interval(secs => ${STALE_AFTER_S})`;

const REACHABLE = statement('web_client_sessions_reachable', `select 1 as reachable ${LIVE}`);

/** True while the web client is logged in somewhere. */
export async function isWebClientReachable(db: Db | Tx, { ledgerId, webClientId }: WebClientName): Promise<boolean> {
  return (await db.query(REACHABLE, [ledgerId, webClientId])).length > 0;
}

/** A session that is stale for longer than any outage of the database is of a node that went without a word. */
const OVERDUE_S = 3_600;

const OVERDUE = statement(
  'web_client_sessions_overdue',
  `select 1 as overdue from web_client_sessions s
   join web_clients w on w.ledger_id = s.ledger_id and w.id = s.web_client_id
   where s.ledger_id = $1 and s.web_client_id = $2 and w.status = 'active'
     and s.seen_at > clock_timestamp() - make_interval(secs => ${OVERDUE_S})`,
);

/** True for a web client that is logged in or was until lately: after an outage of the database its node may be about to say so. */
export async function isWebClientOverdue(db: Db | Tx, { ledgerId, webClientId }: WebClientName): Promise<boolean> {
  return (await db.query(OVERDUE, [ledgerId, webClientId])).length > 0;
}

const HOLD = statement('web_client_sessions_hold', `select 1 as held ${LIVE} for no key update of s`);

/**
 * Holds a web client until the transaction ends, once nobody else does: whoever finds it free and takes it holds it before he
 * looks, so that it has one call at a time. False, and nothing is held, where it is not logged in anywhere.
 */
export async function holdWebClient(tx: Tx, { ledgerId, webClientId }: WebClientName): Promise<boolean> {
  return (await tx.query(HOLD, [ledgerId, webClientId])).length > 0;
}
