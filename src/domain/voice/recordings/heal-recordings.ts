/**
 * Asks carriers for recordings that they have not reported: two minutes after the end of the call, and then at growing
 * intervals for a day. If the carrier has a recording, it is kept as if it were reported. If the carrier does not have
 * it, or does not find it in that time, the call's log gets a recording without audio.
 */
import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { Found } from '../../../carriers/ports/outcome.ts';
import type { VoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { heal } from '../../../queue/worker/heal.ts';
import { applyVoiceEvents } from '../calls/inputs/call-inputs.ts';
import { listUnreportedRecordings, type UnreportedRecording } from './heal-queries.ts';

/** The time between two rounds. */
export const RECORDING_ROUND_MS = 30_000;
/**
 * The width of a window of ages. It is longer than a round, so a round that starts late leaves no gap. A call on the
 * border is asked about twice.
 */
const WIDTH_MS = RECORDING_ROUND_MS + 10_000;
/** Minutes from the end of a call to each request for its recording. */
const AGES_MIN = [2, 4, 8, 15, 30, 60, 120, 240, 480, 1_440];
/** A carrier may not list a recording until some time after its end. The answer `absent` counts from this round on. */
const ABSENT_FROM_ROUND = 3;
/** The most calls of one ledger that are asked about in a round, for each age. */
const CALLS_MAX = 200;

/** Runs one round over all live ledgers. Returns how many recordings were missing. */
export async function healRecordings(context: Pick<Context, 'db' | 'carriers' | 'log'>): Promise<number> {
  const { db, carriers, log } = context;
  const windows = AGES_MIN.map((minutes) => minutes * 60_000);
  const calls = await listUnreportedRecordings(db, { windows, widthMs: WIDTH_MS, rows: CALLS_MAX });
  return heal(calls, {
    ...{ db, log, what: 'recordings' },
    ask: (call, ledger) => findEnd(carriers, ledger, call),
    apply: (tx, ledger, event) => applyVoiceEvents(context)(tx, ledger, [event]),
  });
}

/** Returns the report of the recording's end; undefined while the carrier may still have it. */
async function findEnd(carriers: Carriers, ledger: Ledger, call: UnreportedRecording): Promise<VoiceEvent | undefined> {
  const { id: callRef, recording_ref: recordingRef, round } = call;
  const found = await findRecording(carriers, ledger, call);
  const end = { type: 'recording.ended', callRef, recordingRef } as const;
  if (found.found === 'accepted') return { ...end, durationMs: found.durationMs };
  const isGivenUp = round === AGES_MIN.length || (found.found === 'absent' && round >= ABSENT_FROM_ROUND);
  return isGivenUp ? { ...end, durationMs: 0 } : undefined;
}

/**
 * Asks the carrier. If the carrier is unavailable, the answer is `undecided`. After the last round the recording counts
 * as lost.
 */
async function findRecording(
  carriers: Carriers,
  ledger: Ledger,
  { id: callRef, recording_ref: recordingRef, connection_id: connectionId }: UnreportedRecording,
): Promise<Found<{ readonly durationMs: number }>> {
  try {
    return await carriers.voice(ledger, connectionId).findRecording(ledger, { callRef, recordingRef });
  } catch (error) {
    if (error instanceof ApiError) return { found: 'undecided' };
    throw error;
  }
}
