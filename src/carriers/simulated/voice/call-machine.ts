/**
 * The simulated carrier's side of a call, as a pure function: no clock, no database, no speech.
 *
 *   dialled leg    dialing ──0.3 s──▶ ringing ──1 s──▶ up ──15 s of talk──▶ ended
 *   web client     dialing ──logged in, and free──▶ ringing ──the person answers──▶ up ──▶ ended
 *   caller         ringing ──answer──▶ up ──15 s, or its message is left──▶ ended
 *
 * Commands come from the domain, scheduled actions from jobs, controls from tests, requests from web clients. Whatever
 * comes, each leg ends once, and reports nothing after its end.
 */
import type { VoiceEvent } from '../../ports/voice.ts';
import {
  type CallInput,
  type Facts,
  findLeg,
  newCall,
  newLeg,
  type ScheduledAction,
  type SimulatedCall,
  type Step,
} from './call.ts';
import { takeCommand } from './machine/commands.ts';
import { takeControl, takeWebClientRequest } from './machine/controls.ts';
import {
  checkWebClient,
  hangUpIfFree,
  pickUp,
  planOfCheck,
  pressDigits,
  say,
  startRinging,
  utterance,
} from './machine/legs.ts';
import { listensFrom } from './machine/listening.ts';
import type { ScriptStep } from './machine/script.ts';
import { followScript, planOfStep } from './machine/script-player.ts';
import { report, type Transition, takeUnreported } from './machine/transition.ts';
import { sayInTurn } from './machine/voicemail.ts';

/** Takes one input into the call. A refused input changes nothing. */
export function step(call: SimulatedCall, input: CallInput, now: Date): Step {
  const transition: Transition = { call, refusal: undefined, effects: [], now };
  take(transition, input);
  const { refusal, effects } = transition;
  return refusal === undefined ? { call: transition.call, effects } : { call, effects: [], refusal };
}

function take(transition: Transition, input: CallInput): void {
  switch (input.type) {
    case 'command':
      takeCommand(transition, input.instruction, input);
      return;
    case 'action':
      takeAction(transition, input.action, input);
      return;
    case 'control':
      takeControl(transition, input.control, input);
      return;
    case 'web_client':
      takeWebClientRequest(transition, input.legRef, input.request);
      return;
  }
}

type InboundCall = {
  readonly callRef: string;
  readonly legRef: string;
  readonly from: string;
  readonly to: string;
  readonly script: readonly ScriptStep[] | null;
};

/** Begins a call from outside to one of our numbers. */
export function beginInboundCall({ callRef, legRef, from, to, script }: InboundCall): Step {
  const leg = newLeg({ leg_ref: legRef, party: 'customer', address: from, dialled: false, state: 'ringing' });
  const event = { type: 'call.arrived', callRef, legRef, from, to } as const;
  const call = { ...newCall(callRef, script), legs: [leg] };
  return { call, effects: [{ do: 'report', event }, ...(script === null ? [] : [planOfStep(script)])] };
}

type WebClientCall = {
  readonly callRef: string;
  readonly legRef: string;
  readonly webClientId: string;
  readonly script: readonly ScriptStep[] | null;
};

/** Begins a call that a web client makes: its own leg is up at once, and the domain dials the other party next. */
export function beginWebClientCall({ callRef, legRef, webClientId, script }: WebClientCall): Step {
  const leg = newLeg({ leg_ref: legRef, party: 'agent', address: webClientId, dialled: false, state: 'up' });
  const call = { ...newCall(callRef, script), legs: [leg] };
  return { call, effects: [planOfCheck(legRef), ...(script === null ? [] : [planOfStep(script)])] };
}

function takeAction(transition: Transition, action: ScheduledAction, facts: Facts & { ref: string }): void {
  const { ref, spokenMs = 0 } = facts;
  switch (action.do) {
    case 'report_sound':
      reportSound(transition, action.ref);
      return;
    case 'follow_script':
      followScript(transition, action, { ref, spokenMs });
      return;
    default:
      takeLegAction(transition, action, facts);
      return;
  }
}

function takeLegAction(
  transition: Transition,
  action: Extract<ScheduledAction, { legRef: string }>,
  { ref, spokenMs = 0, webClient: status = 'unreachable' }: Facts & { ref: string },
): void {
  const leg = findLeg(transition.call, action.legRef);
  if (leg === undefined) return;
  switch (action.do) {
    case 'ring':
      startRinging(transition, leg);
      return;
    case 'answer':
      pickUp(transition, leg);
      return;
    case 'hang_up':
      hangUpIfFree(transition, leg);
      return;
    case 'check_web_client':
      checkWebClient(transition, leg, { misses: action.misses, status });
      return;
    case 'press_digit':
      if (leg.state === 'up') pressDigits(transition, leg, { ref, digits: action.digit });
      return;
    case 'small_talk': {
      const { call, now } = transition;
      if (leg.state !== 'up' || listensFrom(call, leg) === undefined || hasSpoken(call)) return;
      const said = say(transition, leg, { ref, text: action.text, durationMs: spokenMs, reported: false });
      sayInTurn(transition, leg.leg_ref, [said], now);
      return;
    }
  }
}

/** True if a party has said something other than small talk. Then no party makes small talk. */
function hasSpoken({ sounds }: SimulatedCall): boolean {
  return sounds.some(({ said_by, ref }) => said_by !== null && !ref.includes(':small_talk:'));
}

/** Reports a sound that is over, unless it was reported when it was cut off. */
function reportSound(transition: Transition, ref: string): void {
  const { call_ref: callRef } = transition.call;
  const events = takeUnreported(transition, ref).flatMap((sound): VoiceEvent[] => {
    if (sound.said_by === null) return [{ type: 'speech.ended', callRef, speechRef: ref, completed: true }];
    const leg = findLeg(transition.call, sound.said_by);
    return leg === undefined ? [] : [utterance(transition, leg, sound)];
  });
  report(transition, ...events);
}
