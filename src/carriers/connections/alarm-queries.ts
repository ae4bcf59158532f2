import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { CarrierCapability } from '../ports/carrier.ts';
import type { ErrorDetail } from '../ports/outcome.ts';

/**
 * An alarm ends if no request renews it for this time. The time is longer than the pause between attempts of a text.
 */
const LASTS_S = 900;

/** SQL that is true for an open alarm `c`. */
export const IS_OPEN_ALARM = `c.last_at > clock_timestamp() - make_interval(secs => ${LASTS_S})`;

const KEEP = statement(
  'carrier_alarms_keep',
  `insert into carrier_alarms as a (connection_id, capability, carrier_code, title, since, last_at)
   select $1, $2, $3, $4, at, at from (select clock_timestamp() as at) n
   on conflict (connection_id, capability, carrier_code) do update
     set title = excluded.title, last_at = excluded.last_at,
       since = case when a.last_at > excluded.last_at - make_interval(secs => ${LASTS_S}) then a.since
         else excluded.since end`,
);

/** Stores an alarm. If the alarm has ended, it begins again. */
export async function keepAlarm(
  db: Pick<Db, 'query'>,
  { connection, capability, carrier_code, title }: ErrorDetail & { connection: string; capability: CarrierCapability },
): Promise<void> {
  await db.query(KEEP, [connection, capability, carrier_code, title]);
}

export type AlarmRow = ErrorDetail & {
  readonly connection_id: string;
  readonly capability: CarrierCapability;
  readonly since: Date;
  readonly last_at: Date;
};

// The table has one row for each connection, capability and code, so it is small.
const LIST = statement(
  'carrier_alarms_list',
  `select connection_id, capability, carrier_code, title, since, last_at from carrier_alarms c
   where ${IS_OPEN_ALARM}
   order by connection_id, since, capability, carrier_code`,
);

/** Returns the open alarms, by connection, oldest first. */
export function listAlarms(db: Db): Promise<AlarmRow[]> {
  return db.query(LIST, []);
}
