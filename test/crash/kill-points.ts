/**
 * Exact moments for killing the product. At some points the product waits in a trigger of the database, for a lock of
 * the run. At the others it waits for the carrier, which never answers.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../support/jobs.ts';
import type { FarSide, RequestMoment } from './far-side.ts';

/** The moments before a row is written, with the trigger that waits there. */
const GATES = {
  // A text or a command of a call, with the work that follows from it.
  'the intent of a text': 'insert on messages',
  'the intent of a command': 'insert on call_commands',
  // A row of the request book, before the request is sent and after its answer.
  'the intent of a dial': 'insert on carrier_requests',
  'the outcome of a dial': 'update on carrier_requests',
  // The outcome of a request that the carrier has answered.
  'the usage of a text or call': 'insert on usage_entries',
  'the outcome of a command': 'delete on call_commands',
  // A verified notice, before its 2xx; and its effects, after it.
  'a notice': 'insert on carrier_inbox',
  'a hand-over': 'update on carrier_inbox',
} as const;

/** The moments of a request: the carrier never gets it, or it does what is asked and never replies. */
const REQUESTS = {
  'a send under way': { request: 'text', isCarriedOut: false },
  'a send without a reply': { request: 'text', isCarriedOut: true },
  'a command under way': { request: 'command', isCarriedOut: false },
  'a command without a reply': { request: 'command', isCarriedOut: true },
} as const satisfies Readonly<Record<string, RequestMoment>>;

type Gate = keyof typeof GATES;
type AtRequest = keyof typeof REQUESTS;

export type KillPoint =
  /** `commits`: the waiting transaction commits although the product is dead. Otherwise it is rolled back. */
  { readonly at: Gate; readonly commits: boolean } | { readonly at: AtRequest };

/** Every point, once. */
export const KILL_POINTS: readonly KillPoint[] = [
  ...Object.keys(REQUESTS).map((at) => ({ at: at as AtRequest })),
  ...[false, true].flatMap((commits) => Object.keys(GATES).map((at) => ({ at: at as Gate, commits }))),
];

/** The first number of the locks, which are pairs. */
const LOCKS = 7_431;
const LOOK_MS = 5;

export type KillPoints = {
  /**
   * Waits until the product is at the point, and calls `kill`. Resolves with false, without a kill, if the product does
   * not come there in time.
   */
  killAt(point: KillPoint, kill: () => Promise<void>, withinMs: number): Promise<boolean>;
  close(): Promise<void>;
};

/** Adds the triggers to a database. No trigger makes the product wait until `killAt` names it. */
export async function openKillPoints(db: Database, databaseUrl: string, farSide: FarSide): Promise<KillPoints> {
  for (const [index, event] of Object.values(GATES).entries()) await addGate(db, index, event);
  const holder = new pg.Client({ connectionString: databaseUrl });
  await holder.connect();
  const killAtGate = async (at: Gate, commits: boolean, { kill, withinMs }: Kill): Promise<boolean> => {
    const gate = Object.keys(GATES).indexOf(at);
    await holder.query('select pg_advisory_lock($1, $2)', [LOCKS, gate]);
    try {
      if (!(await isReached(db, gate, withinMs))) return false;
      await kill();
      if (!commits) await endWaiting(db, gate);
      return true;
    } finally {
      await holder.query('select pg_advisory_unlock($1, $2)', [LOCKS, gate]);
    }
  };
  return {
    killAt: async (point, kill, withinMs) => {
      if ('commits' in point) return killAtGate(point.at, point.commits, { kill, withinMs });
      const isStruck = await farSide.ambush(REQUESTS[point.at], withinMs);
      if (isStruck) await kill();
      return isStruck;
    },
    close: () => holder.end(),
  };
}

type Kill = { readonly kill: () => Promise<void>; readonly withinMs: number };

async function addGate(db: Database, gate: number, event: string): Promise<void> {
  const old = event.startsWith('delete') ? 'old' : 'new';
  await sql(
    db,
    `create function kill_point_${gate}() returns trigger language plpgsql as $$ begin
       perform pg_advisory_xact_lock_shared(${LOCKS}, ${gate}); return ${old}; end $$`,
  );
  await sql(db, `create trigger kill_point_${gate} before ${event} for each row execute function kill_point_${gate}()`);
}

const WAITING = `from pg_locks where locktype = 'advisory' and not granted
  and database = (select oid from pg_database where datname = current_database())
  and classid = $1 and objid = $2`;

async function isReached(db: Database, gate: number, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    if ((await sql(db, `select 1 ${WAITING}`, [LOCKS, gate])).length > 0) return true;
    await pause(LOOK_MS);
  }
  return false;
}

/** Ends the waiting sessions, so that their writes are rolled back. */
async function endWaiting(db: Database, gate: number): Promise<void> {
  await sql(db, `select pg_terminate_backend(pid) ${WAITING}`, [LOCKS, gate]);
}
