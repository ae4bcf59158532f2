/** What tests and web clients do in place of a party. An input without a party that could do it is refused. */
import type { Party } from '../../../ports/voice.ts';
import {
  type Control,
  endOf,
  type Facts,
  findLeg,
  findLegUp,
  isRung,
  type Leg,
  type SimulatedCall,
  type WebClientRequest,
} from '../call.ts';
import { pressName } from './commands.ts';
import { endLeg, loseWebClient, pickUp, pressDigits, say, utterance } from './legs.ts';
import { listensFrom, listRunningRecordings } from './listening.ts';
import { cancel, change, planHangUp, refuse, report, stayUntil, type Transition } from './transition.ts';
import { putMessage, sayAfterTone } from './voicemail.ts';

export function takeControl(transition: Transition, control: Control, { spokenMs = 0 }: Facts): void {
  switch (control.do) {
    case 'answer':
      answer(transition, control.target);
      return;
    case 'hang_up':
      hangUp(transition, control.party);
      return;
    case 'press_digits': {
      const leg = findLegUp(transition.call, control.party);
      if (leg === undefined) {
        refuse(transition, 'not_active');
        return;
      }
      if (leg.party === 'customer') cancelOwnDigits(transition);
      pressDigits(transition, leg, control);
      return;
    }
    case 'speak':
      speak(transition, control, spokenMs);
      return;
    case 'leave_message':
      askForMessage(transition, control);
      return;
  }
}

/** A request of a web client does nothing if its leg has ended. */
export function takeWebClientRequest(transition: Transition, legRef: string, request: WebClientRequest): void {
  const leg = findLeg(transition.call, legRef);
  if (leg === undefined || leg.state === 'ended') {
    refuse(transition, 'not_active');
    return;
  }
  switch (request.do) {
    case 'answer':
      if (isRung(leg)) pickUp(transition, leg);
      else refuse(transition, 'not_active');
      return;
    case 'hang_up':
      if (isRung(leg)) endLeg(transition, leg, 'rejected', 'declined');
      else endLeg(transition, leg, 'hangup');
      return;
    case 'lose':
      loseWebClient(transition, leg);
      return;
    case 'press_digits':
      if (leg.state === 'up') pressDigits(transition, leg, request);
      else refuse(transition, 'not_active');
      return;
  }
}

function answer(transition: Transition, target: string | null): void {
  const leg = transition.call.legs.find((one) => isRung(one) && (target === null || one.address === target));
  if (leg === undefined) {
    refuse(transition, 'not_active');
    return;
  }
  pickUp(transition, leg);
}

/** Hangs up a party on the call. A target that rings declines instead, if there is a caller. */
function hangUp(transition: Transition, party: Party): void {
  const legs = transition.call.legs.filter((leg) => leg.party === party && leg.state !== 'ended');
  if (legs.length === 0) {
    refuse(transition, 'not_active');
    return;
  }
  for (const leg of legs) {
    const declines = isRung(leg) && leg.party === 'agent' && findCaller(transition.call) !== undefined;
    endLeg(transition, leg, declines ? 'rejected' : 'hangup');
  }
}

/** Cancels the digits that the customer would press by itself: digits by hand replace them. */
function cancelOwnDigits(transition: Transition): void {
  const prompts = transition.call.sounds.filter(({ kind, said_by }) => kind === 'speech' && said_by === null);
  cancel(transition, ...prompts.map(({ ref }) => pressName(ref)));
}

/** Lets a party say a sentence. It is reported at once; without a listener it waits for one. */
function speak(
  transition: Transition,
  { party, text, ref }: Extract<Control, { do: 'speak' }>,
  durationMs: number,
): void {
  const { now } = transition;
  const leg = findLegUp(transition.call, party);
  if (leg === undefined) {
    refuse(transition, 'not_active');
    return;
  }
  const sound = say(transition, leg, { ref, text, durationMs, reported: true });
  const from = listensFrom(transition.call, leg);
  if (from === undefined) return;
  if (from > now) {
    sayAfterTone(transition, leg, sound, from);
    return;
  }
  if (leg.leaves_message) stayUntil(transition, leg.leg_ref, new Date(endOf(sound)));
  // As if just over: of two sentences by hand the second is the later one, however long they are.
  report(transition, { ...utterance(transition, leg, sound), endedAt: now });
}

/**
 * Lets no party answer, so that the caller leaves a message once it may. All that ring stop ringing. A message that the
 * caller is leaving is replaced from the tone on.
 */
function askForMessage(transition: Transition, { text, durationMs }: Extract<Control, { do: 'leave_message' }>): void {
  const { call } = transition;
  const caller = findCaller(call);
  if (caller === undefined || call.bridged_at !== null) {
    refuse(transition, 'not_active');
    return;
  }
  const [recording] = listRunningRecordings(call, caller);
  if (caller.leaves_message && recording === undefined) {
    refuse(transition, 'not_active');
    return;
  }
  if (recording !== undefined) {
    const inMs = putMessage(transition, caller, { startsAt: recording.starts_at, text, durationMs });
    planHangUp(transition, caller.leg_ref, inMs);
  }
  change(transition, { message_text: text, message_ms: durationMs });
  for (const leg of call.legs.filter(isRung)) endLeg(transition, leg, 'no_answer');
}

/** Returns the leg of the party that called us, while it lasts. */
function findCaller({ legs }: SimulatedCall): Leg | undefined {
  return legs.find((leg) => leg.party === 'customer' && !leg.dialled && leg.state !== 'ended');
}
