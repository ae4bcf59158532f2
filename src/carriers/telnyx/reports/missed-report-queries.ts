/** The list of reports that Telnyx could not deliver, and how far each connection has read it. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

/** A part of the list: the reports whose delivery began in this time. */
export type MissedList = { readonly since: Date; readonly until: Date; readonly page: number };

/** How far back a connection's first list begins. */
const FIRST = '3 days';
/** The pause after a finished list. Lists overlap, so an immediate new list would repeat most of the last one. */
const REST = '4 minutes';
/**
 * Each list begins this long before the end of the previous list, because Telnyx lists a delivery only after its last
 * attempt.
 */
const OVERLAP = '30 minutes';

// The statement returns the end of the list as a Date, so the time is cut to milliseconds.
const NOW = "date_trunc('milliseconds', clock_timestamp())";

const OPEN = statement(
  'telnyx_missed_reports_open',
  `insert into telnyx_missed_reports as m (connection_id, asked_until, list_until)
   values ($1, ${NOW} - interval '${FIRST}', ${NOW})
   on conflict (connection_id) do update set list_until = coalesce(m.list_until, excluded.list_until)
     where m.list_until is not null or m.rests_until < clock_timestamp()
   returning asked_until - interval '${OVERLAP}' as since, list_until as until, next_page as page`,
);

/**
 * Returns the list that a connection must read: an unfinished one, or else a new one up to now. Returns undefined if
 * the connection has just finished one.
 */
export async function openMissedList(db: Db, connectionId: string): Promise<MissedList | undefined> {
  const [row] = await db.query<MissedList>(OPEN, [connectionId]);
  return row;
}

const TURN = statement(
  'telnyx_missed_reports_turn',
  `update telnyx_missed_reports set next_page = $3 where connection_id = $1 and list_until = $2`,
);

/** Records which page of the list is next. */
export async function noteMissedPage(db: Db, connectionId: string, { until, page }: MissedList): Promise<void> {
  await db.query(TURN, [connectionId, until, page]);
}

const FINISH = statement(
  'telnyx_missed_reports_finish',
  `update telnyx_missed_reports set asked_until = list_until, list_until = null, next_page = 1,
     rests_until = clock_timestamp() + interval '${REST}'
   where connection_id = $1 and list_until = $2`,
);

/** Records that the list was read to its end. */
export async function finishMissedList(db: Db, connectionId: string, { until }: MissedList): Promise<void> {
  await db.query(FINISH, [connectionId, until]);
}
