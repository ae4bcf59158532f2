import { type Ambush, createAmbushes, createFaultRules, type Strength } from '../support/fault-rules.ts';

/**
 * - 500, 429: it is not carried out, and the reply says so.
 * - refusal: it is not carried out, and the reply has the `code` of an error.
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

/**
 * A fault of an operation such as `POST /messages`. With a `*` at the end, a fault of all operations whose names begin
 * with this text.
 */
export type RequestRule = Strength & { readonly request: string } & (
    | { readonly is: RequestFault }
    | { readonly is: 'refusal'; readonly code: string }
  );

/** A fault of an event such as `message.finalized`, or of all (`*`). */
type WebhookRule = Strength & { readonly webhook: string; readonly is: WebhookFault };

export type Rule = RequestRule | WebhookRule;

export type Faults = {
  /** Replaces the rules. The same seed and the same order of requests hit the same requests. */
  set(rules: readonly Rule[], seed: number): void;
  /** Returns the fault that strikes a request, if one does. */
  ofRequest(name: string): Ambush<RequestRule> | undefined;
  ofWebhook(type: string): WebhookRule | undefined;
  /** Returns how many have been struck since `set`. */
  struck(): number;
  /** Strikes the next request that the rule fits, before all other rules. */
  ambush(rule: RequestRule, withinMs: number): Promise<boolean>;
};

/** Creates the faults of an emulator. At first there are no rules. */
export function createFaults(): Faults {
  const rules = createFaultRules<Rule>();
  const ambushes = createAmbushes<RequestRule>();
  const fits = ({ request }: RequestRule, name: string) =>
    request.endsWith('*') ? name.startsWith(request.slice(0, -1)) : name === request;
  return {
    set: rules.set,
    ofRequest: (name) =>
      ambushes.strike((rule) => fits(rule, name)) ??
      (rules.strike((rule) => 'request' in rule && fits(rule, name)) as RequestRule | undefined),
    ofWebhook: (type) =>
      rules.strike((rule) => 'webhook' in rule && [type, '*'].includes(rule.webhook)) as WebhookRule | undefined,
    struck: rules.struck,
    ambush: ambushes.set,
  };
}
