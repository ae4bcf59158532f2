import { createRandom } from '../wire/faults.ts';

/**
 * - 500, 429: it is not carried out, and the reply says so.
 * - timeout_after_acceptance: it is carried out, and its reply never comes.
 * - timeout_before_acceptance: it is neither carried out nor answered.
 * - malformed: it is carried out, and its reply is half of the JSON.
 * - delay: it is carried out, and its reply comes late.
 */
type RequestFault = '500' | '429' | 'timeout_after_acceptance' | 'timeout_before_acceptance' | 'malformed' | 'delay';

/**
 * - duplicate: it is posted twice at once.
 * - disorder: it is posted late, and later ones about the same thing overtake it.
 * - late: it and all later ones about the same thing are posted late.
 * - lost: it is never posted.
 * - malformed: half of its JSON is posted first, with a signature that fits.
 */
type WebhookFault = 'duplicate' | 'disorder' | 'late' | 'lost' | 'malformed';

type Strength = {
  /** How often it strikes; without end by default. */
  readonly times?: number;
  /** The share of those that it strikes, 0 to 1; all by default. */
  readonly share?: number;
  /** How late, in milliseconds; 500 by default. */
  readonly delayMs?: number;
  /** The seconds until the reset that a 429 names; 1 by default. */
  readonly resetS?: number;
};

/** A fault of an operation such as `POST /messages`, or of all (`*`). */
export type RequestRule = Strength & { readonly request: string; readonly is: RequestFault };

/** A fault of an event such as `message.finalized`, or of all (`*`). */
type WebhookRule = Strength & { readonly webhook: string; readonly is: WebhookFault };

export type Rule = RequestRule | WebhookRule;

export type Faults = {
  /** Replaces the rules. With the same seed the same ones are struck, if they come in the same order. */
  set(rules: readonly Rule[], seed: number): void;
  /** Returns the fault that strikes a request, if one does. */
  ofRequest(name: string): RequestRule | undefined;
  ofWebhook(type: string): WebhookRule | undefined;
  /** Returns how many have been struck since `set`. */
  struck(): number;
};

/** Creates the faults of an emulator that has none yet. */
export function createFaults(): Faults {
  let rules: { readonly rule: Rule; left: number }[] = [];
  let random = createRandom(0);
  let struck = 0;
  const strike = (isFit: (rule: Rule) => boolean): Rule | undefined => {
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
    ofRequest: (name) =>
      strike((rule) => 'request' in rule && [name, '*'].includes(rule.request)) as RequestRule | undefined,
    ofWebhook: (type) =>
      strike((rule) => 'webhook' in rule && [type, '*'].includes(rule.webhook)) as WebhookRule | undefined,
    struck: () => struck,
  };
}

export function delayOf({ delayMs = 500 }: Strength): number {
  return delayMs;
}
