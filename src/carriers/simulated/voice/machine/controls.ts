/** Actions of tests in place of a party. If no party can do the action, it is refused. */
import {
  type Control,
  endOf,
  type Facts,
  findLegUp,
  isRung,
  type Leg,
  listensFrom,
  listRunningRecordings,
  type Refusal,
  type SimulatedCall,
} from '../call.ts';
import { pressName } from './commands.ts';
import { endLeg, pickUp, pressDigits, say, utterance } from './legs.ts';
import { cancel, change, report, stayUntil, type Transition } from './transition.ts';
import { leaveWithMessage, sayAfterTone } from './voicemail.ts';

type ControlOf<Name extends Control['do']> = Extract<Control, { do: Name }>;

export function takeControl(transition: Transition, control: Control, { spokenMs = 0 }: Facts): Refusal {
  switch (control.do) {
    case 'answer':
      return answer(transition, control.target);
    case 'hang_up':
      return hangUp(transition, control);
    case 'press_digits':
      return press(transition, control);
    case 'speak':
      return speak(transition, control, spokenMs);
    case 'leave_message':
      return askForMessage(transition, control);
    case 'take_over':
      return takeOver(transition, control);
  }
}

function answer(transition: Transition, target: string | null): Refusal {
  const leg = transition.call.legs.find(
    (candidate) => isRung(candidate) && (target === null || candidate.address === target),
  );
  if (leg === undefined) return 'not_active';
  pickUp(transition, leg);
}

/** Hangs up a party on the call, or one of its legs. If there is a caller, a target that rings declines instead. */
function hangUp(transition: Transition, { party, target }: ControlOf<'hang_up'>): Refusal {
  const isMeant = (leg: Leg) => leg.party === party && (target === undefined || leg.address === target);
  const legs = transition.call.legs.filter((leg) => isMeant(leg) && leg.state !== 'ended');
  if (legs.length === 0) return 'not_active';
  for (const leg of legs) {
    const declines = isRung(leg) && leg.party === 'agent' && findCaller(transition.call) !== undefined;
    endLeg(transition, leg, declines ? 'rejected' : 'hangup');
  }
}

/** Digits from a test replace the digits that the customer would press automatically. */
function press(transition: Transition, control: ControlOf<'press_digits'>): Refusal {
  const leg = findLegUp(transition.call, control.party);
  if (leg === undefined) return 'not_active';
  if (leg.party === 'customer') cancelPresses(transition);
  pressDigits(transition, leg, control);
}

/** Cancels the customer's automatic digits. */
function cancelPresses(transition: Transition): void {
  const prompts = transition.call.sounds.filter(({ kind, said_by }) => kind === 'speech' && said_by === null);
  cancel(transition, ...prompts.map(({ ref }) => pressName(ref)));
}

/**
 * Makes a party say a sentence. If it has a listener, the sentence is reported immediately; otherwise it waits for a
 * listener.
 */
function speak(transition: Transition, { party, text, ref }: ControlOf<'speak'>, spokenMs: number): Refusal {
  const { now } = transition;
  const leg = findLegUp(transition.call, party);
  if (leg === undefined) return 'not_active';
  const sound = say(transition, leg, { ref, content: text, duration_ms: spokenMs, reported: true });
  const from = listensFrom(transition.call, leg);
  if (from === undefined) return;
  if (from > now) {
    sayAfterTone(transition, leg, sound, from);
    return;
  }
  if (leg.leaves_message) stayUntil(transition, leg.leg_ref, endOf(sound));
  // The sentence counts as just over. So the order of two sentences from a test does not depend on their lengths.
  report(transition, { ...utterance(transition, leg, sound), endedAt: now });
}

/**
 * Stops all ringing, and keeps all parties from answering. So the caller leaves a message as soon as it can. If the
 * caller is already leaving one, this replaces it from the tone on.
 */
function askForMessage(transition: Transition, { text, durationMs }: ControlOf<'leave_message'>): Refusal {
  const { call } = transition;
  const caller = findCaller(call);
  if (caller === undefined || call.bridged_at !== null) return 'not_active';
  const [recording] = listRunningRecordings(call, caller);
  if (caller.leaves_message && recording === undefined) return 'not_active';
  if (recording !== undefined) {
    leaveWithMessage(transition, caller, { startsAt: recording.starts_at, text, durationMs });
  }
  change(transition, { message_text: text, message_ms: durationMs });
  for (const leg of call.legs.filter(isRung)) endLeg(transition, leg, 'no_answer');
}

/** The most people that a test can play on one call. With more, the first ones act automatically again. */
const TAKEN_OVER_MAX = 20;

/**
 * Makes a person passive from now on: it answers, presses digits, speaks and hangs up only when the test says so. It
 * may be rung after this. While it is on the call, no party hangs up automatically, for at most five minutes.
 */
function takeOver(transition: Transition, { address }: ControlOf<'take_over'>): Refusal {
  const { legs, script } = transition.call;
  if (legs.every(({ state }) => state === 'ended')) return 'not_active';
  const steps = (script ?? []).filter((step) => step.do !== 'by_hand');
  const others = (script ?? []).filter((step) => step.do === 'by_hand' && step.address !== address);
  const byHand = [...others, { do: 'by_hand', address } as const].slice(-TAKEN_OVER_MAX);
  change(transition, { script: [...steps, ...byHand] });
  for (const leg of legs.filter((candidate) => candidate.address === address && candidate.state !== 'ended')) {
    cancel(transition, `answer:${leg.leg_ref}`, `small_talk:${leg.leg_ref}`);
    if (leg.party === 'customer') cancelPresses(transition);
  }
}

/** Returns the caller's leg, until it ends. */
function findCaller({ legs }: SimulatedCall): Leg | undefined {
  return legs.find((leg) => leg.party === 'customer' && !leg.dialled && leg.state !== 'ended');
}
