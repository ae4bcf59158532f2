/**
 * The answers of a carrier.
 *
 * The ports are the language between the domain and a carrier, one file a capability, so that a ledger can use one
 * carrier for numbers and texts and another for calls. The domain sends commands through a capability. What happens at
 * the carrier comes back as a CarrierEvent, possibly late, twice or out of order.
 *
 * `ref` is always Dialplane's own id of a thing. Commands carry it and events return it. If the answer to a command is
 * lost and the carrier takes no idempotency key, the domain asks by `ref` what became of the command.
 */

/**
 * The outcome of a command.
 * - accepted: the carrier has it.
 * - rejected: the carrier will never take it. `reason` is one of the port's words, not the carrier's; `Refusal` has the
 *   details of the reason.
 * - unavailable: the carrier certainly does not have it. Try again, not before `retryAfterMs` if given. `cause` is
 *   absent if the carrier has considered the request and does not take it now. `unreachable`: the carrier was not
 *   reached or does not work, so other requests would fail too. `busy`: the request was not made, because too many
 *   others to the carrier are in progress. `account`: the state of the operator's account at the carrier does not allow
 *   it. `limit`: the account has reached its number of calls. The last two alarm the operator. `errorDetail` is the
 *   carrier's own error.
 * - unknown: the carrier may have it. Ask (`find…`) before anything else; never repeat blindly. `ended` is given if the
 *   request could still reach the carrier, and resolves once the request can no longer do so.
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

/** The carrier's knowledge of a command whose answer was lost. `undecided`: ask again later. */
export type Found<Accepted> = ({ readonly found: 'accepted' } & Accepted) | { readonly found: 'absent' | 'undecided' };

/**
 * A carrier's result for the assignment of a number to a campaign or an emergency address. With `pending` it confirms
 * or refuses later, by an AssignmentReport; until then the same command returns the progress.
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
 * Returns the outcome of requests that together are one command. It is rejected only if no request was accepted: an
 * accepted part is carried out even if another is rejected.
 */
export function outcomeOfAll<Reason extends string>(
  outcomes: readonly Outcome<object, Reason>[],
): Outcome<object, Reason> {
  const ofKind = (kind: Outcome<object>['outcome']) => outcomes.find(({ outcome }) => outcome === kind);
  const first = ofKind('unknown') ?? ofKind('unavailable') ?? ofKind('accepted') ?? ofKind('rejected');
  return first ?? { outcome: 'accepted' };
}
