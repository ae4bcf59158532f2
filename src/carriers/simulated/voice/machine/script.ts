/**
 * The script of a simulated call: what its parties do, step by step, separated by commas.
 *
 *   ring 3            the call rings for three seconds
 *   answer            the first target that rings answers; `answer +16025550120` names one
 *   decline           a target that rings declines
 *   busy              a target that rings is busy
 *   say "Hello"       the customer speaks; `agent say "Hello"` the agent
 *   press 12#         the customer presses digits, once it is asked for them, is on hold or is heard; `agent press 1`
 *                     the agent
 *   wait 2            two seconds without an action
 *   hangup            the customer hangs up; `agent hangup` the agent
 */
import { durationMsOf } from '../../../../audio/pcm.ts';
import { dtmf } from '../../../../audio/tones.ts';
import type { Party } from '../../../ports/voice.ts';
import {
  type CallEffect,
  findHold,
  findLegUp,
  isRung,
  type Leg,
  listensFrom,
  type Script,
  type ScriptStep,
} from '../call.ts';
import { endLeg, pickUp, pressDigits, STAY_MS_MAX, say, TALK_MS, utterance } from './legs.ts';
import { plan, planOf, report, type Transition } from './transition.ts';
import { findMessage } from './voicemail.ts';

export const SCRIPT_CHARS_MAX = 2_000;
const STEPS_MAX = 50;
const WAIT_S_MAX = 300;

/** An invalid script; the message names the step. */
export class ScriptError extends Error {
  override name = 'ScriptError';
}

/**
 * Reads a script.
 * @throws ScriptError for a step that does not exist, or more than 50 of them
 */
export function parseScript(script: string): ScriptStep[] {
  const steps = splitSteps(script).map(parseStep);
  if (steps.length > STEPS_MAX) throw new ScriptError(`a script has at most ${STEPS_MAX} steps`);
  return steps;
}

/** Splits at commas outside of quotes; empty steps are skipped. */
function splitSteps(script: string): string[] {
  const steps = script.match(/(?:"[^"]*"|“[^”]*”|[^,"“])+/g) ?? [];
  return steps.map((step) => step.trim()).filter((step) => step !== '');
}

const STEP = /^(?:(agent|customer|caller)\s+)?(ring|wait|answer|decline|busy|say|press|hangup|hang up)(?:\s+(.*))?$/is;

function parseStep(text: string): ScriptStep {
  const [, who = '', verb = '', rest = ''] = STEP.exec(text) ?? [];
  const party: Party = who.toLowerCase() === 'agent' ? 'agent' : 'customer';
  const wrong = (why: string) => new ScriptError(`the step ${JSON.stringify(text)} ${why}`);
  switch (verb.toLowerCase()) {
    case 'ring':
    case 'wait': {
      const seconds = Number(rest);
      if (rest === '' || !(seconds >= 0 && seconds <= WAIT_S_MAX)) throw wrong(`needs 0 to ${WAIT_S_MAX} seconds`);
      return { do: 'wait', ms: Math.round(seconds * 1000) };
    }
    case 'answer':
    case 'decline':
    case 'busy':
      return { do: verb.toLowerCase() as 'answer' | 'decline' | 'busy', target: rest === '' ? null : rest };
    case 'say': {
      const said = rest.replace(/^["“]|["”]$/g, '').trim();
      if (said === '') throw wrong('needs what to say, in quotes');
      return { do: 'say', party, text: said };
    }
    case 'press':
      if (!/^[0-9A-D*#wW]{1,32}$/.test(rest)) throw wrong('needs keys: 0-9, A-D, *, #');
      return { do: 'press', party, digits: rest };
    case 'hangup':
    case 'hang up':
      return { do: 'hang_up', party };
    default:
      throw wrong('is none of ring, answer, decline, busy, say, press, wait, hangup');
  }
}

/** The time until a step that is not possible yet is tried again. After a minute the step is skipped. */
const AGAIN_MS = 200;
const ATTEMPTS_MAX = 300;

/** `inMs`: the delay until the next step, or until the same step is tried again. */
type Played = { readonly done: boolean; readonly inMs: number };
const DONE: Played = { done: true, inMs: 0 };
const AGAIN: Played = { done: false, inMs: AGAIN_MS };

type Position = { readonly step: number; readonly attempt: number };
/** `ref` names the words or digits of the step. */
type Performance = { readonly ref: string; readonly spokenMs: number };

/** Returns the plan of a step, by default of the first step. */
export function planOfStep(
  script: Script,
  { step, attempt }: Position = { step: 0, attempt: 1 },
  inMs = 0,
): CallEffect {
  const wanted = script?.[step];
  return planOf({ do: 'follow_script', step, attempt, text: wanted?.do === 'say' ? wanted.text : null }, inMs);
}

/** Plays a step of the script, and plans the next one or the next attempt. */
export function followScript(transition: Transition, { step, attempt }: Position, performance: Performance): undefined {
  const { legs, script } = transition.call;
  if (legs.every((leg) => leg.state === 'ended')) return;
  const wanted = script?.[step];
  const played = wanted === undefined ? endScript(transition) : playStep(transition, wanted, performance);
  if (played === undefined) return;
  const { done, inMs } = !played.done && attempt >= attemptsMax(transition, wanted) ? DONE : played;
  const next = done ? { step: step + 1, attempt: 1 } : { step, attempt: attempt + 1 };
  transition.effects.push(planOfStep(script, next, inMs));
}

/** A party that hears a greeting waits for its end. */
function attemptsMax(transition: Transition, step: ScriptStep | undefined): number {
  if (step === undefined) return Number.POSITIVE_INFINITY;
  const isGreeted = (step.do === 'say' || step.do === 'press') && findPresent(transition, step.party)?.state === 'up';
  return isGreeted ? STAY_MS_MAX / AGAIN_MS : ATTEMPTS_MAX;
}

/**
 * After the last step, a caller whose leg is up talks as usual, and so does a caller whose leg is answered later. A
 * caller at a voicemail hangs up.
 */
function endScript(transition: Transition): Played | undefined {
  const customer = findLegUp(transition.call, 'customer');
  if (customer === undefined) return AGAIN;
  if (findMessage(transition.call, customer) !== undefined) return;
  plan(transition, { do: 'hang_up', legRef: customer.leg_ref }, customer.leaves_message ? 0 : TALK_MS);
}

function playStep(transition: Transition, step: ScriptStep, { ref, spokenMs }: Performance): Played {
  switch (step.do) {
    case 'wait':
      return { done: true, inMs: step.ms };
    case 'answer':
    case 'decline':
    case 'busy':
      return playTarget(transition, step);
    case 'by_hand':
      return DONE;
    case 'hang_up': {
      const leg = findPresent(transition, step.party);
      if (leg !== undefined) endLeg(transition, leg, 'hangup');
      return DONE;
    }
    case 'press': {
      const leg = findAsked(transition, step.party) ?? findHeard(transition, step.party);
      if ('done' in leg) return leg;
      pressDigits(transition, leg, { ref, digits: step.digits });
      return { done: true, inMs: durationMsOf(dtmf(step.digits)) };
    }
    case 'say': {
      const leg = findHeard(transition, step.party);
      if ('done' in leg) return leg;
      const sound = say(transition, leg, { ref, content: step.text, duration_ms: spokenMs, reported: true });
      report(transition, utterance(transition, leg, sound));
      return { done: true, inMs: spokenMs };
    }
  }
}

function playTarget(transition: Transition, step: Extract<ScriptStep, { target: unknown }>): Played {
  const { legs, bridged_at } = transition.call;
  const targets = legs.filter((leg) => leg.party === 'agent' && isRung(leg));
  const leg = targets.find((candidate) => step.target === null || candidate.address === step.target);
  if (leg === undefined) {
    // A target may be rung later, after a menu or for a transfer. After the answer of a voicemail or an application, no
    // target is rung.
    const customer = findLegUp(transition.call, 'customer');
    const isTaken = customer !== undefined && bridged_at === null && listensFrom(transition.call, customer);
    return isTaken ? DONE : AGAIN;
  }
  if (step.do === 'answer') pickUp(transition, leg);
  else endLeg(transition, leg, step.do === 'busy' ? 'busy' : 'rejected');
  return DONE;
}

/**
 * Returns a party that may press digits: a gather asks it for them, or it waits on hold before it is connected, as in a
 * queue. It may press them during the prompt, and while it waits.
 */
function findAsked({ call }: Transition, party: Party): Leg | undefined {
  const leg = findLegUp(call, party);
  if (leg === undefined) return undefined;
  const waits = leg.heard_from === null && findHold(leg) !== undefined;
  return leg.gather_ref !== null || waits ? leg : undefined;
}

function findPresent({ call }: Transition, party: Party): Leg | undefined {
  return call.legs.find((leg) => leg.party === party && (leg.state === 'up' || leg.state === 'ringing'));
}

/**
 * Returns a party that has a listener, or the time of the next check. During a tone, that time is the end of the tone.
 */
function findHeard({ call, now }: Transition, party: Party): Leg | Played {
  const leg = findLegUp(call, party);
  const from = leg && listensFrom(call, leg);
  if (leg === undefined || from === undefined) return AGAIN;
  return from > now ? { done: false, inMs: from.getTime() - now.getTime() } : leg;
}
