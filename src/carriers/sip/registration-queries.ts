/** The telephones that are registered at each engine. All times are wall time. */
import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { EngineName } from './engine-queries.ts';

/** Whether a telephone is registered. The name is the engine's. */
export type Registrations = ReadonlyMap<string, boolean>;

const WRITE = statement(
  'sip_registrations_write',
  `with removed as (
     delete from sip_registrations where connection_id = $1 and engine = $2 and endpoint <> all($3::text[]))
   insert into sip_registrations as r (connection_id, engine, endpoint, is_registered, changed_at)
   select $1, $2, w.endpoint, w.is_registered, clock_timestamp()
   from unnest($3::text[], $4::boolean[]) as w (endpoint, is_registered)
   on conflict (connection_id, engine, endpoint) do update
     set is_registered = excluded.is_registered, changed_at = excluded.changed_at
     where r.is_registered <> excluded.is_registered`,
);

/** Stores the states of an engine's telephones. If a state is unchanged, the time of its last change stays. */
export async function writeRegistrations(db: Db, engine: EngineName, seen: Registrations): Promise<void> {
  await db.query(WRITE, [engine.connectionId, engine.name, [...seen.keys()], [...seen.values()]]);
}

const LIST = statement(
  'sip_registrations_list',
  `select r.engine, r.endpoint, r.is_registered as "isRegistered", r.changed_at as "changedAt"
   from sip_engines e join sip_registrations r on r.connection_id = e.connection_id and r.engine = e.name
   where e.connection_id = $1 and e.ready_at is not null and e.owned_until > clock_timestamp()`,
);

export type RegistrationRow = {
  readonly engine: string;
  readonly endpoint: string;
  readonly isRegistered: boolean;
  readonly changedAt: Date;
};

/** Returns the telephones at engines with a connected process. The states at other engines are unknown. */
export async function listRegistrations(db: Db, connectionId: string): Promise<RegistrationRow[]> {
  return await db.query<RegistrationRow>(LIST, [connectionId]);
}
