/** One turn of a call's machine: the call as it becomes, and the effects as they gather. */
import type { Party, SpeechPurpose, VoiceCommand } from '../../../../carriers/ports/voice.ts';
import type { Call, CallEffect, CallLogDetail, CallLogType, Leg, TimerName } from '../call.ts';

/** How long a party of a click-to-call may ring. */
const RING_MS = 30_000;

export type Turn = { call: Call; readonly effects: CallEffect[]; readonly nowMs: number };

export function change(turn: Turn, patch: Partial<Call>): void {
  turn.call = { ...turn.call, ...patch };
}

export function command(turn: Turn, wanted: VoiceCommand): void {
  turn.effects.push({ do: 'command', command: wanted });
}

export function log<T extends CallLogType>(turn: Turn, type: T, detail: CallLogDetail<T> = {}): void {
  turn.effects.push({ do: 'log', type, detail });
}

/** Sets a timer, in place of one of the same name. */
export function setTimer(turn: Turn, name: TimerName, inMs: number): void {
  const generation = turn.call.count + 1;
  change(turn, { count: generation, timers: { ...turn.call.timers, [name]: generation } });
  turn.effects.push({ do: 'set_timer', name, generation, inMs });
}

export function clearTimer(turn: Turn, name: TimerName): void {
  if (turn.call.timers[name] === undefined) return;
  const { [name]: _gone, ...timers } = turn.call.timers;
  change(turn, { timers });
  turn.effects.push({ do: 'clear_timer', name });
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

export function moveLeg(turn: Turn, legId: string, state: Leg['state']): void {
  change(turn, { legs: turn.call.legs.map((leg) => (leg.id === legId ? { ...leg, state } : leg)) });
}

/** Dials a party on a leg of its own. */
export function dial(turn: Turn, wanted: { party: Party; to: string; shownAs: string; ringMs: number }): void {
  const { call } = turn;
  const { party, to, shownAs, ringMs } = wanted;
  const id = `leg_${call.id.slice(call.id.indexOf('_') + 1)}_${call.legs.length + 1}`;
  change(turn, { legs: [...call.legs, { id, party, direction: 'outbound', address: to, state: 'dialing' }] });
  command(turn, { do: 'dial', legRef: id, party, to, from: call.number, shownAs, ringMs });
}

/** Dials a party of a click-to-call, and gives it its time to answer. */
export function dialParty(turn: Turn, party: 'agent' | 'customer', to: string): void {
  const ringMs = ringMsOf(turn.call);
  dial(turn, { party, to, shownAs: turn.call.number, ringMs });
  setTimer(turn, 'ring', ringMs);
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
export function ringOn(turn: Turn, undialled: readonly string[] = []): boolean {
  const { legs, timers, lateRing } = turn.call;
  const isLate = legs.some(({ id, state }) => state === 'dialing' && undialled.includes(id));
  if (!isLate || (lateRing !== undefined && lateRing === timers.ring)) return false;
  setTimer(turn, 'ring', ringMsOf(turn.call));
  change(turn, { lateRing: turn.call.count });
  return true;
}

export function hangUp(turn: Turn, leg: Leg, reason: 'ended' | 'answered_elsewhere' | 'no_answer'): void {
  if (!isLive(leg)) return;
  moveLeg(turn, leg.id, 'ending');
  command(turn, { do: 'hang_up', legRef: leg.id, reason });
}

/** Hangs the targets of an inbound call up that are not to be waited for any longer. */
export function cancelTargets(turn: Turn, reason: 'answered_elsewhere' | 'no_answer'): void {
  for (const leg of liveLegs(turn.call, 'agent')) {
    if (leg.state === 'up') continue;
    hangUp(turn, leg, reason);
    log(turn, 'target_cancelled', { target: leg.address, reason });
  }
}

/** Answers the caller of an inbound call, whose leg counts as up from then on. */
export function answerCaller(turn: Turn): void {
  const caller = turn.call.legs.find((leg) => leg.direction === 'inbound' && leg.state === 'ringing');
  if (caller === undefined) return;
  moveLeg(turn, caller.id, 'up');
  command(turn, { do: 'answer', legRef: caller.id });
}

type Speech = { legRefs: readonly string[]; text: string; purpose: SpeechPurpose; listenMs?: number };

/** Speaks into legs; returns the speech's name. */
export function speak(turn: Turn, speech: Speech): string {
  change(turn, { count: turn.call.count + 1 });
  const speechRef = `${turn.call.id}.${turn.call.count}`;
  command(turn, { do: 'speak', speechRef, ...speech });
  return speechRef;
}

/** Longer than any voice takes over a text: after it, a speech whose end nobody reported counts as broken off. */
export function speechMsMax(text: string): number {
  return 15_000 + text.length * 150;
}
