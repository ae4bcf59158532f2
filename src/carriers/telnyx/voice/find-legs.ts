import { textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { Found } from '../../ports/outcome.ts';
import type { FoundLeg } from '../../ports/voice.ts';
import { isMissing } from '../client.ts';
import { hangUpAtTelnyx } from './dial.ts';
import { advanceLeg, endLeg, listLegsOfCall, type TelnyxLeg } from './leg-queries.ts';
import type { VoiceLine } from './voice-line.ts';

/** Looks up the legs of a call. Telnyx is asked about those that have not ended by its reports. */
export async function findLegs(
  line: VoiceLine,
  { ledgerId }: Ledger,
  callRef: string,
): Promise<Found<{ readonly legs: readonly FoundLeg[] }>> {
  const known = await listLegsOfCall(line.db, { ledgerId, connectionId: line.connectionId }, callRef);
  const dialled = known.filter(({ party }) => party !== null);
  if (dialled.length === 0) return { found: 'absent' };
  const legs = await Promise.all(dialled.map((leg) => findLeg(line, leg)));
  const found = legs.filter((leg) => leg !== undefined);
  return found.length < legs.length ? { found: 'undecided' } : { found: 'accepted', legs: found };
}

/** Returns a leg as it is now; undefined if Telnyx does not say. */
async function findLeg(line: VoiceLine, leg: TelnyxLeg): Promise<FoundLeg | undefined> {
  const { legRef, callControlId } = leg;
  if (leg.state === 'ended') return endedLeg(leg);
  // The answer to its dial was lost, and no report has come. It has not arrived, or a later report names it.
  if (callControlId === null)
    return leg.isHungUp ? { legRef, state: 'ended', cause: 'canceled' } : { legRef, state: 'dialing' };
  const answer = await line.client.ask({ method: 'GET', path: '/calls/{ccid}', params: { ccid: callControlId } });
  const name = { ledgerId: leg.ledgerId, connectionId: line.connectionId, legRef };
  if (isMissing(answer)) {
    // Telnyx forgets a call ten minutes after its end.
    await endLeg(line.db, name, { cause: 'hangup', endedAt: new Date() });
    return { legRef, state: 'ended' };
  }
  if (answer.is !== 'answered') return undefined;
  const data = valueAt(answer.body, 'data');
  if (valueAt(data, 'is_alive') === true) return await aliveLeg(line, leg, data);
  const saidEnd = new Date(textAt(data, 'end_time') ?? '');
  const endedAt = Number.isNaN(saidEnd.getTime()) ? new Date() : saidEnd;
  const cause = leg.isHungUp ? 'canceled' : wasAnswered(leg, data) ? 'hangup' : 'no_answer';
  await endLeg(line.db, name, { cause, endedAt });
  return { legRef, state: 'ended', cause, endedAt };
}

async function aliveLeg(line: VoiceLine, leg: TelnyxLeg, data: unknown): Promise<FoundLeg> {
  if (leg.isHungUp) await hangUpAtTelnyx(line, leg);
  if (!wasAnswered(leg, data)) return { legRef: leg.legRef, state: 'ringing' };
  await advanceLeg(line.db, { ledgerId: leg.ledgerId, connectionId: line.connectionId, legRef: leg.legRef }, 'up');
  return { legRef: leg.legRef, state: 'up' };
}

/**
 * True if a leg was answered. No document says whether the duration of a call that rings is counted: one second or more
 * of it counts as an answer only if Telnyx also names the start.
 */
function wasAnswered(leg: TelnyxLeg, data: unknown): boolean {
  if (leg.state === 'up') return true;
  return Number(valueAt(data, 'call_duration') ?? 0) > 0 && textAt(data, 'start_time') !== undefined;
}

function endedLeg({ legRef, cause, endedAt }: TelnyxLeg): FoundLeg {
  return { legRef, state: 'ended', ...(cause && { cause }), ...(endedAt && { endedAt }) };
}
