/** Bridges and hold: which legs hear each other, and when. */
import { findHold, findLeg, type Leg, listWaiting, type Period } from '../call.ts';
import { changeLeg, type Transition } from './transition.ts';
import { sayInTurn } from './voicemail.ts';

/** Bridges two legs. Each leaves its earlier bridge, and its hold ends. */
export function bridgeLegs(transition: Transition, legRefs: readonly [string, string]): void {
  const [first, second] = legRefs;
  for (const legRef of legRefs) leaveBridge(transition, legRef);
  changeLeg(transition, first, { bridged_with: second });
  changeLeg(transition, second, { bridged_with: first });
  for (const legRef of legRefs) {
    endHold(transition, legRef);
    listenTo(transition, legRef);
  }
  connect(transition, first);
}

/** Takes a leg and its partner out of their bridge. */
export function leaveBridge(transition: Transition, legRef: string): void {
  const other = findLeg(transition.call, legRef)?.bridged_with ?? null;
  if (other === null) return;
  separate(transition, legRef);
  for (const ref of [legRef, other]) changeLeg(transition, ref, { bridged_with: null });
}

/** Plays hold audio to a leg, unless it is already held. */
export function holdLeg(transition: Transition, leg: Leg, audioRef: string | null): void {
  if (findHold(leg) !== undefined) return;
  separate(transition, leg.leg_ref);
  const hold = { from: transition.now, until: null, audio_ref: audioRef };
  changeLeg(transition, leg.leg_ref, { holds: [...leg.holds, hold] });
}

/** Ends hold audio. The leg and its partner hear each other again. */
export function resumeLeg(transition: Transition, legRef: string): void {
  endHold(transition, legRef);
  connect(transition, legRef);
}

export function endHold(transition: Transition, legRef: string): void {
  const leg = findLeg(transition.call, legRef);
  if (leg !== undefined) changeLeg(transition, legRef, { holds: leg.holds.map(ended(transition)) });
}

/**
 * Connects an application to a party that is alone on the call. The carrier does not know the application itself, only
 * its stream, transcription or recording of the party.
 */
export function listenIfAlone(transition: Transition, legRefs: readonly string[]): void {
  const isAlone = transition.call.legs.every(({ leg_ref, state }) => state === 'ended' || legRefs.includes(leg_ref));
  if (!isAlone) return;
  for (const { leg_ref, party, state, is_greeted } of transition.call.legs) {
    const isHeard = party === 'customer' && state === 'up' && !is_greeted && legRefs.includes(leg_ref);
    if (isHeard) listenTo(transition, leg_ref);
  }
}

/** Makes a party audible from now on. The words that it said without a listener become audible now. */
function listenTo(transition: Transition, legRef: string): void {
  const { call, now } = transition;
  const leg = findLeg(call, legRef);
  if (leg === undefined || leg.heard_from !== null) return;
  const waiting = listWaiting(call, leg);
  changeLeg(transition, legRef, { heard_from: now });
  sayInTurn(transition, legRef, waiting, now);
}

/** Connects a leg and its partner, unless one of them is held. */
function connect(transition: Transition, legRef: string): void {
  const pair = pairOf(transition, legRef);
  if (pair.length < 2 || pair.some((leg) => findHold(leg) !== undefined)) return;
  for (const { leg_ref, bridged_with, heard } of pair) {
    if (bridged_with === null || heard.some(({ until }) => until === null)) continue;
    const period = { by: bridged_with, from: transition.now, until: null };
    changeLeg(transition, leg_ref, { heard: [...heard, period] });
  }
}

function separate(transition: Transition, legRef: string): void {
  for (const { leg_ref, heard } of pairOf(transition, legRef)) {
    changeLeg(transition, leg_ref, { heard: heard.map(ended(transition)) });
  }
}

/** Returns a leg and its partner in the bridge. */
function pairOf({ call }: Transition, legRef: string): Leg[] {
  return call.legs.filter(({ leg_ref, bridged_with }) => leg_ref === legRef || bridged_with === legRef);
}

function ended({ now }: Transition): <Lasting extends Period>(period: Lasting) => Lasting {
  return (period) => (period.until === null ? { ...period, until: now } : period);
}
