import { type Ambush, createAmbushes, createFaultRules, type Strength } from '../support/fault-rules.ts';

/**
 * - timeout_after_acceptance: it is carried out, and its reply never comes.
 * - 500, 429: it is not carried out, and the reply says so.
 * - lose: it is neither carried out nor answered.
 * - delay: it is carried out, and its reply comes late.
 */
type OperationFault = 'timeout_after_acceptance' | '500' | '429' | 'lose' | 'delay';

/**
 * - duplicate: it is posted twice.
 * - disorder: it is posted late, and later ones about the same thing overtake it.
 * - lose: it is never posted.
 * - delay: it and all later ones about the same thing are posted late.
 */
type EventFault = 'duplicate' | 'disorder' | 'lose' | 'delay';

/** A fault of an operation such as `messaging.send`, or of all (`*`). */
export type OperationRule = Strength & { readonly operation: string; readonly is: OperationFault };

/** A fault of an event such as `message.receipt`, or of all (`*`). */
type EventRule = Strength & { readonly event: string; readonly is: EventFault };

export type FaultRule = OperationRule | EventRule;

export type Faults = {
  /** Replaces the rules. The same seed strikes the same operations and events if they come in the same order. */
  set(rules: readonly FaultRule[], seed: number): void;
  /** Returns the fault that strikes an operation, if one does. */
  ofOperation(name: string): Ambush<OperationRule> | undefined;
  ofEvent(type: string): EventRule | undefined;
  /** Returns how many have been struck since `set`. */
  struck(): number;
  /** Strikes the next operation that the rule fits, before all other rules. */
  ambush(rule: OperationRule, withinMs: number): Promise<boolean>;
};

/** Creates the faults of a carrier. At first there are no rules. */
export function createFaults(): Faults {
  const rules = createFaultRules<FaultRule>();
  const ambushes = createAmbushes<OperationRule>();
  const fits = (rule: OperationRule, name: string) => [name, '*'].includes(rule.operation);
  return {
    set: rules.set,
    ofOperation: (name) =>
      ambushes.strike((rule) => fits(rule, name)) ??
      (rules.strike((rule) => 'operation' in rule && fits(rule, name)) as OperationRule | undefined),
    ofEvent: (type) =>
      rules.strike((rule) => 'event' in rule && [type, '*'].includes(rule.event)) as EventRule | undefined,
    struck: rules.struck,
    ambush: ambushes.set,
  };
}
