/** Port-ins through Telnyx. Telnyx's answers about its orders are authoritative. Its reports only show when to ask. */
import { listAt, textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { now } from '../../../lib/time/time.ts';
import type { Found, Outcome } from '../../ports/outcome.ts';
import type { Portability, PortedNumber, PortInOrder, PortInReport, PortingPort } from '../../ports/porting.ts';
import { isMissing, outcomeOf, reasonOf, requireBody } from '../client/client.ts';
import type { TelnyxLine } from '../client/line.ts';
import { readNumber } from '../numbers/numbers.ts';
import { findStoredPortIn, forgetDocuments, markSubmitted, type StoredPortIn } from './port-in-queries.ts';
import {
  giveUpOrder,
  isAlive,
  isOurTurn,
  listOrders,
  listSubmittedOrders,
  type Orders,
  type PortingOrder,
  type Problem,
  uncovered,
} from './porting-orders.ts';
import { readProgress } from './porting-progress.ts';
import { settleMissingOrders, submitPortIn } from './porting-submission.ts';

/** How long before the date of the losing carrier Telnyx stops accepting cancellations. */
const CANCEL_UNTIL_MS = 48 * 3_600_000;
/** The most numbers that are looked up concurrently. */
const LOOKED_UP_MAX = 20;
const NO_VERDICT = 'Telnyx does not say whether this number can be ported.';

export function createPorting(line: TelnyxLine): PortingPort {
  return {
    checkPortability: (_ledger, phoneNumbers) => checkPortability(line, phoneNumbers),
    submitPortIn: (ledger, order) => submitPortIn(line, ledger, order),
    findPortIn: (ledger, submission) => findPortIn(line, ledger, submission),
    cancelPortIn: (ledger, ref) => cancelPortIn(line, ledger, ref),
  };
}

async function checkPortability({ client }: TelnyxLine, phoneNumbers: readonly string[]): Promise<Portability[]> {
  const body = { phone_numbers: phoneNumbers };
  const answer = await client.ask({ method: 'POST', path: '/portability_checks', body });
  if (answer.is === 'refused' && answer.status === 422) {
    const reason = reasonOf(answer);
    return phoneNumbers.map((phone_number) => ({ phone_number, portable: false, reason, losing_carrier: null }));
  }
  const verdicts = listAt(requireBody(answer), 'data');
  return phoneNumbers.map((phone_number) => {
    const verdict = verdicts.find((found) => textAt(found, 'phone_number') === phone_number);
    const portable = valueAt(verdict, 'portable') === true;
    return {
      phone_number,
      portable,
      reason: portable ? null : textAt(verdict, 'not_portable_reason') || NO_VERDICT,
      losing_carrier: losingCarrierOf(verdict),
    };
  });
}

/** Reads the losing carrier of a verdict. Telnyx's pages show this field, but its types lack it. */
function losingCarrierOf(verdict: unknown): string | null {
  return textAt(verdict, 'carrier_name') || null;
}

type Named = { readonly ref: string; readonly attempt: number };
type Reported = { readonly reports: readonly PortInReport[] };

/** Finds a submission and its reports so far. A part that Telnyx does not have may be sent again. */
async function findPortIn(line: TelnyxLine, ledger: Ledger, { ref, attempt }: Named): Promise<Found<Reported>> {
  const found = await lookUpPortIn(line, ledger, { ref, attempt });
  if ('missing' in found) await settleMissingOrders(line, found, found.missing);
  return 'missing' in found ? { found: 'absent' } : found;
}

/** A submission that Telnyx has only partly or not at all. `missing` are the numbers without an order. */
type Partly = Pick<PortInOrder, 'ref' | 'attempt' | 'phoneNumbers'> & { readonly missing: readonly string[] };

/** Looks up a submission. Changes nothing but its stored state. */
export async function lookUpPortIn(
  line: TelnyxLine,
  { ledgerId }: Ledger,
  { ref, attempt }: Named,
): Promise<Found<Reported> | Partly> {
  const { db, connectionId } = line;
  const name = { ledgerId, connectionId, ref };
  const stored = await findStoredPortIn(db, name);
  if (stored === undefined || stored.attempt < attempt) return { found: 'absent' };
  if (stored.attempt > attempt) return { found: 'accepted', reports: [] };
  const listed = await listKnown(line, ref, stored);
  if ('problem' in listed) return { found: 'undecided' };
  const { orders } = listed;
  if (!stored.isSubmitted) {
    const { phoneNumbers } = stored;
    if (!isWhole(stored, orders)) return { ref, attempt, phoneNumbers, missing: uncovered(phoneNumbers, orders) };
    await markSubmitted(db, name, attempt);
  }
  const reports = await readReports(line, orders, stored.phoneNumbers);
  const last = reports.at(-1)?.status;
  if (last === 'completed' || last === 'cancelled') await forgetDocuments(db, name);
  return { found: 'accepted', reports };
}

function listKnown(line: TelnyxLine, ref: string, { isSubmitted, phoneNumbers }: StoredPortIn): Promise<Orders> {
  return isSubmitted ? listSubmittedOrders(line, { ref, phoneNumbers }) : listOrders(line, { ref });
}

/**
 * True if Telnyx has accepted a whole submission although its answers were lost. In that case each number has an order,
 * and no order waits for us. An order in exception counts as waiting, even if the exception is older than the
 * submission: a second confirmation has no effect.
 */
function isWhole({ phoneNumbers }: StoredPortIn, orders: readonly PortingOrder[]): boolean {
  return uncovered(phoneNumbers, orders).length === 0 && !orders.filter(isAlive).some(isOurTurn);
}

async function readReports(
  line: TelnyxLine,
  orders: readonly PortingOrder[],
  phoneNumbers: readonly string[],
): Promise<PortInReport[]> {
  const progress = readProgress(orders, phoneNumbers);
  if (progress.is === 'in_review') return [];
  if (progress.is === 'action_needed') return [{ status: 'action_needed', detail: progress.detail }];
  const confirmed: PortInReport[] =
    progress.focDate === null ? [] : [{ status: 'foc_confirmed', detail: null, focDate: progress.focDate }];
  if (progress.is === 'foc_confirmed') return confirmed;
  if (progress.is === 'cancelled') {
    const { detail } = progress;
    // A confirmed port-in can end only after action_needed.
    const stopped: PortInReport[] = confirmed.length === 0 ? [] : [{ status: 'action_needed', detail }];
    return [...confirmed, ...stopped, { status: 'cancelled', detail }];
  }
  const numbers = await readPorted(line, phoneNumbers);
  return numbers === undefined ? confirmed : [...confirmed, { status: 'completed', detail: null, numbers }];
}

/** Returns the numbers in the account; undefined until the account has all of them. */
async function readPorted(line: TelnyxLine, phoneNumbers: readonly string[]): Promise<PortedNumber[] | undefined> {
  const numbers: PortedNumber[] = [];
  for (let from = 0; from < phoneNumbers.length; from += LOOKED_UP_MAX) {
    const page = phoneNumbers.slice(from, from + LOOKED_UP_MAX);
    const found = await Promise.all(page.map((phoneNumber) => readNumber(line, phoneNumber)));
    for (const [at, number] of found.entries()) {
      if (number.found !== 'accepted') return undefined;
      const { carrierRef, capabilities } = number;
      numbers.push({ phoneNumber: page[at] ?? '', carrierRef, capabilities });
    }
  }
  return numbers;
}

async function cancelPortIn(line: TelnyxLine, { ledgerId }: Ledger, ref: string): Promise<Outcome<object, 'too_late'>> {
  const { db, connectionId } = line;
  const stored = await findStoredPortIn(db, { ledgerId, connectionId, ref });
  if (stored === undefined) return { outcome: 'accepted' };
  const listed = await listKnown(line, ref, stored);
  if ('problem' in listed) return failureOf(listed.problem);
  const alive = listed.orders.filter(isAlive);
  if (alive.some(isTooLate)) return { outcome: 'rejected', reason: 'too_late' };
  for (const order of alive) {
    const answer = await giveUpOrder(line, order);
    if (answer.is !== 'answered' && !isMissing(answer)) return failureOf(answer);
  }
  return { outcome: 'accepted' };
}

function isTooLate({ status, focDate }: PortingOrder): boolean {
  if (status === 'ported') return true;
  return status === 'foc-date-confirmed' && focDate !== null && focDate.getTime() - now() < CANCEL_UNTIL_MS;
}

/** Returns the outcome of a failed cancellation. Telnyx answers 422 if it is too late to cancel the order. */
function failureOf(problem: Problem): Outcome<object, 'too_late'> {
  if (problem.is !== 'refused') return outcomeOf(problem);
  return problem.status === 422 ? { outcome: 'rejected', reason: 'too_late' } : { outcome: 'unavailable' };
}
