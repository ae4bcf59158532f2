import { ACTION_KIND } from '../../src/carriers/simulated/voice/queries.ts';
import type { Database } from '../../src/db/database.ts';
import { CALL_TIMER } from '../../src/domain/voice/calls/execution/write-queries.ts';
import { sql } from './jobs.ts';

/** How much later these people answer than others. */
export const LATE_S = 10;

const DELAY = `
  create table if not exists late_people (address text primary key);
  create or replace function delay_job() returns trigger language plpgsql as $$ begin
    new.due_at := new.due_at + tg_argv[0]::interval;
    new.run_at := new.run_at + tg_argv[0]::interval;
    return new;
  end $$;
  create or replace function is_late(ledger integer, leg text) returns boolean language sql as $$
    select exists (select 1 from simulated_legs join late_people using (address) where ledger_id = ledger and leg_ref = leg)
  $$;
  create or replace trigger answer_late before insert on jobs for each row
    when (new.kind = '${ACTION_KIND}' and new.payload -> 'action' ->> 'do' = 'answer'
      and is_late(new.ledger_id, new.payload -> 'action' ->> 'legRef'))
    execute function delay_job('${LATE_S} s');
  create or replace trigger ring_longer before insert on jobs for each row
    when (new.kind = '${CALL_TIMER}' and new.payload ->> 'name' in ('ring', 'transfer')
      and new.due_at > clock_timestamp() + interval '1 s')
    execute function delay_job('60 s');`;

/** Lets phones ring for a minute longer, so that a call is answered in time even on a busy machine. */
export async function ringLonger(db: Database): Promise<void> {
  await sql(db, `do $do$ begin ${DELAY} end $do$`);
}

/**
 * Repeats the sentences of scripts. The voice of a simulated call to 911 speaks for some seconds and then hangs up. On
 * a busy machine that is over before a page plays it.
 */
const SAY_AGAIN = `
  create or replace function say_again() returns trigger language plpgsql as $$ begin
    new.script := (
      select json_agg(case when step ->> 'do' = 'say'
        then jsonb_set(step, '{text}', to_jsonb(repeat((step ->> 'text') || ' ', 20))) else step end order by position)
      from jsonb_array_elements(new.script::jsonb) with ordinality as steps (step, position));
    return new;
  end $$;
  create or replace trigger say_again before insert on simulated_calls for each row
    when (new.script is not null) execute function say_again()`;

/**
 * Lets people stay on the line for five minutes instead of 15 s, and the voice of 911 speak for more than a minute. For
 * a test that waits for audio in real time.
 */
export async function talkLonger(db: Database): Promise<void> {
  await ringLonger(db);
  await sql(
    db,
    `create or replace trigger talk_longer before insert on jobs for each row
       when (new.kind = '${ACTION_KIND}' and new.payload -> 'action' ->> 'do' = 'hang_up')
       execute function delay_job('300 s')`,
  );
  await sql(db, `do $do$ begin ${SAY_AGAIN}; end $do$`);
}

/**
 * Lets these people answer calls later than others, and phones ring for a minute longer. So a test has time to take a
 * call over and to answer it at a phone, even on a busy machine.
 */
export async function answerLate(db: Database, numbers: readonly string[]): Promise<void> {
  await ringLonger(db);
  await sql(db, 'insert into late_people select unnest($1::text[]) on conflict do nothing', [numbers]);
}
