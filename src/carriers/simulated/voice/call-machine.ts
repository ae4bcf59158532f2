/**
 * The simulated carrier's side of a call, as a pure function: no clock, no database, no speech.
 *
 *   dialled leg dialing ──0.3 s──▶ ringing ──1 s──▶ up ──15 s of talk──▶ ended caller ringing ──answer──▶ up ──15 s, or
 *   its message is left──▶ ended
 *
 * Commands come from the domain, scheduled actions from jobs, controls from tests, and changes of web clients' legs
 * from the product. With any inputs, each leg ends once, and reports nothing after its end.
 */
import {
  type CallEffect,
  type CallInput,
  type Facts,
  findLeg,
  type Leg,
  listensFrom,
  type NewLeg,
  newCall,
  newLeg,
  type Refusal,
  type ScheduledAction,
  type Script,
  type SimulatedCall,
  type Step,
} from './call.ts';
import { takeCommand } from './machine/commands.ts';
import { takeControl } from './machine/controls.ts';
import { greet, reportAnswer } from './machine/greet.ts';
import { hangUpIfFree, pickUp, pressDigits, say, startRinging, utterance } from './machine/legs.ts';
import { followScript, planOfStep } from './machine/script.ts';
import { report, type Transition, takeUnreported } from './machine/transition.ts';
import { sayInTurn } from './machine/voicemail.ts';
import { takeWebClientChange } from './machine/web-clients.ts';

/** Applies one input to the call. A refused input changes nothing. */
export function step(call: SimulatedCall, input: CallInput, now: Date): Step {
  const transition: Transition = { call, effects: [], now };
  const refusal = take(transition, input);
  if (refusal !== undefined) return { call, effects: [], refusal };
  return { call: transition.call, effects: transition.effects };
}

/** The most sounds that parties, tests and the domain may add to a call. Every step of the call reads all of them. */
const SOUNDS_MAX = 1_000;

function take(transition: Transition, input: CallInput): Refusal {
  if (transition.call.sounds.length >= SOUNDS_MAX && addsSound(input)) return 'too_many_sounds';
  switch (input.type) {
    case 'command':
      return takeCommand(transition, input.instruction, input);
    case 'action':
      return takeAction(transition, input.action, input);
    case 'control':
      return takeControl(transition, input.control, input);
    case 'web_client':
      return takeWebClientChange(transition, input.legRef, input.change);
  }
}

/** True for requests to speak or to press digits. Scheduled actions are limited in another way. */
function addsSound(input: CallInput): boolean {
  if (input.type === 'command') return input.instruction.do === 'speak' || input.instruction.do === 'send_digits';
  if (input.type === 'control') return input.control.do === 'speak' || input.control.do === 'press_digits';
  return input.type === 'web_client' && input.change.do === 'press_digits';
}

type NewCall = { readonly callRef: string; readonly legRef: string; readonly script: Script };

type InboundCall = { readonly from: string; readonly to: string; readonly callerName?: string | undefined };

/** Begins a call from outside to one of our numbers. */
export function beginInboundCall({ from, to, callerName, ...made }: NewCall & InboundCall): Step {
  const { callRef, legRef } = made;
  const named = callerName === undefined ? {} : { callerName };
  const event = { type: 'call.arrived', callRef, legRef, from, to, ...named } as const;
  return begin(made, { party: 'customer', address: from, state: 'ringing' }, { do: 'report', event });
}

/** Begins a call that a web client dials. Its leg is up immediately, and the domain dials the other party next. */
export function beginWebClientCall({ webClientId, ...made }: NewCall & { webClientId: string }): Step {
  return begin(made, { party: 'agent', address: webClientId, state: 'up' });
}

type Caller = Pick<NewLeg, 'party' | 'address' | 'state'>;

function begin({ callRef, legRef, script }: NewCall, caller: Caller, ...effects: readonly CallEffect[]): Step {
  const call = { ...newCall(callRef, script), legs: [newLeg({ ...caller, leg_ref: legRef, dialled: false })] };
  return { call, effects: [...effects, ...(script === null ? [] : [planOfStep(script)])] };
}

function takeAction(transition: Transition, action: ScheduledAction, facts: Facts & { ref: string }): undefined {
  const { ref, spokenMs = 0, answer } = facts;
  if (action.do === 'report_sound') return reportSound(transition, action.ref);
  if (action.do === 'follow_script') return followScript(transition, action, { ref, spokenMs });
  const leg = findLeg(transition.call, action.legRef);
  if (leg === undefined) return;
  if (action.do === 'ring') startRinging(transition, leg);
  else if (action.do === 'answer') pickUp(transition, leg);
  else if (action.do === 'hang_up') hangUpIfFree(transition, leg);
  else if (leg.state !== 'up') return;
  else if (action.do === 'press_digit') pressDigits(transition, leg, { ref, digits: action.digit });
  else if (action.do === 'greet' && answer !== undefined) greet(transition, leg, answer);
  else if (action.do === 'report_answer') reportAnswer(transition, leg, action.finding);
  else if (action.do === 'small_talk') makeSmallTalk(transition, leg, { ref, text: action.text, spokenMs });
}

type SmallTalk = { readonly ref: string; readonly text: string; readonly spokenMs: number };

function makeSmallTalk(transition: Transition, leg: Leg, { ref, text, spokenMs }: SmallTalk): void {
  const { call, now } = transition;
  if (listensFrom(call, leg) === undefined || hasSpoken(call)) return;
  const said = say(transition, leg, { ref, content: text, duration_ms: spokenMs, reported: false });
  sayInTurn(transition, leg.leg_ref, [said], now);
}

/** True if a party has said a sentence other than small talk. After that, no party makes small talk. */
function hasSpoken({ sounds }: SimulatedCall): boolean {
  return sounds.some(
    ({ said_by, ref }) => said_by !== null && !ref.includes(':small_talk:') && !ref.startsWith('answer:'),
  );
}

/** Reports a sound that is over, unless its cut-off was reported. */
function reportSound(transition: Transition, ref: string): undefined {
  const { call_ref: callRef } = transition.call;
  for (const sound of takeUnreported(transition, ref)) {
    const leg = findLeg(transition.call, sound.said_by ?? '');
    if (sound.said_by === null) report(transition, { type: 'speech.ended', callRef, speechRef: ref, completed: true });
    else if (leg !== undefined) report(transition, utterance(transition, leg, sound));
  }
}
