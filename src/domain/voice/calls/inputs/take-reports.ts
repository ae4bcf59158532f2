/**
 * Takes the reports of live carriers one by one, each in one statement if possible. The call is read without a lock,
 * and the statement writes only if the call has not changed since. A call that this process has just written is not
 * read again.
 */
import type { CarrierReport, TakeReport } from '../../../../carriers/ports/carrier.ts';
import { isVoiceEvent } from '../../../../carriers/ports/voice.ts';
import type { Database } from '../../../../db/database.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { takeUtterance, type Utterance } from '../../transcripts/take-utterance.ts';
import { stepCallAtOnce } from '../execution/executor.ts';
import { type ReadCall, readCallState } from '../queries.ts';
import { isBeginning, type Report, recordedIn, toInput } from './call-inputs.ts';

/** The most calls in memory: the ones that this process wrote last. */
const RECENT_MAX = 1_000;

/** Returns the function that takes reports of calls. */
export function createReportTaker(): TakeReport {
  const recent = new Map<string, ReadCall>();
  const remember = (key: string, call: ReadCall | undefined) => {
    recent.delete(key);
    if (call === undefined) return;
    recent.set(key, call);
    if (recent.size > RECENT_MAX) recent.delete(recent.keys().next().value ?? '');
  };

  /** Applies the report to a call, and remembers the call as it is after the report. */
  const takeOf = async (db: Database, ledger: Ledger, call: ReadCall, report: ReportOfCall) => {
    const key = keyOf(ledger, call.id);
    const { event } = report;
    const taken =
      event.type === 'leg.utterance'
        ? await takeUtterance(db, ledger, call, { ...report, event })
        : await stepCallAtOnce(db, ledger, call, { ...report, input: toInput(event, recordedIn([event])) });
    remember(key, typeof taken === 'object' ? taken.call : undefined);
    return typeof taken === 'object' ? { joined: taken.joined } : taken;
  };

  /** Returns the call as this process wrote it last, with the report's time as `now`. */
  const recall = (ledger: Ledger, callId: string, { at }: ReportOfCall): ReadCall | undefined => {
    const call = recent.get(keyOf(ledger, callId));
    // The clock of a test ledger differs from the clock of the database.
    if (call === undefined || at === undefined || ledger.mode !== 'live') return undefined;
    return { ...call, now: new Date(Math.max(at.getTime(), call.now.getTime())) };
  };

  return async (db, ledger, { event, ...report }) => {
    if (!isVoiceEvent(event) || isBeginning(event) || event.type === 'stream.started') return 'declined';
    const ofCall: ReportOfCall = { ...report, event };
    const recalled = recall(ledger, event.callRef, ofCall);
    const known = recalled && (await takeOf(db, ledger, recalled, ofCall));
    if (typeof known === 'object') return known;
    // Another process may have changed the call since this process wrote it.
    const call = await readCallState(db, ledger, event.callRef);
    return call === undefined ? 'unknown' : await takeOf(db, ledger, call, ofCall);
  };
}

const keyOf = ({ ledgerId }: Ledger, callId: string) => `${ledgerId}:${callId}`;

type ReportOfCall = Omit<CarrierReport, 'event'> & { readonly event: Report | Utterance };
