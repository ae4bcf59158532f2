/**
 * How the domain and a carrier talk, one file per capability, so that a ledger may take numbers and texts from one carrier
 * and calls from another. Commands go out through a capability. What happens at the carrier comes back as a CarrierEvent,
 * possibly late, twice or out of order.
 *
 * `ref` is always Dialplane's own id of the thing. Commands carry it and events return it. A carrier that takes no
 * idempotency key is asked by `ref` what became of a command whose answer was lost.
 */
/**
 * What became of a command.
 * - accepted: the carrier has it.
 * - rejected: it never will; `reason` is one of the port's words, not the carrier's. `Refusal` is what comes with it.
 * - unavailable: it certainly has not; try again, not before `retryAfterMs` if given.
 * - unknown: it may have; ask (`find…`) before anything else, never repeat blindly.
 */
export type Outcome<Accepted, Reason extends string = string, Refusal = object> =
  | ({ readonly outcome: 'accepted' } & Accepted)
  | ({ readonly outcome: 'rejected'; readonly reason: Reason } & Refusal)
  | { readonly outcome: 'unavailable'; readonly retryAfterMs?: number }
  | { readonly outcome: 'unknown' };

/** What the carrier knows of a command whose answer was lost. `undecided`: ask again later. */
export type Found<Accepted> = ({ readonly found: 'accepted' } & Accepted) | { readonly found: 'absent' | 'undecided' };

/** What a carrier returns for a registration: its own name for the thing. */
export type Registered = { readonly carrierRef: string };
