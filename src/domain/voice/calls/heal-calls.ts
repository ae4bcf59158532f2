/**
 * Asks carriers about calls that run. A report that is lost would leave a call up, and cost money, until its longest
 * timer. So each running call of a live ledger is looked up once a minute. What the carrier knows of its legs is
 * applied as if it were reported now, which changes nothing where the report has come.
 */
import type { Carriers } from '../../../carriers/ports/carrier.ts';
import type { FoundLeg, VoiceEvent } from '../../../carriers/ports/voice.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { defineSweep, type Sweep } from '../../../queue/worker/sweep.ts';
import type { Leg } from './call.ts';
import { applyVoiceEvents } from './call-inputs.ts';
import { listRunning, type RunningCall } from './heal-queries.ts';

const ROUND_MS = 60_000;
/** Younger calls are left alone: their reports are on the way. */
const AGE_MIN_MS = 45_000;
/** Most calls of one ledger, direction and status that are asked about in a round. */
const CALLS_MAX = 500;
const QUESTIONS_MAX = 10;

type HealContext = Pick<Context, 'db' | 'carriers' | 'log'>;

/** Returns the sweep that looks running calls up at their carriers. */
export function callSweeps(context: HealContext): Sweep[] {
  const run = async () => {
    await healCalls(context);
    return false;
  };
  return [defineSweep({ db: context.db, name: 'running_calls', everyMs: ROUND_MS, queue: 'voice', run })];
}

/** Runs one round over all live ledgers. Returns how many calls were behind. */
export async function healCalls(context: HealContext): Promise<number> {
  const { db, carriers, log } = context;
  const apply = applyVoiceEvents(context);
  const calls = await listRunning(db, { ageMinMs: AGE_MIN_MS, rows: CALLS_MAX });
  let behind = 0;
  for (let start = 0; start < calls.length; start += QUESTIONS_MAX) {
    const asked = calls.slice(start, start + QUESTIONS_MAX);
    const answers = await Promise.all(asked.map((call) => findMissed(carriers, call, log)));
    for (const [index, events] of answers.entries()) {
      const call = asked[index] as RunningCall;
      if (events.length === 0) continue;
      behind++;
      log.warn({ call: call.id, events: events.map(({ type }) => type) }, 'the carrier had not reported this');
      await db.transaction((tx) => apply(tx, ledgerOf(call), events));
    }
  }
  return behind;
}

function ledgerOf({ ledger_id: ledgerId, account_id: accountId }: RunningCall): Ledger {
  return { ledgerId, accountId, mode: 'live' };
}

/** Returns what the carrier knows and the call does not; nothing if the carrier cannot say. */
async function findMissed(carriers: Carriers, call: RunningCall, log: Context['log']): Promise<VoiceEvent[]> {
  try {
    const port = carriers.voice(ledgerOf(call), call.connection_id);
    const found = await port.findLegs(ledgerOf(call), call.id);
    if (found.found === 'undecided') return [];
    const known = new Map(found.found === 'accepted' ? found.legs.map((leg) => [leg.legRef, leg]) : []);
    return call.legs.flatMap((leg) => eventsOf(call.id, leg, known.get(leg.id)));
  } catch (error) {
    if (!(error instanceof ApiError)) {
      log.warn({ err: error, call: call.id }, 'a running call could not be looked up; the next round asks again');
    }
    return [];
  }
}

/**
 * Returns the reports of a leg that are missing. A leg that the carrier has forgotten has ended, unless its dial may
 * still be on the way.
 */
function eventsOf(callRef: string, { id: legRef, state }: Leg, known: FoundLeg | undefined): VoiceEvent[] {
  if (state === 'ended' || (known === undefined && state === 'dialing')) return [];
  if (known === undefined || known.state === 'ended') {
    return [{ type: 'leg.ended', callRef, legRef, cause: known?.cause ?? 'hangup' }];
  }
  const isBehind = state === 'dialing' || state === 'ringing';
  if (known.state === 'up' && isBehind) return [{ type: 'leg.answered', callRef, legRef }];
  return known.state === 'ringing' && state === 'dialing' ? [{ type: 'leg.ringing', callRef, legRef }] : [];
}
