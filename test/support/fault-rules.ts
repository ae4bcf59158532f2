/** Rules for the faults of an emulated carrier: which exchanges a fault hits. */
import { time } from './emulator-time.ts';

export type Strength = {
  /** The number of times that the rule applies; unlimited by default. */
  readonly times?: number;
  /** The share of the requests that the rule hits, 0 to 1; all by default. */
  readonly share?: number;
  /** The delay in milliseconds; 500 by default. */
  readonly delayMs?: number;
  /** The seconds in the Retry-After of a 429; 1 by default. */
  readonly retryAfterS?: number;
};

export type FaultRules<Rule extends Strength> = {
  /** Replaces the rules. The same seed and the same order of requests hit the same requests. */
  set(rules: readonly Rule[], seed: number): void;
  /** Returns the first rule that fits and hits this request; undefined if there is none. */
  strike(isFit: (rule: Rule) => boolean): Rule | undefined;
  /** Returns how many requests were hit since `set`. */
  struck(): number;
};

export function createFaultRules<Rule extends Strength>(): FaultRules<Rule> {
  let rules: { readonly rule: Rule; left: number }[] = [];
  let random = createRandom(0);
  let struck = 0;
  return {
    set: (next, seed) => {
      rules = next.map((rule) => ({ rule, left: rule.times ?? Number.POSITIVE_INFINITY }));
      random = createRandom(seed);
      struck = 0;
    },
    strike: (isFit) => {
      for (const each of rules) {
        if (each.left <= 0 || !isFit(each.rule) || random() >= (each.rule.share ?? 1)) continue;
        each.left--;
        struck++;
        return each.rule;
      }
      return undefined;
    },
    struck: () => struck,
  };
}

export type Ambushes<Rule> = {
  /**
   * Waits for the next request that a rule fits. Resolves with true when the fault has hit a request. If the carrier
   * carries that request out, resolves after that. Resolves with false if no request came within `withinMs`.
   */
  set(rule: Rule, withinMs: number): Promise<boolean>;
  /** Returns the oldest ambush whose rule fits, and ends it. */
  strike(isFit: (rule: Rule) => boolean): Ambush<Rule> | undefined;
};

/**
 * A rule that hits one request. `onStruck` is called after the fault. If the operation is carried out, it is called
 * after the operation.
 */
export type Ambush<Rule> = Rule & { readonly onStruck?: () => void };

export function createAmbushes<Rule extends object>(): Ambushes<Rule> {
  const ambushes = new Set<Ambush<Rule>>();
  return {
    set: (rule, withinMs) =>
      new Promise((resolve) => {
        const ambush: Ambush<Rule> = { ...rule, onStruck: () => resolve(true) };
        ambushes.add(ambush);
        time
          .after(withinMs, () => {
            if (ambushes.delete(ambush)) resolve(false);
          })
          .unref();
      }),
    strike: (isFit) => {
      const ambush = [...ambushes].find(isFit);
      if (ambush !== undefined) ambushes.delete(ambush);
      return ambush;
    },
  };
}

export function delayOf({ delayMs = 500 }: Strength): number {
  return delayMs;
}

/** Returns a function that makes numbers from 0 to 1. The seed determines them (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
