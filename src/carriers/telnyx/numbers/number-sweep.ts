/**
 * Numbers that have left the account. Telnyx reports port-outs only if the account has asked for that, and a report may
 * be lost, so Telnyx is polled too. It has no status for a number that it has suspended.
 */
import { listAt, textAt } from '../../../lib/json-object.ts';
import { readNumber } from '../../../lib/phone/party.ts';
import { today } from '../../../lib/time/time.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { AdapterParts } from '../../adapter.ts';
import { findNumberOwner } from '../../connections/owner-queries.ts';
import type { TelnyxLine } from '../client/line.ts';

const ROUND_MS = 15 * 60_000;
const PORTED_OUT = 'ported-out';
/** Numbers of one page, and the most pages of a round. A number that has left stays in the list. */
const PAGE = 250;
const PAGES_MAX = 20;

type Parts = Pick<AdapterParts, 'db' | 'sink'>;

/** @param lines the open connections by their ids */
export function numberSweep(parts: Parts, lines: ReadonlyMap<string, TelnyxLine>): Sweep {
  return defineSweep({
    ...{ db: parts.db, name: 'telnyx_ported_out', everyMs: ROUND_MS },
    run: async () => {
      for (const line of lines.values()) await reportPortedOut(parts, line);
      return false;
    },
  });
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
    // The next round asks again.
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

/** When a number left. If it was bought again since, reports from before the purchase do not count. */
function leftAt(entry: unknown): Date {
  const changed = new Date(textAt(entry, 'updated_at') ?? '');
  return Number.isNaN(changed.getTime()) ? today() : changed;
}
