import { textAt, valueAt } from '../../../lib/json-object.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { today } from '../../../lib/time/time.ts';
import { findEachLeg } from '../../call-control/find-legs.ts';
import type { Found } from '../../ports/outcome.ts';
import type { FoundLeg } from '../../ports/voice.ts';
import { isMissing } from '../client/client.ts';
import { hangUpAtTelnyx } from './dial.ts';
import { advanceLeg, endLeg, listLegsOfCall, type TelnyxLeg } from './leg-queries.ts';
import type { VoiceLine } from './voice-line.ts';

/** Telnyx's error code for a command to a leg that is not answered yet. */
const NOT_ANSWERED = '90034';

/** Looks up the legs of a call. Asks Telnyx about each leg without a reported end. */
export async function findLegs(
  line: VoiceLine,
  { ledgerId }: Ledger,
  callRef: string,
): Promise<Found<{ readonly legs: readonly FoundLeg[] }>> {
  const known = await listLegsOfCall(line.db, { ledgerId, connectionId: line.connectionId }, callRef);
  const dialled = known.filter(({ party }) => party !== null);
  return await findEachLeg(dialled, (leg) => findLeg(line, leg));
}

/** Returns the present state of a leg; undefined if Telnyx does not answer. */
async function findLeg(line: VoiceLine, leg: TelnyxLeg): Promise<FoundLeg | undefined> {
  const { legRef, callControlId } = leg;
  if (leg.state === 'ended') return endedLeg(leg);
  // The answer to the dial was lost, and no report has arrived. The dial did not reach Telnyx, or a later report will
  // name the leg.
  if (callControlId === null)
    return leg.isHungUp ? { legRef, state: 'ended', cause: 'canceled' } : { legRef, state: 'dialing' };
  const answer = await line.client.ask({ method: 'GET', path: '/calls/{ccid}', params: { ccid: callControlId } });
  const name = { ledgerId: leg.ledgerId, connectionId: line.connectionId, legRef };
  if (isMissing(answer)) {
    // Telnyx forgets a call ten minutes after the call's end, so this leg has ended.
    await endLeg(line.db, name, { cause: 'hangup', endedAt: today() });
    return { legRef, state: 'ended' };
  }
  if (answer.is !== 'answered') return undefined;
  const data = valueAt(answer.body, 'data');
  if (valueAt(data, 'is_alive') === true) return await aliveLeg(line, leg);
  const saidEnd = new Date(textAt(data, 'end_time') ?? '');
  const endedAt = Number.isNaN(saidEnd.getTime()) ? today() : saidEnd;
  const cause = leg.isHungUp ? 'canceled' : leg.state === 'up' ? 'hangup' : 'no_answer';
  await endLeg(line.db, name, { cause, endedAt });
  return { legRef, state: 'ended', cause, endedAt };
}

async function aliveLeg(line: VoiceLine, leg: TelnyxLeg): Promise<FoundLeg | undefined> {
  const { legRef } = leg;
  if (leg.isHungUp) await hangUpAtTelnyx(line, leg);
  const isUp = leg.state === 'up' || (await probeAnswer(line, leg));
  if (isUp === undefined) return undefined;
  if (!isUp) return { legRef, state: 'ringing' };
  await advanceLeg(line.db, { ledgerId: leg.ledgerId, connectionId: line.connectionId, legRef }, 'up');
  return { legRef, state: 'up' };
}

/**
 * Finds out whether a leg is answered if no report says so. Telnyx has no query for this. A ringing leg refuses a
 * request to stop its sounds. A leg that was just answered has no sounds to stop. Returns undefined if Telnyx does not
 * answer.
 */
async function probeAnswer({ client }: VoiceLine, { callControlId }: TelnyxLeg): Promise<boolean | undefined> {
  const answer = await client.ask({
    method: 'POST',
    path: '/calls/{ccid}/actions/playback_stop',
    params: { ccid: callControlId ?? '' },
    body: { stop: 'current' },
  });
  if (answer.is === 'answered') return true;
  return answer.is === 'refused' && answer.errors.some(({ code }) => code === NOT_ANSWERED) ? false : undefined;
}

function endedLeg({ legRef, cause, endedAt }: TelnyxLeg): FoundLeg {
  return { legRef, state: 'ended', ...(cause && { cause }), ...(endedAt && { endedAt }) };
}
