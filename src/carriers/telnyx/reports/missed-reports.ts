/**
 * Texts that Telnyx could not report during an outage. Telnyx lists failed deliveries with their reports. The reports
 * go into the inbox, which stores each id once. Receipts, calls and registrations are polled elsewhere.
 */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { AdapterParts, Notice } from '../../adapter.ts';
import { isFitNotice, storeNotices } from '../../inbox/queries.ts';
import type { TelnyxLine } from '../client/line.ts';
import { readReport } from './ingress.ts';
import { finishMissedList, noteMissedPage, openMissedList } from './missed-report-queries.ts';

const ROUND_MS = 5 * 60_000;
const TEXT = 'message.received';
/** The size of a page. Each delivery may have six attempts of up to 30 kB, and the client reads at most 2 MB. */
const PAGE = 8;
/** The most pages that a connection reads in one turn. */
const PAGES_MAX = 20;

type Parts = Pick<AdapterParts, 'db' | 'log' | 'metrics'>;

/** @param lines the open connections by their ids */
export function missedReportSweep(parts: Parts, lines: ReadonlyMap<string, TelnyxLine>): Sweep {
  return defineSweep({
    ...{ db: parts.db, name: 'telnyx_missed_reports', everyMs: ROUND_MS },
    run: async () => {
      let isMoreLeft = false;
      for (const line of lines.values()) {
        if (await recover(parts, line)) isMoreLeft = true;
      }
      return isMoreLeft;
    },
  });
}

/** Reads some pages of a connection's list. Returns true if there are more pages and Telnyx answers. */
async function recover({ db, log, metrics }: Parts, { client, connectionId }: TelnyxLine): Promise<boolean> {
  const list = await openMissedList(db, connectionId);
  if (list === undefined) return false;
  const { since, until } = list;
  for (let page = list.page; page < list.page + PAGES_MAX; page++) {
    const query = [
      ['filter[status][eq]', 'failed'],
      ['filter[event_type]', TEXT],
      ['filter[started_at][gte]', since.toISOString()],
      ['filter[started_at][lte]', until.toISOString()],
      ['page[number]', String(page)],
      ['page[size]', String(PAGE)],
    ] as const;
    const answer = await client.ask({ method: 'GET', path: '/webhook_deliveries', query });
    // The next round requests the same page.
    if (answer.is !== 'answered') return false;
    const deliveries = listAt(answer.body, 'data');
    const notices = deliveries.flatMap((delivery) => noticeOf(connectionId, delivery) ?? []);
    const recovered = await storeNotices(db, connectionId, notices);
    if (recovered > 0) log.warn({ connection: connectionId, recovered }, 'texts that Telnyx could not report; fetched');
    metrics.carrierNotices.inc({ kind: 'telnyx', result: 'recovered' }, recovered);
    if (deliveries.length < PAGE) {
      await finishMissedList(db, connectionId, list);
      return false;
    }
    await noteMissedPage(db, connectionId, { ...list, page: page + 1 });
  }
  return true;
}

/**
 * Returns the report of a delivery; undefined if it went to another address, for example that of another connection of
 * the account.
 */
function noticeOf(connectionId: string, delivery: unknown): Notice | undefined {
  const report = valueAt(delivery, 'webhook');
  const isOurs = listAt(delivery, 'attempts').some((attempt) =>
    textAt(attempt, 'http', 'request', 'url')?.includes(`/carrier/telnyx/${connectionId}`),
  );
  if (!isOurs || textAt(report, 'event_type') !== TEXT) return undefined;
  const notice = readReport(report);
  return notice !== undefined && isFitNotice(notice) ? notice : undefined;
}
