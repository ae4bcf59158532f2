/** One turn of a call's machine: the call as it becomes, and the effects as they gather. */
import type { Party, SpeechPurpose, VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import type { Call, CallEffect, CallLogDetail, CallLogType, Leg, TimerName } from '../call.ts';

/** How long a party of a click-to-call may ring. */
const RING_MS = 30_000;

export type Transition = { call: Call; readonly effects: CallEffect[]; readonly nowMs: number };

export function change(transition: Transition, patch: Partial<Call>): void {
  transition.call = { ...transition.call, ...patch };
}

export function command(transition: Transition, wanted: VoiceInstruction): void {
  transition.effects.push({ do: 'command', command: wanted });
}

export function log<T extends CallLogType>(transition: Transition, type: T, detail: CallLogDetail<T> = {}): void {
  transition.effects.push({ do: 'log', type, detail });
}

/** Sets a timer, in place of one of the same name. */
export function setTimer(transition: Transition, name: TimerName, inMs: number): void {
  const generation = transition.call.count + 1;
  change(transition, { count: generation, timers: { ...transition.call.timers, [name]: generation } });
  transition.effects.push({ do: 'set_timer', name, generation, inMs });
}

export function clearTimer(transition: Transition, name: TimerName): void {
  if (transition.call.timers[name] === undefined) return;
  const { [name]: _gone, ...timers } = transition.call.timers;
  change(transition, { timers });
  transition.effects.push({ do: 'clear_timer', name });
}

export function findLeg(call: Call, legId: string): Leg | undefined {
  return call.legs.find((leg) => leg.id === legId);
}

/** True for a leg that still reaches, or may come to reach, its party. */
export function isLive(leg: Leg): boolean {
  return leg.state === 'dialing' || leg.state === 'ringing' || leg.state === 'up';
}

export function liveLegs(call: Call, party?: Party): Leg[] {
  return call.legs.filter((leg) => isLive(leg) && (party === undefined || leg.party === party));
}

/** The leg of a party that has been answered, if there is one. */
export function legUp(call: Call, party: Party): Leg | undefined {
  return call.legs.find((leg) => leg.party === party && leg.state === 'up');
}

export function moveLeg(transition: Transition, legId: string, state: Leg['state']): void {
  change(transition, { legs: transition.call.legs.map((leg) => (leg.id === legId ? { ...leg, state } : leg)) });
}

/** Dials a party on a leg of its own. */
export function dial(
  transition: Transition,
  wanted: { party: Party; to: string; shownAs: string; ringMs: number },
): void {
  const { call } = transition;
  const { party, to, shownAs, ringMs } = wanted;
  const id = `leg_${call.id.slice(call.id.indexOf('_') + 1)}_${call.legs.length + 1}`;
  change(transition, { legs: [...call.legs, { id, party, direction: 'outbound', address: to, state: 'dialing' }] });
  command(transition, { do: 'dial', legRef: id, party, to, from: call.number, shownAs, ringMs });
}

/** Dials a party of a click-to-call, and gives it its time to answer. */
export function dialParty(transition: Transition, party: 'agent' | 'customer', to: string): void {
  const ringMs = ringMsOf(transition.call);
  dial(transition, { party, to, shownAs: transition.call.number, ringMs });
  setTimer(transition, 'ring', ringMs);
}

/** How long those ring that are dialled where the call stands. */
function ringMsOf({ stage, limits }: Call): number {
  return stage.name === 'ringing_targets' ? stage.plan.ringMs : Math.min(RING_MS, limits.ringMsMax);
}

/**
 * Gives those who are dialled their time once more where a dial has not gone out: they ring from then on, and the worker
 * that had it to give may have died.
 * @returns false if there is no such leg, or they had it before
 */
export function ringOn(transition: Transition, undialled: readonly string[] = []): boolean {
  const { legs, timers, lateRing } = transition.call;
  const isLate = legs.some(({ id, state }) => state === 'dialing' && undialled.includes(id));
  if (!isLate || (lateRing !== undefined && lateRing === timers.ring)) return false;
  setTimer(transition, 'ring', ringMsOf(transition.call));
  change(transition, { lateRing: transition.call.count });
  return true;
}

export function hangUp(transition: Transition, leg: Leg, reason: 'ended' | 'answered_elsewhere' | 'no_answer'): void {
  if (!isLive(leg)) return;
  moveLeg(transition, leg.id, 'ending');
  command(transition, { do: 'hang_up', legRef: leg.id, reason });
}

/** Hangs the targets of an inbound call up that are not to be waited for any longer. */
export function cancelTargets(transition: Transition, reason: 'answered_elsewhere' | 'no_answer'): void {
  for (const leg of liveLegs(transition.call, 'agent')) {
    if (leg.state === 'up') continue;
    hangUp(transition, leg, reason);
    log(transition, 'target_cancelled', { target: leg.address, reason });
  }
}

/** Answers the caller of an inbound call, whose leg counts as up from then on. */
export function answerCaller(transition: Transition): void {
  const caller = transition.call.legs.find((leg) => leg.direction === 'inbound' && leg.state === 'ringing');
  if (caller === undefined) return;
  moveLeg(transition, caller.id, 'up');
  command(transition, { do: 'answer', legRef: caller.id });
}

type Speech = { legRefs: readonly string[]; text: string; purpose: SpeechPurpose; listenMs?: number };

/** Speaks into legs; returns the speech's name. */
export function speak(transition: Transition, speech: Speech): string {
  change(transition, { count: transition.call.count + 1 });
  const speechRef = `${transition.call.id}.${transition.call.count}`;
  command(transition, { do: 'speak', speechRef, ...speech });
  return speechRef;
}

/** Longer than any voice takes over a text: after it, a speech whose end nobody reported counts as broken off. */
export function speechMsMax(text: string): number {
  return 15_000 + text.length * 150;
}
