/**
 * Takes the reports of live carriers one by one, each in one statement where it can: the call is not locked but read,
 * and written only if nothing has changed it since. A process that has just written a call need not read it again.
 */
import type { CarrierReport, TakeReport } from '../../../carriers/ports/carrier.ts';
import { isVoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Database } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { takeUtterance } from '../transcripts/take-utterance.ts';
import { type Report, recordedIn, toInput } from './call-inputs.ts';
import { stepCallAtOnce } from './executor.ts';
import { type ReadCall, readCallState } from './queries.ts';

/** Calls that a process remembers, of those that it has written last. */
const RECENT_MAX = 1_000;

/** Returns the function that takes reports of calls. */
export function createReportTaker(): TakeReport {
  const recent = new Map<string, ReadCall>();
  const remember = (key: string, call: ReadCall | undefined) => {
    recent.delete(key);
    if (call === undefined || call.state.endedAtMs !== null) return;
    recent.set(key, call);
    if (recent.size > RECENT_MAX) recent.delete(recent.keys().next().value ?? '');
  };

  /** Returns undefined if the call has to be read. */
  const takeOfRecent = async (db: Database, ledger: Ledger, key: string, report: ReportOfCall) => {
    const [call, { at }] = [recent.get(key), report];
    // The time of a test ledger is not that of the database.
    if (call === undefined || at === undefined || ledger.mode !== 'live') return undefined;
    const now = new Date(Math.max(at.getTime(), call.now.getTime()));
    const taken = await stepCallAtOnce(db, ledger, { ...call, now }, report);
    remember(key, typeof taken === 'object' ? taken.call : undefined);
    return typeof taken === 'object' ? taken : undefined;
  };

  return async (db, ledger, { event, ...report }) => {
    if (!isVoiceEvent(event) || event.type === 'call.arrived' || event.type === 'stream.started') return 'declined';
    if (event.type === 'leg.utterance') return await takeUtterance(db, ledger, event, report.rider);
    const key = `${ledger.ledgerId}:${event.callRef}`;
    const ofCall = { ...report, input: toInput(event as Report, recordedIn([event])) };
    const known = await takeOfRecent(db, ledger, key, ofCall);
    if (known !== undefined) return known;
    const call = await readCallState(db, ledger, event.callRef);
    if (call === undefined) return 'unknown';
    const taken = await stepCallAtOnce(db, ledger, call, ofCall);
    remember(key, typeof taken === 'object' ? taken.call : undefined);
    return taken;
  };
}

type ReportOfCall = Omit<CarrierReport, 'event'> & { readonly input: ReturnType<typeof toInput> };
