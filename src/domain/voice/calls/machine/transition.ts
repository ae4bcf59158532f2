/**
 * One transition of a call's machine: the call as it changes, and the effects in their order. All parts of the machine
 * work on it through the functions of this file.
 */

import type { HangUpReason, Party, SpeechPurpose, VoiceInstruction } from '../../../../carriers/ports/voice.ts';
import { isSipPhone, isWebClient } from '../../../../lib/phone/agent-address.ts';
import type { CallEventFields, CallEventType } from '../../../events/index.ts';
import type { Call, Leg, TimerName } from '../state/call.ts';
import type { CallEffect, CallLogDetail, CallLogType } from '../state/call-step.ts';

/** How long a party of a click-to-call may ring. */
const RING_MS = 30_000;

export type Transition = { call: Call; readonly effects: CallEffect[]; readonly nowMs: number };

/** The start values of a call of either direction. */
export type CallStart = Pick<Call, 'id' | 'number' | 'customer' | 'recordingId' | 'voicemailRecordingId' | 'limits'>;

/** Returns the transition that starts a call. The call has no legs yet. */
export function startTransition(direction: Call['direction'], start: CallStart, nowMs: number): Transition {
  const { id, recordingId, voicemailRecordingId, number, customer, limits } = start;
  const call: Call = {
    id,
    direction,
    number,
    customer,
    status: direction === 'outbound' ? 'dialing' : 'ringing',
    outcome: null,
    answeredBy: null,
    stage: { name: 'dialing_agent' },
    legs: [],
    recording: { name: 'off' },
    recordingId,
    voicemailRecordingId,
    voicemailKept: false,
    transcribesMessage: false,
    messageFromMs: null,
    bridged: false,
    gather: null,
    stream: null,
    transcription: 'off',
    transcribedFromMs: null,
    connectedAtMs: null,
    endedAtMs: null,
    timers: {},
    count: 0,
    digitRefs: [],
    limits,
  };
  return { call, effects: [], nowMs };
}

export function change(transition: Transition, patch: Partial<Call>): void {
  transition.call = { ...transition.call, ...patch };
}

export function command(transition: Transition, instruction: VoiceInstruction): void {
  transition.effects.push({ do: 'command', command: instruction });
}

/** Emits an event. With null as its data, the event shows the call as it is after the step. */
export function emit<T extends CallEventType>(transition: Transition, type: T, data: CallEventFields[T]): void {
  transition.effects.push({ do: 'emit', type, data } as CallEffect);
}

export function log<T extends CallLogType>(transition: Transition, type: T, detail: CallLogDetail<T> = {}): void {
  transition.effects.push({ do: 'log', type, detail });
}

/**
 * Returns the party that answered, in the form of the API: "web_client:" and the id of a web client; any other address
 * is unchanged.
 */
export function nameOfAnswerer(address: string): string {
  return isWebClient(address) ? `web_client:${address}` : address;
}

/** Sets a timer. Replaces a timer with the same name. */
export function setTimer(transition: Transition, name: TimerName, inMs: number): void {
  const generation = transition.call.count + 1;
  change(transition, { count: generation, timers: { ...transition.call.timers, [name]: generation } });
  transition.effects.push({ do: 'set_timer', name, generation, inMs });
}

export function clearTimer(transition: Transition, name: TimerName): void {
  if (transition.call.timers[name] === undefined) return;
  const { [name]: _cleared, ...timers } = transition.call.timers;
  change(transition, { timers });
  transition.effects.push({ do: 'clear_timer', name });
}

export function findLeg(call: Call, legId: string): Leg | undefined {
  return call.legs.find((leg) => leg.id === legId);
}

/** Returns the answered leg of a party, if there is one. */
export function findAnsweredLeg(call: Call, party: Party): Leg | undefined {
  return call.legs.find((leg) => leg.party === party && leg.state === 'up');
}

/** Returns the legs that are answered or may still be answered. */
export function liveLegs(call: Call, party?: Party): Leg[] {
  return call.legs.filter((leg) => isLive(leg) && (party === undefined || leg.party === party));
}

function isLive(leg: Leg): boolean {
  return leg.state !== 'ending' && leg.state !== 'ended';
}

/** Returns the ids of the legs whose parties are connected. */
export function answeredLegIds({ call }: Transition): string[] {
  return call.legs.filter(({ state }) => state === 'up').map(({ id }) => id);
}

/** Returns true while an announcement is being spoken. Listening starts after it. */
export function isAnnouncing({ recording, listening }: Call): boolean {
  return recording.name === 'announcing' || (listening !== undefined && listening.speechRef !== null);
}

export function setLegState(transition: Transition, legId: string, state: Leg['state']): void {
  change(transition, { legs: transition.call.legs.map((leg) => (leg.id === legId ? { ...leg, state } : leg)) });
}

type NewDial = {
  party: Party;
  to: string;
  shownAs: string;
  shownName?: string | undefined;
  ringMs: number;
  detectsMachine?: boolean;
};

/** Dials a party on a new leg. */
export function dial(
  transition: Transition,
  { party, to, shownAs, shownName, ringMs, detectsMachine = false }: NewDial,
): void {
  const { call } = transition;
  const legCount = (call.legCount ?? call.legs.length) + 1;
  const id = `leg_${call.id.slice(call.id.indexOf('_') + 1)}_${legCount}`;
  change(transition, {
    legs: [...call.legs, { id, party, direction: 'outbound', address: to, state: 'dialing' }],
    ...(call.legCount !== undefined && { legCount }),
  });
  const more = {
    ...(shownName !== undefined && { shownName }),
    ...(detectsMachine && { detectsMachine: true as const }),
  };
  command(transition, { do: 'dial', legRef: id, party, to, from: call.number, shownAs, ...more, ringMs });
}

/**
 * Dials an agent for the caller of an inbound call, and shows that caller. Only a telephone of the tenant shows the
 * name of the tenant's contact: an outside number must not get it.
 */
export function dialAgentForCaller(transition: Transition, to: string, ringMs: number): void {
  const { customer: shownAs, customerName, contactName = customerName } = transition.call;
  dial(transition, { party: 'agent', to, shownAs, shownName: isSipPhone(to) ? contactName : customerName, ringMs });
}

/** Dials a party of an outbound call and starts the ring timer. */
export function dialParty(transition: Transition, party: 'agent' | 'customer', to: string): void {
  const ringMs = ringMsOf(transition.call);
  const { detection } = transition.call;
  const detectsMachine = party === 'customer' && detection !== undefined && detection.hearing === undefined;
  dial(transition, { party, to, shownAs: transition.call.number, ringMs, detectsMachine });
  setTimer(transition, 'ring', ringMs);
}

/** Returns how long a party that is dialled at this stage rings. */
export function ringMsOf({ stage, limits, transfer }: Call): number {
  if (transfer !== undefined) return transfer.ringMs;
  if (stage.name === 'queued' && stage.settings !== null) return Math.min(stage.settings.ringMs, limits.ringMsMax);
  return stage.name === 'ringing_targets' ? stage.plan.ringMs : Math.min(RING_MS, limits.ringMsMax);
}

/**
 * Restarts the timer of a ringing party if a dial has not been sent yet. The party rings only after the dial, and the
 * worker that had to send it may have died.
 * @returns false if every dial was sent, or this timer was already restarted
 */
export function restartLateDial(
  transition: Transition,
  name: 'ring' | 'transfer',
  undispatched: readonly string[] = [],
): boolean {
  const { legs, timers, lateRing } = transition.call;
  const isLate = legs.some(({ id, state }) => state === 'dialing' && undispatched.includes(id));
  if (!isLate || (lateRing !== undefined && lateRing === timers[name])) return false;
  setTimer(transition, name, ringMsOf(transition.call));
  change(transition, { lateRing: transition.call.count });
  return true;
}

export function hangUp(transition: Transition, leg: Leg, reason: HangUpReason): void {
  if (!isLive(leg)) return;
  setLegState(transition, leg.id, 'ending');
  command(transition, { do: 'hang_up', legRef: leg.id, reason });
}

/** Hangs up targets that have not answered; by default all of them. */
export function cancelTargets(
  transition: Transition,
  reason: 'answered_elsewhere' | 'no_answer',
  targets: readonly Leg[] = liveLegs(transition.call, 'agent'),
): void {
  for (const leg of targets) {
    if (leg.state === 'up') continue;
    hangUp(transition, leg, reason);
    log(transition, 'target_cancelled', { target: leg.address, reason });
  }
}

type Speech = {
  legRefs: readonly string[];
  text: string;
  audioRef?: string;
  purpose: SpeechPurpose;
  listenMs?: number;
};

/** Speaks a text into legs. Returns the reference of the speech. */
export function speak(transition: Transition, speech: Speech): string {
  change(transition, { count: transition.call.count + 1 });
  const speechRef = `${transition.call.id}.${transition.call.count}`;
  command(transition, { do: 'speak', speechRef, ...speech });
  return speechRef;
}

/**
 * Returns the longest time that a voice needs for the text. If the end of the speech is not reported within it, the
 * speech counts as failed.
 */
export function speechMsMax(text: string): number {
  return 15_000 + text.length * 150;
}
