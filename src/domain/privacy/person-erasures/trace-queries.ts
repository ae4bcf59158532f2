/** The statements that remove a person from carriers' reports and answers. Both are kept for a week. */
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import { ERASED_NUMBER, writingsOf } from './scrub.ts';

/** The end of a page: a connection and the carrier's id of a report. */
export type ReportPosition = { readonly connectionId: string; readonly noticeId: string };

/** A report that waits longer is not handed over soon: its connection is disabled. */
const WAITS = '2 minutes';

// The body of a report that is done is never read again. A report that waits is about to become a text or a receipt.
const EMPTY_REPORTS = statement(
  'carrier_inbox_erase',
  `with page as materialized (
     select connection_id, notice_id, state, received_at, (body::text || ' ' || lane_key) ~ $3::text as has_number from carrier_inbox
     where (connection_id, notice_id) > ($1::text, $2::text) order by connection_id, notice_id limit $4::int
   ), emptied as (
     update carrier_inbox i set body = '{}', lane_key = case when i.lane_key ~ $3::text then $5::text else i.lane_key end
     from page p
     where p.has_number and i.connection_id = p.connection_id and i.notice_id = p.notice_id and i.state <> 'waiting'
   )
   select connection_id as "connectionId", notice_id as "noticeId", (
     select coalesce(bool_or(has_number and state = 'waiting' and received_at > clock_timestamp() - interval '${WAITS}'), false)
     from page) as waits
   from page order by 1 desc, 2 desc limit 1`,
);

/**
 * Empties the reports of a page that contain the number, also reports for other tenants. Finished reports are not read
 * again.
 * @returns the last report of the page, and whether one with the number is about to be handed over; undefined if the
 * page is empty
 */
export async function emptyReports(
  tx: Tx,
  { connectionId, noticeId }: ReportPosition,
  { number, rows }: { readonly number: string; readonly rows: number },
): Promise<(ReportPosition & { readonly waits: boolean }) | undefined> {
  const values = [connectionId, noticeId, writingsOf(number), rows, ERASED_NUMBER];
  const [last] = await tx.query<ReportPosition & { readonly waits: boolean }>(EMPTY_REPORTS, values);
  return last;
}

const SCRUB_REQUESTS = statement(
  'carrier_requests_erase',
  `with page as materialized (
     select id, ledger_id, answer::text ~ $3::text as has_number from carrier_requests
     where id > $2::text order by id limit $4::int
   ), scrubbed as (
     update carrier_requests r
     set answer = regexp_replace(r.answer::text, '[+]?(1[ ().-]{0,3})?' || $3::text, $5::text, 'g')::json
     from page p where p.has_number and p.ledger_id = $1::int and r.id = p.id
   )
   select max(id) as last from page`,
);

/**
 * Removes the number from the answers of carriers. @returns the last request of the page; undefined if the page is
 * empty
 */
export async function scrubRequests(
  tx: Tx,
  { ledgerId, after, rows }: { readonly ledgerId: number; readonly after: string; readonly rows: number },
  number: string,
): Promise<string | undefined> {
  const values = [ledgerId, after, writingsOf(number), rows, ERASED_NUMBER];
  const [row] = await tx.query<{ last: string | null }>(SCRUB_REQUESTS, values);
  return row?.last ?? undefined;
}
