/** What the database of a site recorded about a queue. */
import type { Database } from '../../src/db/database.ts';
import { sql } from '../support/jobs.ts';
import type { QueueChange, QueuedCall } from './queue-findings.ts';

/** Makes the database record each change of a caller's place and of an agent's leg. */
export async function watchQueue(db: Database): Promise<void> {
  for (const text of [
    `create table queue_changes (position bigserial, at timestamptz not null default clock_timestamp(), call_id text,
       place text, since timestamptz, agent text, leg text, state text,
       transaction xid8 not null default pg_current_xact_id())`,
    `create function note_place() returns trigger language plpgsql as $$ begin
       if tg_op = 'DELETE' then
         insert into queue_changes (call_id, place, since) values (old.call_id, 'gone', old.since);
         return old;
       end if;
       insert into queue_changes (call_id, place, since) values (new.call_id,
         case when not new.admitted then 'coming' when new.offered then 'offered' else 'waiting' end, new.since);
       return new; end $$`,
    `create function note_leg() returns trigger language plpgsql as $$ begin
       insert into queue_changes (call_id, agent, leg, state) values (new.call_id, new.agent, new.leg_id, new.state);
       return new; end $$`,
    'create trigger note_place after insert or update or delete on queue_entries for each row execute function note_place()',
    'create trigger note_leg after insert or update on queue_agent_legs for each row execute function note_leg()',
  ]) {
    await sql(db, text);
  }
}

const CHANGES = `select extract(epoch from at)::float8 * 1000 as at_ms, call_id, place,
  extract(epoch from since)::float8 * 1000 as since_ms, agent, leg, state,
  transaction::text::float8 as transaction from queue_changes order by position`;

/** Returns the recorded changes, in their order. */
export async function readChanges(db: Database): Promise<QueueChange[]> {
  const rows = await sql<Record<string, string | number | null>>(db, CHANGES);
  return rows.map(({ at_ms: atMs, call_id: callId, since_ms: sinceMs, place, agent, leg, state, transaction }) => {
    return {
      atMs,
      callId,
      transaction,
      ...(place === null ? { agent, leg, state } : { place, sinceMs }),
    } as QueueChange;
  });
}

const CALLS = `select c.id, c.status,
    (select count(*)::int from events e where e.resource_id = c.id and e.type = 'call.completed') as completed,
    (select count(*)::int from events e where e.resource_id = c.id and e.type = 'call.queued') as queued,
    array(select e.data ->> 'reason' from events e where e.resource_id = c.id and e.type = 'call.dequeued') as reasons
  from calls c order by c.id`;

/** Returns all calls, as they ended. */
export function readQueuedCalls(db: Database): Promise<Omit<QueuedCall, 'gaveUp'>[]> {
  return sql(db, CALLS);
}

/** Returns the stage of each call that has not ended. */
export async function readStages(db: Database): Promise<Map<string, string>> {
  const text = `select id, state #>> '{stage,name}' as stage from calls where ended_at is null`;
  const rows = await sql<{ id: string; stage: string }>(db, text);
  return new Map(rows.map(({ id, stage }) => [id, stage]));
}

/** Counts lanes and due jobs. Leaves out sweeps and later jobs, such as actions of callers whose calls have ended. */
export async function countDue(db: Database): Promise<number> {
  const text = `select (select count(*) from lanes)::int + (select count(*) from jobs
    where kind not like 'sweep.%' and run_at < clock_timestamp() + interval '10 s')::int as due`;
  return (await sql<{ due: number }>(db, text))[0]?.due ?? Number.NaN;
}
