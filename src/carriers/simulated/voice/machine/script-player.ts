/** Follows the script of a simulated call, step by step. */
import { durationMsOf } from '../../../../audio/pcm.ts';
import { dtmf } from '../../../../audio/tones.ts';
import type { Party } from '../../../ports/voice.ts';
import { findLegUp, type Leg, type Plan, type SimulatedCall } from '../call.ts';
import { endLeg, pickUp, pressDigits, STAY_MS_MAX, say, TALK_MS, utterance } from './legs.ts';
import { listensFrom } from './listening.ts';
import type { ScriptStep } from './script.ts';
import { plan, planHangUp, report, type Transition } from './transition.ts';
import { findMessage } from './voicemail.ts';

/** A step that is not possible yet is tried again; after a minute it is skipped. */
const AGAIN_MS = 200;
const ATTEMPTS_MAX = 300;

/** When the next step is due, or when the same step is tried again. */
type Played = { readonly nextInMs: number } | { readonly againInMs: number };
const DONE: Played = { nextInMs: 0 };
const AGAIN: Played = { againInMs: AGAIN_MS };

type Script = SimulatedCall['script'];
type Position = { readonly step: number; readonly attempt: number };
/** `ref` names what the step says or presses. */
type Performance = { readonly ref: string; readonly spokenMs: number };

/** Returns the plan of a step, by default of the first. */
export function planOfStep(script: Script, { step, attempt }: Position = { step: 0, attempt: 1 }, inMs = 0): Plan {
  const wanted = script?.[step];
  const text = wanted?.do === 'say' ? wanted.text : null;
  return { do: 'plan', name: `script:${step}:${attempt}`, inMs, action: { do: 'follow_script', step, attempt, text } };
}

function planStep(transition: Transition, position: Position, inMs: number): void {
  plan(transition, planOfStep(transition.call.script, position, inMs));
}

export function followScript(transition: Transition, { step, attempt }: Position, performance: Performance): void {
  const { call } = transition;
  if (call.legs.every((leg) => leg.state === 'ended')) return;
  const wanted = call.script?.[step];
  if (wanted === undefined) {
    endScript(transition, { step, attempt });
    return;
  }
  const played = playStep(transition, wanted, performance);
  if ('againInMs' in played && attempt < attemptsMax(transition, wanted)) {
    planStep(transition, { step, attempt: attempt + 1 }, played.againInMs);
    return;
  }
  planStep(transition, { step: step + 1, attempt: 1 }, 'nextInMs' in played ? played.nextInMs : 0);
}

/** A party that is being greeted waits for the end of the greeting, however long it is. */
function attemptsMax(transition: Transition, step: ScriptStep): number {
  const isGreeted = (step.do === 'say' || step.do === 'press') && findPresent(transition, step.party)?.state === 'up';
  return isGreeted ? STAY_MS_MAX / AGAIN_MS : ATTEMPTS_MAX;
}

/** After the last step a caller that is up, or comes up later, talks as usual; one at a voicemail hangs up. */
function endScript(transition: Transition, { step, attempt }: Position): void {
  const customer = findLegUp(transition.call, 'customer');
  if (customer === undefined) {
    planStep(transition, { step, attempt: attempt + 1 }, AGAIN_MS);
    return;
  }
  if (findMessage(transition.call, customer) !== undefined) return;
  planHangUp(transition, customer.leg_ref, customer.leaves_message ? 0 : TALK_MS);
}

function playStep(transition: Transition, step: ScriptStep, { ref, spokenMs }: Performance): Played {
  switch (step.do) {
    case 'wait':
      return { nextInMs: step.ms };
    case 'answer':
    case 'decline':
      return playTarget(transition, step);
    case 'hang_up': {
      const leg = findPresent(transition, step.party);
      if (leg !== undefined) endLeg(transition, leg, 'hangup');
      return DONE;
    }
    case 'press': {
      const leg = findHeard(transition, step.party);
      if ('againInMs' in leg) return leg;
      pressDigits(transition, leg, { ref, digits: step.digits });
      return { nextInMs: durationMsOf(dtmf(step.digits)) };
    }
    case 'say': {
      const leg = findHeard(transition, step.party);
      if ('againInMs' in leg) return leg;
      const sound = say(transition, leg, { ref, text: step.text, durationMs: spokenMs, reported: true });
      report(transition, utterance(transition, leg, sound));
      return { nextInMs: spokenMs };
    }
  }
}

function playTarget(transition: Transition, step: Extract<ScriptStep, { target: unknown }>): Played {
  const targets = transition.call.legs.filter((leg) => leg.party === 'agent' && leg.state !== 'ended');
  const leg = targets.find((one) => step.target === null || one.address === step.target);
  // A target may still be rung later; but not after a voicemail has answered.
  if (leg === undefined) return findPresent(transition, 'customer')?.state === 'up' ? DONE : AGAIN;
  if (step.do === 'answer') pickUp(transition, leg);
  else endLeg(transition, leg, 'rejected');
  return DONE;
}

function findPresent({ call }: Transition, party: Party): Leg | undefined {
  return call.legs.find((leg) => leg.party === party && (leg.state === 'up' || leg.state === 'ringing'));
}

/** Returns a party that has a listener, or when to look again: at the end of the tone, while it sounds. */
function findHeard({ call, now }: Transition, party: Party): Leg | { readonly againInMs: number } {
  const leg = findLegUp(call, party);
  const from = leg && listensFrom(call, leg);
  if (leg === undefined || from === undefined) return { againInMs: AGAIN_MS };
  return from > now ? { againInMs: from.getTime() - now.getTime() } : leg;
}
