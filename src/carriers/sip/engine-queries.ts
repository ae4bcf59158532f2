/** The process that is connected to each engine. All times are wall time. */
import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

/** If a process does not renew its hold on an engine for this time, the hold ends. */
export const OWNED_MS = 4_000;

const HOLD = statement(
  'sip_engines_hold',
  `insert into sip_engines as e (connection_id, name, owner, owned_until)
   values ($1, $2, $3, clock_timestamp() + interval '${OWNED_MS} milliseconds')
   on conflict (connection_id, name) do update
     set owner = $3, owned_until = clock_timestamp() + interval '${OWNED_MS} milliseconds',
       ready_at = case when $4 then coalesce(e.ready_at, clock_timestamp()) end,
       seen_at = case when $4 then clock_timestamp() else e.seen_at end
     where e.owner = $3 or e.owner is null or e.owned_until < clock_timestamp()
   returning coalesce(e.seen_at, clock_timestamp()) as "seenAt"`,
);

export type EngineName = { readonly connectionId: string; readonly name: string };

/** An engine that this process holds, and the latest time when any process was connected to it. */
export type HeldEngine = { readonly seenAt: Date };

/**
 * Holds an engine, or renews the hold. `isReady`: the process receives its events. Returns undefined if another process
 * holds it.
 */
export async function holdEngine(
  db: Db,
  { connectionId, name }: EngineName,
  { owner, isReady }: { readonly owner: string; readonly isReady: boolean },
): Promise<HeldEngine | undefined> {
  const [held] = await db.query<HeldEngine>(HOLD, [connectionId, name, owner, isReady]);
  return held;
}

const LEAVE = statement(
  'sip_engines_leave',
  `update sip_engines set owner = null, owned_until = null, ready_at = null
   where connection_id = $1 and name = $2 and owner = $3`,
);

/** Releases an engine, so that another process can hold it. */
export async function leaveEngine(db: Db, { connectionId, name }: EngineName, owner: string): Promise<void> {
  await db.query(LEAVE, [connectionId, name, owner]);
}

const IS_READY = statement(
  'sip_engines_is_ready',
  `select 1 from sip_engines
   where connection_id = $1 and name = $2 and ready_at is not null and owned_until > clock_timestamp()`,
);

/**
 * True while a process is connected to an engine. Otherwise the engine hangs up every channel that enters the
 * application.
 */
export async function isEngineReady(db: Db, { connectionId, name }: EngineName): Promise<boolean> {
  return (await db.query(IS_READY, [connectionId, name])).length > 0;
}
