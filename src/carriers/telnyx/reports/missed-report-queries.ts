/** How far each connection has read the list of reports that Telnyx could not deliver. */
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';

/** The list of reports that began in this time. */
export type MissedList = { readonly since: Date; readonly until: Date; readonly page: number };

/** How far back a connection's first list begins. */
const FIRST = '3 days';
/** Lists overlap, so a new list right after a long one would repeat most of it. */
const REST = '4 minutes';
/** Telnyx lists a delivery only after its last attempt, so each list begins before the previous list ended. */
const OVERLAP = '30 minutes';

// Whole milliseconds: the end of the list comes back as a Date.
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
 * Returns the list that a connection must read: its unfinished one, or a new one up to now. Returns undefined if it has
 * just finished one.
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
