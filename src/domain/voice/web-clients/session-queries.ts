/** Sessions of web clients: the node that each logged-in web client is connected to. Times are wall time. */

import type { Db, Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { insertJobsSql } from '../../../queue/jobs/job-sql.ts';
import { wake } from '../../../queue/worker/wake.ts';
import { DECIDE_QUEUE } from '../queues/plan-decision.ts';
import type { WebClientName } from './web-client-signal.ts';

/** If a session was not renewed for this long, it is lost with its node. */
const STALE_AFTER_S = 10;

/** Plans decisions of the queues of web clients that can be rung now. `from` has their ledger_id and web_client_id. */
const decidingSql = (from: string, session: string) =>
  insertJobsSql({
    ledgerId: 'o.ledger_id',
    id: `'${DECIDE_QUEUE}:' || a.queue_id || ':' || ${session}`,
    queue: 'voice',
    kind: `'${DECIDE_QUEUE}'`,
    payload: `json_build_object('queueId', a.queue_id)`,
    from: `from ${from} o join queue_agents a on a.ledger_id = o.ledger_id and a.agent = o.web_client_id`,
    onConflict: 'skip',
  });

const OPEN = statement(
  'web_client_sessions_open',
  `with opened as (
   insert into web_client_sessions (ledger_id, web_client_id, session_id, node_id, seen_at)
   select ledger_id, id, $3, $4, clock_timestamp() from web_clients
   where ledger_id = $1 and id = $2 and status = 'active' for share
   on conflict (ledger_id, web_client_id)
     do update set session_id = excluded.session_id, node_id = excluded.node_id, seen_at = excluded.seen_at
   returning ledger_id, web_client_id
   ), decided as (${decidingSql('opened', '$3')} returning 1)
   select exists (select 1 from decided) as decides from opened`,
);

export type WebClientSession = WebClientName & { readonly sessionId: string; readonly nodeId: string };

/** Makes this session the only one of its web client. Returns false if the web client has been revoked. */
export async function openSession(
  db: Db,
  { ledgerId, webClientId, sessionId, nodeId }: WebClientSession,
): Promise<boolean> {
  const [opened] = await db.query<{ decides: boolean }>(OPEN, [ledgerId, webClientId, sessionId, nodeId]);
  if (opened?.decides === true) wake(db, 'jobs', 'voice');
  return opened !== undefined;
}

const CLOSE = statement(
  'web_client_sessions_close',
  'delete from web_client_sessions where ledger_id = $1 and web_client_id = $2 and session_id = $3',
);

/** Deletes a session, unless a newer one has replaced it. */
export async function closeSession(db: Db, { ledgerId, webClientId, sessionId }: WebClientSession): Promise<void> {
  await db.query(CLOSE, [ledgerId, webClientId, sessionId]);
}

const RENEW = statement(
  'web_client_sessions_renew',
  `with node_sessions as (
     select s.ledger_id, s.web_client_id, s.session_id,
       s.seen_at <= clock_timestamp() - make_interval(secs => ${STALE_AFTER_S}) as was_stale
     from web_client_sessions s
     join web_clients w on w.ledger_id = s.ledger_id and w.id = s.web_client_id
     where s.node_id = $1 and s.session_id = any($2::text[]) and w.status = 'active'
     order by s.ledger_id, s.web_client_id for no key update of s skip locked
   ), decided as (${decidingSql('(select * from node_sessions where was_stale)', 'o.session_id')} returning 1)
   update web_client_sessions s set seen_at = clock_timestamp() from node_sessions
   where s.ledger_id = node_sessions.ledger_id and s.web_client_id = node_sessions.web_client_id
   returning s.session_id, exists (select 1 from decided) as decides`,
);

/**
 * Renews sessions of a node. Returns the renewed sessions: not replaced, and of active web clients. Skips locked rows,
 * so that they do not delay the other sessions; the next renewal includes them.
 */
export async function renewSessions(db: Db, nodeId: string, sessionIds: readonly string[]): Promise<Set<string>> {
  const rows = await db.query<{ session_id: string; decides: boolean }>(RENEW, [nodeId, sessionIds]);
  if (rows.some(({ decides }) => decides)) wake(db, 'jobs', 'voice');
  return new Set(rows.map((row) => row.session_id));
}

const STATE = statement(
  'web_client_sessions_state',
  `select w.status, s.session_id from web_clients w
   left join web_client_sessions s on s.ledger_id = w.ledger_id and s.web_client_id = w.id
   where w.ledger_id = $1 and w.id = $2`,
);

/** Returns the state of a session: `replaced` by a newer login, `revoked` with its web client, or `current`. */
export async function readSessionState(
  db: Db,
  { ledgerId, webClientId, sessionId }: WebClientSession,
): Promise<'current' | 'replaced' | 'revoked'> {
  const [row] = await db.query<{ status: string; session_id: string | null }>(STATE, [ledgerId, webClientId]);
  if (row?.status !== 'active') return 'revoked';
  return row.session_id === sessionId ? 'current' : 'replaced';
}

/** The session of a web client that is logged in. */
const liveSession = (ledgerId: string, webClientId: string) => `from web_client_sessions s
   join web_clients w on w.ledger_id = s.ledger_id and w.id = s.web_client_id
   where s.ledger_id = ${ledgerId} and s.web_client_id = ${webClientId} and w.status = 'active'
     and s.seen_at > clock_timestamp() - make_interval(secs => ${STALE_AFTER_S})`;
const LIVE = liveSession('$1', '$2');

/** Returns a query that has a row if a web client is logged in. The parameters are SQL. */
export const liveSessionSql = (ledgerId: string, webClientId: string) =>
  `select 1 ${liveSession(ledgerId, webClientId)}`;

const REACHABLE = statement('web_client_sessions_reachable', `select 1 as reachable ${LIVE}`);

/** Returns true while the web client is logged in. */
export async function isWebClientReachable(db: Db | Tx, { ledgerId, webClientId }: WebClientName): Promise<boolean> {
  return (await db.query(REACHABLE, [ledgerId, webClientId])).length > 0;
}

/** Longer than any outage of the database. If a session is stale for longer, its node is gone. */
const OVERDUE_S = 3_600;

const OVERDUE = statement(
  'web_client_sessions_overdue',
  `select 1 as overdue from web_client_sessions s
   join web_clients w on w.ledger_id = s.ledger_id and w.id = s.web_client_id
   where s.ledger_id = $1 and s.web_client_id = $2 and w.status = 'active'
     and s.seen_at > clock_timestamp() - make_interval(secs => ${OVERDUE_S})`,
);

/**
 * Returns true for a web client that is logged in or was until recently. After an outage of the database, its node may
 * still renew the session.
 */
export async function isWebClientOverdue(db: Db | Tx, { ledgerId, webClientId }: WebClientName): Promise<boolean> {
  return (await db.query(OVERDUE, [ledgerId, webClientId])).length > 0;
}

const LOCK = statement('web_client_sessions_lock', `select 1 as locked ${LIVE} for no key update of s`);

/**
 * Locks the session of a web client until the transaction ends. Every transaction that gives a web client a call takes
 * this lock before it checks that the web client is free, so a web client has one call at a time. Returns false, and
 * locks nothing, if the web client is not logged in.
 */
export async function lockWebClient(tx: Tx, { ledgerId, webClientId }: WebClientName): Promise<boolean> {
  return (await tx.query(LOCK, [ledgerId, webClientId])).length > 0;
}
