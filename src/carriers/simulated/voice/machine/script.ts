/**
 * The script of a simulated call: what its parties do, step by step, separated by commas.
 *
 *   ring 3            the call rings for three seconds
 *   answer            the first target that rings answers; `answer +16025550120` names one
 *   decline           a target that rings declines
 *   say "Hello"       the customer speaks; `agent say "Hello"` the agent
 *   press 12#         the customer presses digits; `agent press 1` the agent
 *   wait 2            two seconds in which nothing happens
 *   hangup            the customer hangs up; `agent hangup` the agent
 */
import type { Party } from '../../../ports/voice.ts';

export type ScriptStep =
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'answer' | 'decline'; readonly target: string | null }
  | { readonly do: 'say'; readonly party: Party; readonly text: string }
  | { readonly do: 'press'; readonly party: Party; readonly digits: string }
  | { readonly do: 'hang_up'; readonly party: Party };

export const SCRIPT_CHARS_MAX = 2_000;
const STEPS_MAX = 50;
const WAIT_S_MAX = 300;

/** A script that cannot be followed; the message names the step. */
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

const STEP = /^(?:(agent|customer|caller)\s+)?(ring|wait|answer|decline|say|press|hangup|hang up)(?:\s+(.*))?$/is;

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
      return { do: verb.toLowerCase() as 'answer' | 'decline', target: rest === '' ? null : rest };
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
      throw wrong('is none of ring, answer, decline, say, press, wait, hangup');
  }
}

/** True if the script says what targets do; otherwise they answer as usual. */
export function hasTargetSteps(script: readonly ScriptStep[] | null): boolean {
  return script?.some((step) => step.do === 'answer' || step.do === 'decline') ?? false;
}

/** True if the script says what the caller does, also at a voicemail. */
export function hasCallerSteps(script: readonly ScriptStep[] | null): boolean {
  return script?.some((step) => 'party' in step && step.party === 'customer') ?? false;
}

export function hasDigitSteps(script: readonly ScriptStep[] | null): boolean {
  return script?.some((step) => step.do === 'press') ?? false;
}
