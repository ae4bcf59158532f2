import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';

const FIND_ARCHIVE = statement(
  'archive_find',
  `select current_setting('archive_mode') <> 'off' as is_on,
     extract(epoch from clock_timestamp() - last_archived_time)::float8 / 3600 as age_hours
   from pg_stat_archiver`,
);

/** The state of the database server's archive of its log. The database can be restored from the archive. */
export type Archive = {
  readonly is_on: boolean;
  /** The time since a file was last archived; null if none was. */
  readonly age_hours: number | null;
};

export async function findArchive(db: Db): Promise<Archive> {
  const [row] = await db.query<Archive>(FIND_ARCHIVE, []);
  return row as Archive;
}

/** How many of the latest answered calls of a tenant are read in each direction. */
const CALLS_READ = 20;
/** How many tenants are named. The others are counted. */
const TENANTS_NAMED = 10;

/** Something that parties of a call should be told about. */
export type Listener = 'records' | 'transcribes' | 'speaks';

/** The number of live tenants, and the first TENANTS_NAMED of them. */
export type Tenants = {
  readonly tenants: number;
  readonly named: readonly { readonly id: string; readonly name: string; readonly account_id: string }[];
};

/** The live tenants with one kind of listener and no announcement. */
export type Unannounced = Tenants & { readonly listener: Listener };

const NAMED = `count(*)::int as tenants,
  (array_agg(json_build_object('id', t.id, 'name', t.name, 'account_id', l.account_id) order by t.id))
    [1:${TENANTS_NAMED}] as named`;

// Reads the routing configs of numbers, and the logs of the latest calls.
const LIST_UNANNOUNCED = statement(
  'unannounced_list',
  `select heard.listener, ${NAMED}
   from ledgers l
   join tenants t on t.ledger_id = l.id and t.deleted_at is null
   cross join lateral (
     select case when (r.recording ->> 'enabled')::boolean and not (r.recording ->> 'consent_announcement')::boolean
       then 'records' end as listener
     from routing_configs r
     where r.ledger_id = t.ledger_id and r.tenant_id = t.id and exists (
       select from phone_numbers n where n.ledger_id = r.ledger_id and n.routing_config_id = r.id)
     union
     select 'speaks'
     from routing_configs r
     where r.ledger_id = t.ledger_id and r.tenant_id = t.id and r.listening_announcement is null and exists (
       select from phone_numbers n where n.ledger_id = r.ledger_id and n.routing_config_id = r.id)
       and jsonb_path_exists(json_build_array(r.open_behavior, r.closed_behavior)::jsonb,
         '$.**.targets[*] ? (@ == "application")')
     union
     select case e.type when 'recording_started' then 'records' when 'transcription_started' then 'transcribes'
       else 'speaks' end
     from (values ('inbound'), ('outbound')) ways (direction)
     cross join lateral (
       select c.ledger_id, c.id from calls c
       where c.ledger_id = t.ledger_id
         and (c.tenant_id || '/' || c.direction || '/' || c.status || '/' || coalesce(c.outcome, ''))
           = t.id || '/' || ways.direction || '/completed/answered'
       order by c.started_at desc limit ${CALLS_READ}
     ) c
     join call_events e on e.ledger_id = c.ledger_id and e.call_id = c.id
       and (e.type in ('recording_started', 'transcription_started', 'speech_started')
         or (e.type = 'stream_started' and e.detail ->> 'direction' = 'bidirectional'))
       and not exists (
         select from call_events a where a.ledger_id = e.ledger_id and a.call_id = e.call_id
           and a.position < e.position and a.type = 'announcement_played')
   ) heard
   where l.mode = 'live' and heard.listener is not null
   group by heard.listener`,
);

/** Returns the live tenants that record, transcribe or let software speak without an announcement. */
export async function listUnannounced(db: Db): Promise<Unannounced[]> {
  return await db.query<Unannounced>(LIST_UNANNOUNCED, []);
}

const FIND_UNTEXTED = statement(
  'untexted_contacts_find',
  `select ${NAMED}
   from ledgers l
   join tenants t on t.ledger_id = l.id and t.deleted_at is null
   where l.mode = 'live' and t.emergency_contacts <> '{}' and not exists (
     select from phone_numbers n
     where n.ledger_id = t.ledger_id and n.tenant_id = t.id and n.status = 'active' and 'sms' = any(n.capabilities))
   having count(*) > 0`,
);

/**
 * Finds the live tenants that have emergency contacts, but no number for texts to them. Undefined if there are none.
 */
export async function findUntexted(db: Db): Promise<Tenants | undefined> {
  const [found] = await db.query<Tenants>(FIND_UNTEXTED, []);
  return found;
}
