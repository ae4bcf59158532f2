/** Lookups about calls: the legs that an engine has, and the outcome of a command. */
import { textAt } from '../../lib/json-object.ts';
import type { Ledger } from '../../lib/scope.ts';
import { findEachLeg } from '../call-control/find-legs.ts';
import type { Found } from '../ports/outcome.ts';
import type { FoundLeg } from '../ports/voice.ts';
import { isMissing } from './ari-client.ts';
import { listLegsOfCall, type SipLeg } from './leg-queries.ts';
import { engineOf, type SipLine } from './sip-line.ts';

/** Looks up the legs of a call. Asks the engine about legs that have not ended. */
export async function findLegs(
  line: SipLine,
  { ledgerId }: Ledger,
  callRef: string,
): Promise<Found<{ readonly legs: readonly FoundLeg[] }>> {
  const known = await listLegsOfCall(line.db, { ledgerId, connectionId: line.connectionId }, callRef);
  // If a comparison found the call, the channel that the engine dialled is unknown. Instead this looks up the caller's
  // channel, whose leg is in the same state.
  const caller = known.find(({ isOfEngine, party }) => isOfEngine && party === 'agent');
  const asked = known.map((leg) =>
    leg.isOfEngine ? { ...leg, channelId: leg.channelId ?? caller?.channelId ?? null } : leg,
  );
  const dialled = asked.filter(({ channelId }) => channelId !== null);
  return await findEachLeg(dialled, (leg) => findLeg(line, leg));
}

/** Returns the present state of a leg; undefined if the engine does not answer. */
export async function findLeg(line: SipLine, leg: SipLeg): Promise<FoundLeg | undefined> {
  const { legRef, channelId, engine, endedAt, cause } = leg;
  if (endedAt !== null) return { legRef, state: 'ended', ...(cause && { cause }), endedAt };
  if (channelId === null || engine === null) return undefined;
  const found = await engineOf(line, { engine }).ask({ method: 'GET', path: `/channels/${channelId}` });
  // The process that is connected to the engine reports the end and its cause.
  if (isMissing(found)) return leg.isHungUp ? { legRef, state: 'ended', cause: 'canceled' } : undefined;
  if (found.is !== 'answered') return undefined;
  const state = textAt(found.body, 'state');
  return { legRef, state: state === 'Up' ? 'up' : state === 'Down' ? 'dialing' : 'ringing' };
}
