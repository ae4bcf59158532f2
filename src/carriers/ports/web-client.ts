/**
 * The legs of web clients belong to the product. It rings web clients itself, whichever carrier has the call. Most
 * carriers do not know of these legs. A carrier that makes the sounds of a call, such as the simulated carrier, keeps
 * copies of them. It bridges, records and plays to a copy, as with any other leg. It never rings, answers or ends a
 * copy.
 */
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { LegEndCause } from './voice.ts';

/** Dialplane's own ids of a leg and its call. */
export type WebClientLegIds = { readonly callId: string; readonly legId: string };

/** The state of a web client's leg. It is `dialing` until the web client is found to be logged in. */
export type WebClientLegState = 'dialing' | 'ringing' | 'up' | 'ended';

/** A call that a web client makes. `from` is the tenant's number that the other party sees, `to` the number to dial. */
export type WebClientCall = WebClientLegIds & {
  readonly webClientId: string;
  readonly from: string;
  readonly to: string;
};

/** An action that a simulation makes for the person at a web client. `cause` is why the leg ends. */
export type SimulatedRequest = { readonly do: 'answer' } | { readonly do: 'end'; readonly cause: LegEndCause };

/** The copies that a carrier keeps. Each method runs in the transaction that changes the leg. */
export type WebClientCopies = {
  /**
   * Locks the carrier's part of a call. Called before the product locks the call, because the carrier's own reports
   * lock in this order. With `opens`, starts a call that the carrier does not know.
   * @returns `ringsNobody`: true if a test has set that no party answers this call
   */
  lock(
    tx: Tx,
    ledger: Ledger,
    callId: string,
    options: { readonly opens: boolean },
  ): Promise<{ readonly ringsNobody: boolean }>;
  /** Adds a call that a web client dials. The copy of its leg is up from the start. */
  addCall(tx: Tx, ledger: Ledger, call: WebClientCall): Promise<void>;
  /** Stores a leg, or its new state. */
  set(
    tx: Tx,
    ledger: Ledger,
    leg: WebClientLegIds & { readonly webClientId: string; readonly state: WebClientLegState },
  ): Promise<void>;
  /** Plays the person's digits on the call. The product reports them. */
  press(
    tx: Tx,
    ledger: Ledger,
    leg: WebClientLegIds,
    keys: { readonly ref: string; readonly digits: string },
  ): Promise<void>;
};
