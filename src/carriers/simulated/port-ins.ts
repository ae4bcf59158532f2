import type { Database, Db } from '../../db/database.ts';
import { findLedger } from '../../db/ledgers.ts';
import { AREA_CODE_COUNTRY } from '../../lib/phone/nanp.ts';
import { areaCodeOf, isMagicNumber, isTollFree } from '../../lib/phone/phone.ts';
import { enqueue } from '../../queue/jobs/enqueue.ts';
import type { Job, JobHandler } from '../../queue/jobs/job.ts';
import type { CarrierEventSink } from '../ports/carrier.ts';
import { CAPABILITIES } from '../ports/numbers.ts';
import {
  DOCUMENT_KINDS,
  type DocumentKind,
  type PortedNumber,
  type PortInOrder,
  type PortInReport,
  type PortingPort,
} from '../ports/porting.ts';
import { describeInventoryNumber } from './inventory.ts';
import { MAGIC } from './magic-numbers.ts';
import {
  blockPortIn,
  cancelStoredPortIn,
  findStoredPortIn,
  insertPortIn,
  moveStoredPortIn,
  type StoredPortIn,
  type StoredStatus,
  takePortedNumbers,
} from './port-in-queries.ts';
import { readReviewMode } from './registry-queries.ts';

/** When reports are sent: milliseconds of ledger time after the submission. */
const ACTION_NEEDED_MS = 3_000;
const FOC_MS = 5_000;
const COMPLETED_MS = 10_000;

const REPORT_KIND = 'simulated.port_in';
/** The corrections that the losing carrier asks for. */
type Ask = { readonly detail: string; readonly missingDocuments?: readonly DocumentKind[] };
/** `ask` is present for action_needed only. */
type ReportPayload = {
  readonly ref: string;
  readonly attempt: number;
  readonly status: StoredStatus;
  readonly ask?: Ask;
};

const NOT_PORTABLE = 'The losing carrier does not release this number.';
const NOT_US = 'Only US numbers can be ported in.';
const NOT_ASSIGNED = 'No carrier has this number: its area code is not assigned.';
const MISMATCH = 'The account number or PIN does not match what the losing carrier has. Correct it and submit again.';
const INCOMPLETE = 'The losing carrier has only some of the documents that it asks for.';
const CORRECT = 'The losing carrier asks for a correction.';
const GONE = 'One of the numbers is in use on this network by now.';

/** Area code 555 is not assigned, so invented numbers have it. It counts as a US area code. */
const MADE_UP_PREFIX = '+1555';

/**
 * The porting capability of test mode. It also plays the losing carriers. A submission is confirmed after 5 s and
 * completed after 10 s, unless one of its numbers needs action first, or the ledger's review mode is `manual`.
 */
export function createSimulatedPorting(db: Database): PortingPort {
  return {
    checkPortability: async (_, phoneNumbers) =>
      phoneNumbers.map((phone_number) => {
        const reason = obstacleTo(phone_number);
        return { phone_number, portable: reason === null, reason, losing_carrier: losingCarrierOf(phone_number) };
      }),
    submitPortIn: async ({ ledgerId }, order) => {
      await db.transaction(async (tx) => {
        const { ref, attempt, phoneNumbers } = order;
        const focDate = after(order, COMPLETED_MS);
        const isNew = await insertPortIn(tx, ledgerId, { ref, attempt, phoneNumbers, focDate });
        if (!isNew || (await readReviewMode(tx, { ledgerId })) === 'manual') return;
        await enqueue(
          tx,
          stepsOf(order).map((step) => reportJob(ledgerId, order, step)),
        );
      });
      return { outcome: 'accepted' };
    },
    findPortIn: async ({ ledgerId }, { ref, attempt }) => {
      const stored = await findStoredPortIn(db, ledgerId, ref);
      if (stored === undefined || stored.attempt < attempt) return { found: 'absent' };
      return { found: 'accepted', reports: stored.attempt === attempt ? reportsOf(stored) : [] };
    },
    cancelPortIn: async ({ ledgerId }, ref) => {
      await blockPortIn(db, ledgerId, ref);
      // A submission may be stored at the same moment, so one statement reads the status and cancels.
      const isCancelled = await cancelStoredPortIn(db, ledgerId, { ref, from: [...SOURCES.cancelled, 'cancelled'] });
      return isCancelled ? { outcome: 'accepted' } : { outcome: 'rejected', reason: 'too_late' };
    },
  };
}

/** Returns the same losing carrier for all numbers but one. So one port-in can have any of these numbers. */
function losingCarrierOf(phoneNumber: string): string {
  return phoneNumber === MAGIC.portedFromElsewhere ? 'Elsewhere Telephone' : 'Saguaro Telephone';
}

function obstacleTo(phoneNumber: string): string | null {
  if (phoneNumber === MAGIC.notPortable) return NOT_PORTABLE;
  const isPlaceholder = isMagicNumber(phoneNumber) || phoneNumber.startsWith(MADE_UP_PREFIX) || isTollFree(phoneNumber);
  if (isPlaceholder) return null;
  const country = AREA_CODE_COUNTRY.get(areaCodeOf(phoneNumber) ?? '');
  if (country === undefined) return NOT_ASSIGNED;
  return country === 'US' ? null : NOT_US;
}

/** By new status: the earlier statuses that a report may replace. */
const SOURCES: Readonly<Record<StoredStatus, readonly StoredStatus[]>> = {
  in_review: [],
  action_needed: ['in_review', 'foc_confirmed'],
  foc_confirmed: ['in_review'],
  completed: ['foc_confirmed'],
  cancelled: ['in_review', 'action_needed'],
};

type Step = Pick<ReportPayload, 'status' | 'ask'> & { readonly afterMs: number };

/**
 * Returns the reports that follow a submission. One magic number needs a correction after the first submission. A
 * submission with a document needs a document of each kind. A submission without documents needs none.
 */
function stepsOf({ attempt, phoneNumbers, documents }: PortInOrder): Step[] {
  const missingDocuments = DOCUMENT_KINDS.filter((kind) => !documents.some((document) => document.kind === kind));
  const isMismatch = phoneNumbers.includes(MAGIC.portNeedsAction);
  const isIncomplete = documents.length > 0 && missingDocuments.length > 0;
  if (isMismatch ? attempt === 1 : isIncomplete) {
    const detail = isMismatch ? MISMATCH : INCOMPLETE;
    return [{ status: 'action_needed', afterMs: ACTION_NEEDED_MS, ask: { detail, missingDocuments } }];
  }
  return [
    { status: 'foc_confirmed', afterMs: FOC_MS },
    { status: 'completed', afterMs: COMPLETED_MS },
  ];
}

function after({ submittedAt }: PortInOrder, ms: number): Date {
  return new Date(submittedAt.getTime() + ms);
}

function reportJob(ledgerId: number, order: PortInOrder, { afterMs, ...step }: Step) {
  const { ref, attempt } = order;
  const { status } = step;
  const payload: ReportPayload = { ref, attempt, ...step };
  const id = `${REPORT_KIND}:${ref}:${attempt}:${status}`;
  return { ledgerId, queue: 'default', kind: REPORT_KIND, id, payload, dueAt: after(order, afterMs) } as const;
}

/** Handles the report jobs of submissions. */
export function createPortInReporter(db: Database, sink: CarrierEventSink): JobHandler<ReportPayload> {
  return { kind: REPORT_KIND, queue: 'default', run: ([job]) => runReport(db, sink, job as Job<ReportPayload>) };
}

async function runReport(
  db: Database,
  sink: CarrierEventSink,
  { ledgerId, payload }: Job<ReportPayload>,
): Promise<void> {
  const { ref, attempt, status: wanted } = payload;
  const ledger = await findLedger(db, ledgerId);
  const stored = await findStoredPortIn(db, ledgerId, ref);
  if (ledger === undefined || stored?.attempt !== attempt || !SOURCES[wanted].includes(stored.status)) return;
  const isFree = wanted !== 'completed' || (await takePortedNumbers(db, ledgerId, numbersOf(stored)));
  const status = isFree ? wanted : 'action_needed';
  const ask = isFree ? payload.ask : { detail: GONE };
  const report = { ...reportOf(stored, status, null), ...ask };
  await sink(ledger, [{ type: 'port_in.report', ref, attempt, report }]);
  await moveStoredPortIn(db, ledgerId, { ref, attempt, to: status, from: SOURCES[status] });
}

function numbersOf({ ref, phone_numbers: phoneNumbers }: StoredPortIn) {
  return { ref, phoneNumbers };
}

/** Returns the reports that a submission has had. */
function reportsOf(stored: StoredPortIn): PortInReport[] {
  const { status } = stored;
  if (status === 'in_review') return [];
  const last = reportOf(stored, status, status === 'action_needed' ? CORRECT : null);
  return status === 'completed' ? [reportOf(stored, 'foc_confirmed', null), last] : [last];
}

/** Returns the carrier's report about a submission that has moved to `status`. */
export function reportOf(
  { ref, phone_numbers, foc_date: focDate }: Pick<StoredPortIn, 'ref' | 'phone_numbers' | 'foc_date'>,
  status: StoredStatus,
  detail: string | null,
): PortInReport {
  if (status === 'foc_confirmed') return { status, detail, focDate };
  if (status === 'completed') return { status, detail, numbers: phone_numbers.map((number) => ported(number, ref)) };
  return { status: status === 'cancelled' ? status : 'action_needed', detail };
}

function ported(phoneNumber: string, carrierRef: string): PortedNumber {
  const capabilities = describeInventoryNumber(phoneNumber)?.capabilities ?? CAPABILITIES;
  return { phoneNumber, carrierRef, capabilities: capabilities as PortedNumber['capabilities'] };
}

/**
 * Changes the status of a stored submission for the route. Changes nothing and resolves with false if the step
 * completes the port-in and one of its numbers was bought in the meantime.
 */
export async function advanceStoredPortIn(
  db: Db,
  ledgerId: number,
  {
    portIn,
    attempt,
    status,
  }: { portIn: { ref: string; phoneNumbers: readonly string[] }; attempt: number; status: StoredStatus },
): Promise<boolean> {
  if (status === 'completed' && !(await takePortedNumbers(db, ledgerId, portIn))) return false;
  await moveStoredPortIn(db, ledgerId, { ref: portIn.ref, attempt, to: status, from: SOURCES[status] });
  return true;
}
