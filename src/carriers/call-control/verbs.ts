/**
 * Call control for carriers that take commands to legs. The rules here are the same for all of them: which legs a
 * command reaches, and that it is refused if they are gone. The carrier's verb carries out the command.
 */
import type { Outcome } from '../ports/outcome.ts';
import { legRefsOf, type VoiceInstruction, type VoiceRefusal } from '../ports/voice.ts';

export type VoiceOutcome = Outcome<object, VoiceRefusal>;
export type Instruction<Do extends VoiceInstruction['do']> = Extract<VoiceInstruction, { do: Do }>;

export const ACCEPTED: VoiceOutcome = { outcome: 'accepted' };
export const LEG_GONE: VoiceOutcome = { outcome: 'rejected', reason: 'leg_gone' };
export const NOT_SUPPORTED: VoiceOutcome = { outcome: 'rejected', reason: 'not_supported' };

/** Commands that do not pass through a verb, because their legs may not exist yet or may have ended. */
type ToAnyLeg = 'dial' | 'hang_up';
export type ToLegs = Exclude<VoiceInstruction, { do: ToAnyLeg }>;

/** The legs that a verb gets: at least one leg of the command that takes commands now, or both legs of a bridge. */
type LegsFor<Command, Leg> = Command extends { readonly legRefs: readonly [string, string] }
  ? readonly [Leg, Leg]
  : Command extends { readonly legRef: string } | { readonly legRefs: readonly string[] }
    ? readonly [Leg, ...Leg[]]
    : readonly [];

/** The carrier's action for each command. */
export type Verbs<Work, Leg> = {
  readonly [Do in ToLegs['do']]: (
    work: Work,
    legs: LegsFor<Instruction<Do>, Leg>,
    instruction: Instruction<Do>,
  ) => Promise<VoiceOutcome>;
};

type AnyVerb<Work, Leg> = (work: Work, legs: readonly Leg[], instruction: ToLegs) => Promise<VoiceOutcome>;

/**
 * Carries out a command to legs. It is refused if none of its legs takes commands, or if one leg of a bridge does not.
 * @param live the command's legs that take commands now, in any order
 */
export async function carryOut<Work, Leg extends { readonly legRef: string }>(
  verbs: Verbs<Work, Leg>,
  work: Work,
  { instruction, live }: { readonly instruction: ToLegs; readonly live: readonly Leg[] },
): Promise<VoiceOutcome> {
  const refs = legRefsOf(instruction);
  const legs = refs.flatMap((ref) => live.filter(({ legRef }) => legRef === ref));
  const needed = instruction.do === 'bridge' ? 2 : Math.min(refs.length, 1);
  if (legs.length < needed) return LEG_GONE;
  const verb = verbs[instruction.do] as unknown as AnyVerb<Work, Leg>;
  return await verb(work, legs, instruction);
}

/** Returns the leg that is recorded. It is the customer's leg, because that leg stays when agents transfer the call. */
export function recordedLeg<Leg extends { readonly party: string | null }>(legs: readonly [Leg, ...Leg[]]): Leg {
  return legs.find(({ party }) => party === 'customer') ?? legs[0];
}

/**
 * Returns the outcome of a command that ends an object. If the object or its leg no longer exists, the object counts as
 * ended.
 */
export function endingOutcome(outcome: VoiceOutcome): VoiceOutcome {
  return outcome === LEG_GONE ? ACCEPTED : outcome;
}
