/**
 * The answers of a carrier.
 *
 * The ports are the interface between the domain and a carrier. Each capability has a file, so that a ledger can use
 * one carrier for numbers and texts and another for calls. The domain sends commands through a capability. What happens
 * at the carrier comes back as a CarrierEvent, possibly late, twice or out of order.
 *
 * `ref` is always Dialplane's own id of an object. Commands carry it and events return it. If the answer to a command
 * is lost and the carrier takes no idempotency key, the domain asks for the command's state by `ref`.
 */

/**
 * The outcome of a command.
 * - accepted: the carrier has it.
 * - rejected: the carrier will never accept it. `reason` is one of the port's words, not the carrier's; `Refusal` has
 *   the details.
 * - unavailable: the carrier certainly does not have it. Try again, not before `retryAfterMs` if given. Without a
 *   `cause` the carrier has considered the request and does not accept it now. The causes: `unreachable`: the carrier
 *   was not reached or does not work, so other requests would fail too. `busy`: the request was not sent, because too
 *   many others to the carrier are running. `account`: the state of the operator's account at the carrier does not
 *   allow it. `limit`: the account has reached its number of calls. `account` and `limit` alarm the operator.
 *   `errorDetail` is the carrier's own error.
 * - unknown: the carrier may have it. Ask (`find…`) before anything else, and never repeat the command blindly. `ended`
 *   is given if the request could still reach the carrier. It resolves when the request can no longer do so.
 */
export type Outcome<Accepted, Reason extends string = string, Refusal = object> =
  | ({ readonly outcome: 'accepted' } & Accepted)
  | ({ readonly outcome: 'rejected'; readonly reason: Reason } & Refusal)
  | {
      readonly outcome: 'unavailable';
      readonly retryAfterMs?: number;
      readonly cause?: 'unreachable' | 'busy' | 'account' | 'limit';
      readonly errorDetail?: ErrorDetail;
    }
  | { readonly outcome: 'unknown'; readonly ended?: Promise<void> };

/** An error in the carrier's own terms: its code and its title. The fields are the API's. */
export type ErrorDetail = { readonly carrier_code: string; readonly title: string };

/** What the carrier knows about a command whose answer was lost. `undecided`: ask again later. */
export type Found<Accepted> = ({ readonly found: 'accepted' } & Accepted) | { readonly found: 'absent' | 'undecided' };

/**
 * A carrier's result for the assignment of a number to a campaign or an emergency address. With `pending` the carrier
 * confirms or refuses later, in an AssignmentReport. Until then the same command returns the progress.
 */
export type Assigned = { readonly pending?: boolean };

/** The end of an assignment that was accepted as `pending`. */
export type AssignmentReport = {
  /** E.164. */
  readonly phoneNumber: string;
  readonly to: { readonly kind: 'campaign' | 'e911_address'; readonly ref: string };
} & ({ readonly type: 'number.assigned' } | { readonly type: 'number.assignment_failed'; readonly reason: string });

/** A carrier's result for a registration: `carrierRef` is the carrier's own id. */
export type Registered = { readonly carrierRef: string };

/**
 * Returns the outcome of several requests that are one command. It is rejected only if no request was accepted, because
 * the carrier carries out an accepted part in any case.
 */
export function outcomeOfAll<Reason extends string>(
  outcomes: readonly Outcome<object, Reason>[],
): Outcome<object, Reason> {
  const ofKind = (kind: Outcome<object>['outcome']) => outcomes.find(({ outcome }) => outcome === kind);
  const first = ofKind('unknown') ?? ofKind('unavailable') ?? ofKind('accepted') ?? ofKind('rejected');
  return first ?? { outcome: 'accepted' };
}
