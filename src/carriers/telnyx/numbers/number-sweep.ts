/**
 * Finds numbers that other carriers request, and numbers that have left the account. Telnyx reports port-outs only to
 * an account that has enabled these reports, and a report may be lost. So Telnyx is polled too. Telnyx has no status
 * for a number that it has suspended.
 */
import { listAt, textAt } from '../../../lib/json-object.ts';
import { readNumber } from '../../../lib/phone/party.ts';
import { now, today } from '../../../lib/time/time.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { AdapterParts } from '../../adapter.ts';
import { findNumberOwner } from '../../connections/owner-queries.ts';
import type { TelnyxLine } from '../client/line.ts';
import { readPortOutStatus, reasonOfPortOut } from './port-out-notices.ts';

const ROUND_MS = 15 * 60_000;
const PORTED_OUT = 'ported-out';
/** The size of a page, and the most pages that a round reads. A number that has left the account stays in the list. */
const PAGE = 250;
const PAGES_MAX = 20;

type Parts = Pick<AdapterParts, 'db' | 'sink'>;

const DAY_MS = 86_400_000;
/** Every request is carried out or ends within this time. */
const REQUESTED_MS = 30 * DAY_MS;
/** A request is not reported if it ended longer ago than this. */
const ENDED_MS = 3 * DAY_MS;

/** @param lines the open connections by their ids */
export function numberSweep(parts: Parts, lines: ReadonlyMap<string, TelnyxLine>): Sweep {
  return defineSweep({
    ...{ db: parts.db, name: 'telnyx_ported_out', everyMs: ROUND_MS },
    run: async () => {
      for (const line of lines.values()) {
        await reportRequests(parts, line);
        await reportPortedOut(parts, line);
      }
      return false;
    },
  });
}

type Request = {
  readonly id: string | null;
  readonly said: string;
  readonly carrierName: string | null;
  readonly reason: string | undefined;
  readonly insertedAt: Date;
  readonly updatedAt: Date;
  readonly phoneNumbers: readonly string[];
};

/** Reports the requests of other carriers for numbers of live ledgers. A repeated report changes nothing. */
async function reportRequests({ db, sink }: Parts, line: TelnyxLine): Promise<void> {
  // For a number with several requests, the newest counts.
  const newest = new Map<string, Request>();
  for (const request of await listRequests(line)) {
    for (const phoneNumber of request.phoneNumbers) {
      const other = newest.get(phoneNumber);
      if (other === undefined || other.insertedAt < request.insertedAt) newest.set(phoneNumber, request);
    }
  }
  for (const [phoneNumber, { id: carrierRef, said, carrierName, reason, updatedAt: occurredAt }] of newest) {
    const status = readPortOutStatus(said);
    const isOld = status !== 'pending' && occurredAt.getTime() < now() - ENDED_MS;
    if (status === undefined || isOld) continue;
    const ledger = await findNumberOwner(db, line.connectionId, phoneNumber);
    if (ledger === undefined) continue;
    const about = { phoneNumber, carrierRef, status, carrierName, reason: reasonOfPortOut(said, reason), occurredAt };
    await sink(ledger, [{ type: 'number.port_out', ...about }]);
  }
}

/** Returns the requests of the last 30 days, from the pages that Telnyx has answered. */
async function listRequests({ client }: TelnyxLine): Promise<readonly Request[]> {
  const requests: Request[] = [];
  const since = new Date(now() - REQUESTED_MS).toISOString();
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = [
      ['filter[inserted_at][gte]', since],
      ['page[number]', String(page)],
      ['page[size]', String(PAGE)],
    ] as const;
    const answer = await client.ask({ method: 'GET', path: '/portouts', query });
    if (answer.is !== 'answered') break;
    const entries = listAt(answer.body, 'data');
    requests.push(...entries.flatMap(readRequest));
    if (entries.length < PAGE) break;
  }
  return requests;
}

function readRequest(entry: unknown): Request[] {
  const insertedAt = new Date(textAt(entry, 'inserted_at') ?? '');
  const updatedAt = new Date(textAt(entry, 'updated_at') ?? textAt(entry, 'inserted_at') ?? '');
  if (Number.isNaN(insertedAt.getTime()) || Number.isNaN(updatedAt.getTime())) return [];
  const phoneNumbers = listAt(entry, 'phone_numbers').flatMap((each) =>
    typeof each === 'string' ? (readNumber(each) ?? []) : [],
  );
  const [id = null, said = '', carrierName = null] = ['id', 'status', 'carrier_name'].map((name) =>
    textAt(entry, name),
  );
  return [{ id, said, carrierName, reason: textAt(entry, 'reason'), insertedAt, updatedAt, phoneNumbers }];
}

/** Reports the numbers of live ledgers that were ported away. A repeated report changes nothing. */
async function reportPortedOut({ db, sink }: Parts, { client, connectionId }: TelnyxLine): Promise<void> {
  for (let page = 1; page <= PAGES_MAX; page++) {
    const query = [
      ['filter[status]', PORTED_OUT],
      ['page[number]', String(page)],
      ['page[size]', String(PAGE)],
    ] as const;
    const answer = await client.ask({ method: 'GET', path: '/phone_numbers', query });
    // The next round repeats the query.
    if (answer.is !== 'answered') return;
    const entries = listAt(answer.body, 'data');
    for (const entry of entries) {
      const phoneNumber = readNumber(textAt(entry, 'phone_number') ?? '');
      if (phoneNumber === undefined || textAt(entry, 'status') !== PORTED_OUT) continue;
      const ledger = await findNumberOwner(db, connectionId, phoneNumber);
      if (ledger === undefined) continue;
      await sink(ledger, [{ type: 'number.ported_out', phoneNumber, occurredAt: leftAt(entry) }]);
    }
    if (entries.length < PAGE) return;
  }
}

/** Returns when a number left. If the number was bought again later, older reports do not count. */
function leftAt(entry: unknown): Date {
  const changed = new Date(textAt(entry, 'updated_at') ?? '');
  return Number.isNaN(changed.getTime()) ? today() : changed;
}
