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

type Strength = {
  /** How often it strikes; without end by default. */
  readonly times?: number;
  /** The share of those that it strikes, 0 to 1; all by default. */
  readonly share?: number;
  /** How late, in milliseconds; 500 by default. */
  readonly delayMs?: number;
  /** What a 429 asks for; 1 by default. */
  readonly retryAfterS?: number;
};

/** A fault of an operation such as `messaging.send`, or of all (`*`). */
export type OperationRule = Strength & { readonly operation: string; readonly is: OperationFault };

/** A fault of an event such as `message.receipt`, or of all (`*`). */
type EventRule = Strength & { readonly event: string; readonly is: EventFault };

export type FaultRule = OperationRule | EventRule;

export type Faults = {
  /** Replaces the rules. With the same seed the same ones are struck, if they come in the same order. */
  set(rules: readonly FaultRule[], seed: number): void;
  /** Returns the fault that strikes an operation, if one does. */
  ofOperation(name: string): OperationStrike | undefined;
  ofEvent(type: string): EventRule | undefined;
  /** Returns how many have been struck since `set`. */
  struck(): number;
  /**
   * Strikes the next operation that the rule fits, before all other rules. Resolves with true once it is struck, after
   * the carrier has carried it out if it does, and with false if none came in time.
   */
  ambush(rule: OperationRule, withinMs: number): Promise<boolean>;
};

/** An operation's fault. `onStruck` is called once the carrier has done what it does in spite of the fault. */
type OperationStrike = OperationRule & { readonly onStruck?: () => void };

/** Creates the faults of a carrier that has none yet. */
export function createFaults(): Faults {
  let rules: { readonly rule: FaultRule; left: number }[] = [];
  let random = createRandom(0);
  let struck = 0;
  const ambushes = new Set<OperationStrike>();
  const fits = (rule: OperationRule, name: string) => [name, '*'].includes(rule.operation);
  const strike = (isFit: (rule: FaultRule) => boolean): FaultRule | undefined => {
    for (const each of rules) {
      if (each.left <= 0 || !isFit(each.rule) || random() >= (each.rule.share ?? 1)) continue;
      each.left--;
      struck++;
      return each.rule;
    }
    return undefined;
  };
  return {
    set: (next, seed) => {
      rules = next.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
      random = createRandom(seed);
      struck = 0;
    },
    ofOperation: (name) => {
      const ambush = [...ambushes].find((rule) => fits(rule, name));
      if (ambush === undefined) {
        return strike((rule) => 'operation' in rule && fits(rule, name)) as OperationRule | undefined;
      }
      ambushes.delete(ambush);
      return ambush;
    },
    ofEvent: (type) => strike((rule) => 'event' in rule && [type, '*'].includes(rule.event)) as EventRule | undefined,
    struck: () => struck,
    ambush: (rule, withinMs) =>
      new Promise((resolve) => {
        const ambush: OperationStrike = { ...rule, onStruck: () => resolve(true) };
        ambushes.add(ambush);
        setTimeout(() => {
          if (ambushes.delete(ambush)) resolve(false);
        }, withinMs);
      }),
  };
}

export function delayOf({ delayMs = 500 }: Strength): number {
  return delayMs;
}

/** Returns numbers of 0 to 1 that follow from the seed (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
