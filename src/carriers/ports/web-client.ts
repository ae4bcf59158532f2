/**
 * The legs of web clients belong to the product: it rings web clients itself, whichever carrier has the call. Most
 * carriers do not know of these legs. A carrier that makes the sounds of a call, such as the simulated carrier, keeps
 * copies of them. It bridges and records a copy, and plays to it, as with any other leg. It never rings, answers or
 * ends a copy.
 */
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { LegEndCause } from './voice.ts';

/** Dialplane's own ids of a leg and its call. */
export type WebClientLegIds = { readonly callId: string; readonly legId: string };

/** A leg of a web client; `dialing` until the web client is found logged in. */
export type WebClientLegState = 'dialing' | 'ringing' | 'up' | 'ended';

/** A call that a web client makes. `from` is the tenant's number that the other party sees, `to` the number to dial. */
export type WebClientCall = WebClientLegIds & {
  readonly webClientId: string;
  readonly from: string;
  readonly to: string;
};

/** An action of a simulation in place of the person at a web client. `cause` is why the leg ends. */
export type SimulatedRequest = { readonly do: 'answer' } | { readonly do: 'end'; readonly cause: LegEndCause };

/** The copies that a carrier has. All run in the transaction that changes the leg. */
export type WebClientCopies = {
  /**
   * Locks the carrier's part of a call, before the product locks the call: the carrier's own reports lock in this
   * order. With `opens`, a call that the carrier does not know begins.
   * @returns `ringsNobody`: true if a test has set that no party answers this call
   */
  lock(
    tx: Tx,
    ledger: Ledger,
    callId: string,
    options: { readonly opens: boolean },
  ): Promise<{ readonly ringsNobody: boolean }>;
  /** Adds a call that a web client dials, with the copy of its leg, which is up. */
  addCall(tx: Tx, ledger: Ledger, call: WebClientCall): Promise<void>;
  /** Stores a leg, or its new state. */
  set(
    tx: Tx,
    ledger: Ledger,
    leg: WebClientLegIds & { readonly webClientId: string; readonly state: WebClientLegState },
  ): Promise<void>;
  /** Makes the person's digits audible. The product reports them. */
  press(
    tx: Tx,
    ledger: Ledger,
    leg: WebClientLegIds,
    keys: { readonly ref: string; readonly digits: string },
  ): Promise<void>;
};
