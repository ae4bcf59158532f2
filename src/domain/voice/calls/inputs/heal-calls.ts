/**
 * Asks carriers about running calls. Without it, a call whose end report was lost would continue, and cost money, until
 * its longest timer is due. Each running call of a live ledger is looked up once a minute. The carrier's answer about
 * its legs is applied like a report. It changes nothing if the report was received before.
 */

import type { Carriers } from '../../../../carriers/ports/carrier.ts';
import type { FoundLeg, VoiceEvent } from '../../../../carriers/ports/voice.ts';
import type { Context } from '../../../../context.ts';
import { isWebClient } from '../../../../lib/phone/agent-address.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { heal } from '../../../../queue/worker/heal.ts';
import { defineSweep, type Sweep } from '../../../../queue/worker/sweep.ts';
import { healRecordings, RECORDING_ROUND_MS } from '../../recordings/heal-recordings.ts';
import type { Leg } from '../state/call.ts';
import { applyVoiceEvents } from './call-inputs.ts';
import { listRunning, type RunningCall } from './heal-queries.ts';

const ROUND_MS = 60_000;
/**
 * Younger calls are skipped, because their reports may still come. With ROUND_MS, a lost report is found within 90 s.
 */
const AGE_MIN_MS = 20_000;
/**
 * The most requests about a call in a round. A request is repeated if the carrier cannot answer or the answer is lost.
 */
const QUESTIONS_PER_CALL = 3;
/** The most calls of one ledger, direction and status that are asked about in a round. */
const CALLS_MAX = 500;

type HealContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Returns the sweeps that ask carriers about running calls, and about recordings of calls that have ended. */
export function callSweeps(context: HealContext): Sweep[] {
  const { db } = context;
  return [
    defineSweep({
      ...{ db, name: 'running_calls', everyMs: ROUND_MS, queue: 'voice' },
      run: async () => {
        await healCalls(context);
        return false;
      },
    }),
    defineSweep({
      ...{ db, name: 'lost_recordings', everyMs: RECORDING_ROUND_MS, queue: 'voice' },
      run: async () => {
        await healRecordings(context);
        return false;
      },
    }),
  ];
}

/** Runs one round over all live ledgers. Returns how many calls lacked a report. */
export async function healCalls(context: HealContext): Promise<number> {
  const { db, carriers, log } = context;
  const calls = await listRunning(db, { ageMinMs: AGE_MIN_MS, rows: CALLS_MAX });
  return heal(calls, {
    ...{ db, log, what: 'calls' },
    ask: (call, ledger) => findMissed(carriers, ledger, call),
    apply: applyVoiceEvents(context),
  });
}

/** Returns the reports of a call that are missing. */
async function findMissed(
  carriers: Carriers,
  ledger: Ledger,
  { id, connection_id: connectionId, legs }: RunningCall,
): Promise<VoiceEvent[] | undefined> {
  const port = carriers.voice(ledger, connectionId);
  let found = await port.findLegs(ledger, id);
  for (let asked = 1; asked < QUESTIONS_PER_CALL && found.found === 'undecided'; asked++) {
    found = await port.findLegs(ledger, id);
  }
  if (found.found === 'undecided') return undefined;
  const known = new Map(found.found === 'accepted' ? found.legs.map((leg) => [leg.legRef, leg]) : []);
  const missed = legs.flatMap((leg) => eventsOf(id, leg, known.get(leg.id)));
  return missed.length > 0 ? missed : undefined;
}

/**
 * Returns the missing reports of a leg. A leg that the carrier does not know has ended, unless its dial may not have
 * reached the carrier yet.
 */
function eventsOf(callRef: string, { id: legRef, state, address }: Leg, known: FoundLeg | undefined): VoiceEvent[] {
  // Legs of web clients are not at the carrier, and their reports are never lost.
  if (isWebClient(address)) return [];
  if (state === 'ended' || (known === undefined && state === 'dialing')) return [];
  if (known === undefined || known.state === 'ended') {
    const { cause = 'hangup', endedAt } = known ?? {};
    return [{ type: 'leg.ended', callRef, legRef, cause, ...(endedAt && { endedAt }) }];
  }
  const isBehind = state === 'dialing' || state === 'ringing';
  if (known.state === 'up' && isBehind) return [{ type: 'leg.answered', callRef, legRef }];
  return known.state === 'ringing' && state === 'dialing' ? [{ type: 'leg.ringing', callRef, legRef }] : [];
}
