/** Telnyx's reports about port-outs: another carrier has asked for numbers of the account. */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import { readNumber } from '../../../lib/phone/party.ts';
import { today } from '../../../lib/time/time.ts';
import type { Notice, Translation } from '../../adapter.ts';
import { findNumberOwner } from '../../connections/owner-queries.ts';
import type { PortOutStatus } from '../../ports/numbers.ts';
import type { TelnyxLine } from '../client/line.ts';

export const PORT_OUT = 'portout.status_changed';
/** The most numbers of one report. If a report has more, the sweep every 15 minutes finds that the others are gone. */
const NUMBERS_MAX = 1_000;

/**
 * An authorized request still waits for its date. A request that Telnyx will reject still waits for the other carrier.
 */
const STATUSES: ReadonlyMap<string, PortOutStatus> = new Map([
  ['pending', 'pending'],
  ['authorized', 'pending'],
  ['rejected-pending', 'pending'],
  ['ported', 'ported'],
  ['rejected', 'rejected'],
  ['canceled', 'rejected'],
]);
const CANCELED = 'The other carrier has canceled its request.';

/** Returns the meaning of Telnyx's word for a request; undefined for an unknown word. */
export function readPortOutStatus(said: string): PortOutStatus | undefined {
  return STATUSES.get(said);
}

/**
 * Returns a notice for each number of a report, because the numbers may belong to several accounts. Leaves out data
 * that the account does not need, above all the PIN that the other carrier tried.
 */
export function reasonOfPortOut(said: string, reason: string | undefined): string | null {
  return reason ?? (said === 'canceled' ? CANCELED : null);
}

/**
 * Returns a notice for each number of a report: the numbers may belong to several accounts. Data that the account does
 * not need is left out, above all the PIN that the other carrier tried.
 */
export function splitPortOut(notice: Notice): readonly Notice[] {
  if (notice.type !== PORT_OUT) return [notice];
  const { id, type, body } = notice;
  const payload = valueAt(body, 'payload');
  const at = textAt(body, 'occurred_at') ?? textAt(body, 'created_at') ?? today().toISOString();
  const [request, status, carrier, reason] = ['id', 'status', 'carrier_name', 'rejection_reason'].map((name) =>
    textAt(payload, name),
  );
  return listAt(payload, 'phone_numbers')
    .slice(0, NUMBERS_MAX)
    .flatMap((entry, index) => {
      const phoneNumber = typeof entry === 'string' ? readNumber(entry) : undefined;
      if (phoneNumber === undefined) return [];
      return [
        { id: `${id}:${index}`, key: phoneNumber, type, body: { phoneNumber, request, status, carrier, reason, at } },
      ];
    });
}

/** Returns the report's facts about one number. */
export async function translatePortOut({ db, connectionId }: TelnyxLine, body: unknown): Promise<Translation> {
  const [phoneNumber, said = ''] = [textAt(body, 'phoneNumber'), textAt(body, 'status')];
  const status = readPortOutStatus(said);
  const occurredAt = new Date(textAt(body, 'at') ?? '');
  if (phoneNumber === undefined || status === undefined || Number.isNaN(occurredAt.getTime())) return { is: 'ignored' };
  const ledger = await findNumberOwner(db, connectionId, phoneNumber);
  if (ledger === undefined) return { is: 'foreign' };
  const reason = reasonOfPortOut(said, textAt(body, 'reason'));
  const carrierRef = textAt(body, 'request') ?? null;
  const carrierName = textAt(body, 'carrier') ?? null;
  const about = { phoneNumber, carrierRef, status, carrierName, reason, occurredAt };
  return { is: 'events', ledger, events: [{ type: 'number.port_out', ...about }] };
}
