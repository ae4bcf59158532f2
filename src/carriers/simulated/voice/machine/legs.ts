/** The actions of the parties of a simulated call: ring, answer, speak, press digits, hang up. */

import { durationMsOf } from '../../../../audio/pcm.ts';
import { dtmf } from '../../../../audio/tones.ts';
import { isWebClient } from '../../../../lib/phone/agent-address.ts';
import type { LegEndCause, VoiceEvent } from '../../../ports/voice.ts';
import { isMachine, MAGIC } from '../../magic-numbers.ts';
import {
  type CallSound,
  endOf,
  findHold,
  hasTargetSteps,
  isByHand,
  isRung,
  isScripted,
  type Leg,
  type SimulatedCall,
  type Sound,
} from '../call.ts';
import { endHold, leaveBridge } from './bridges.ts';
import { REPORTED_ANSWERS } from './greet.ts';
import {
  addSound,
  cancel,
  changeLeg,
  cutSounds,
  endRecordings,
  plan,
  report,
  type Transition,
  takeUnreported,
} from './transition.ts';
import { endMessage } from './voicemail.ts';

const ANSWER_AFTER_MS = 1_000;
/** How long people talk. */
export const TALK_MS = 15_000;
/** How long a customer stays after its last words. */
export const LEAVE_AFTER_MS = 2_000;
/** The longest time that a party stays for a gather or a stream. */
export const STAY_MS_MAX = 300_000;

export function refsOf({ call }: Transition, { leg_ref: legRef }: Leg): { callRef: string; legRef: string } {
  return { callRef: call.call_ref, legRef };
}

/** Makes the phone of a dialled party ring. */
export function startRinging(transition: Transition, leg: Leg): void {
  if (leg.state !== 'dialing' || endForVoicemail(transition, leg)) return;
  changeLeg(transition, leg.leg_ref, { state: 'ringing' });
  report(transition, { type: 'leg.ringing', ...refsOf(transition, leg) });
  const { call } = transition;
  if (leg.address === MAGIC.neverAnswers || hasTargetSteps(call.script) || isByHand(call, leg)) return;
  plan(transition, { do: 'answer', legRef: leg.leg_ref }, ANSWER_AFTER_MS);
}

/** If the caller must reach a voicemail, ends a leg that is about to ring, and returns true. */
function endForVoicemail(transition: Transition, leg: Leg): boolean {
  if (transition.call.message_text === null) return false;
  endLeg(transition, leg, 'no_answer');
  return true;
}

/** Makes a dialled party answer, even before its phone rings. */
export function pickUp(transition: Transition, leg: Leg): void {
  if (leg.state === 'ended' || leg.state === 'up') return;
  const { leg_ref: legRef } = leg;
  if (isWebClient(leg.address)) {
    transition.effects.push({ do: 'ask_web_client', legRef, request: { do: 'answer' } });
    return;
  }
  changeLeg(transition, legRef, { state: 'up', answered_at: transition.now });
  cancel(transition, `ring:${legRef}`, `answer:${legRef}`);
  // A customer whom software calls is never bridged, so its hang-up is planned here. A bridge replaces the plan.
  const talks = leg.party === 'customer' && !isScripted(transition.call.script);
  if (talks) plan(transition, { do: 'hang_up', legRef }, TALK_MS);
  if (leg.detects_machine || isMachine(leg.address)) plan(transition, { do: 'greet', legRef, address: leg.address }, 0);
  const refs = refsOf(transition, leg);
  if (leg.state === 'dialing') report(transition, { type: 'leg.ringing', ...refs });
  report(transition, { type: 'leg.answered', ...refs });
}

/** Makes a party hang up. If it still listens or waits for another party, it tries again later. */
export function hangUpIfFree(transition: Transition, leg: Leg): void {
  if (leg.state === 'ended') return;
  const { now, call } = transition;
  const latestMs = (leg.answered_at ?? now).getTime() + STAY_MS_MAX;
  // A stream keeps the party on the call until stop_stream. A party that has left its message does not stay.
  const isStreamed = call.stream_ref !== null && !leg.leaves_message;
  const isWaiting = waitsForParty(call, leg) || isPlayed(call);
  const busyUntilMs = isStreamed || isWaiting ? latestMs : (leg.busy_until?.getTime() ?? 0);
  const busyMs = Math.min(busyUntilMs, latestMs) - now.getTime();
  if (busyMs > 0) {
    // On a scripted call, or after a wait, no event plans the hang-up when the party becomes free. So this checks again
    // soon.
    const againMs = !isScripted(call.script) && !isWaiting ? busyMs : Math.min(busyMs, LEAVE_AFTER_MS);
    plan(transition, { do: 'hang_up', legRef: leg.leg_ref }, againMs);
    return;
  }
  const ended = leg.leaves_message ? endMessage(transition, leg) : [];
  endLeg(transition, leg, 'hangup');
  report(transition, ...ended);
}

/** True for a customer that is held, or that has answered and waits for another party to answer. */
function waitsForParty({ legs }: SimulatedCall, leg: Leg): boolean {
  if (leg.party !== 'customer' || leg.leaves_message) return false;
  return findHold(leg) !== undefined || legs.some((other) => other.party === 'agent' && isRung(other));
}

/** True while a test plays a party of the call. The other parties then wait for that party. */
function isPlayed(call: SimulatedCall): boolean {
  return call.legs.some((leg) => leg.state !== 'ended' && isByHand(call, leg));
}

/** Ends a leg. For a web client's leg, requests the end from the product. */
export function endLeg(transition: Transition, leg: Leg, cause: LegEndCause): void {
  const { leg_ref: legRef } = leg;
  if (isWebClient(leg.address)) {
    transition.effects.push({ do: 'ask_web_client', legRef, request: { do: 'end', cause } });
    return;
  }
  const ended = { type: 'leg.ended', ...refsOf(transition, leg), cause, endedAt: transition.now } as const;
  finishLeg(transition, leg, ended);
}

/**
 * Removes a leg from the call: cuts off the party's speech, reports `ended`, and ends the recordings that have no leg
 * left.
 */
export function finishLeg(transition: Transition, leg: Leg, ...ended: readonly VoiceEvent[]): void {
  const { leg_ref: legRef } = leg;
  leaveBridge(transition, legRef);
  endHold(transition, legRef);
  changeLeg(transition, legRef, { state: 'ended', ended_at: transition.now });
  cutSounds(transition, legRef);
  const actions = ['ring', 'answer', 'hang_up', 'small_talk', 'greet', ...REPORTED_ANSWERS];
  cancel(transition, ...actions.map((name) => `${name}:${legRef}`));
  const said = takeUnreported(transition, legRef).filter((sound) => sound.duration_ms > 0);
  report(transition, ...said.map((sound) => utterance(transition, leg, sound)));
  report(transition, ...ended);
  const isLeft = (ref: string) =>
    transition.call.legs.some((other) => other.leg_ref === ref && other.state !== 'ended');
  report(transition, ...endRecordings(transition, ({ leg_refs }) => !leg_refs.some(isLeft)));
}

export function utterance(
  transition: Transition,
  leg: Leg,
  sound: Sound,
): Extract<VoiceEvent, { type: 'leg.utterance' }> {
  const { ref: utteranceRef, content: text, starts_at: startedAt } = sound;
  const endedAt = new Date(endOf(sound));
  return { type: 'leg.utterance', ...refsOf(transition, leg), utteranceRef, text, startedAt, endedAt };
}

type Said = Pick<CallSound, 'ref' | 'content' | 'duration_ms' | 'reported'>;

/**
 * Makes a party say a sentence. The caller of this function reports it; the domain drops sentences that it does not
 * transcribe.
 */
export function say(transition: Transition, leg: Leg, said: Said): CallSound {
  return addSound(transition, { ...said, said_by: leg.leg_ref, kind: 'speech' });
}

type Keys = { readonly ref: string; readonly digits: string };

/** Makes a party press digits one after another. They are audible, and reported immediately. */
export function pressDigits(transition: Transition, leg: Leg, { ref, digits }: Keys): void {
  soundDigits(transition, leg, { ref, digits });
  for (const [index, digit] of [...digits.replaceAll(/w/gi, '')].entries()) {
    report(transition, { type: 'leg.digit', ...refsOf(transition, leg), digit, keyRef: `${ref}:${index}` });
  }
}

/** Makes the digits of a party audible. */
export function soundDigits(transition: Transition, leg: Leg, { ref, digits }: Keys): void {
  const duration_ms = durationMsOf(dtmf(digits));
  addSound(transition, { ref, said_by: leg.leg_ref, kind: 'digits', content: digits, duration_ms });
}
