/**
 * The web-client port: what the web-client gateway asks of what rings web clients, which is the exchange of the domain
 * or a network that rings them itself.
 *
 * It keeps the legs of web clients. The gateway reads those legs, and passes on what the person at the web client does:
 * answer, hang up, send digits, make a call.
 */
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';

/** Dialplane's own ids of a leg and its call. */
export type WebClientLegIds = { readonly callId: string; readonly legId: string };

/** One leg of a web client, in its present state at the carrier. */
export type WebClientLeg = WebClientLegIds & {
  /** True if the carrier rang the web client, false if the web client made the call. */
  readonly wasRung: boolean;
  readonly state: 'ringing' | 'up' | 'ended';
  /**
   * The state of the other party's leg. Null if there is no other leg (yet), or if the other party is a caller whose
   * call is not answered yet.
   */
  readonly other: 'dialing' | 'ringing' | 'up' | null;
  /** Why the leg ended; null until then. */
  readonly endReason: string | null;
};

/** A call that a web client makes. `from` is the tenant's number that the other party sees, `to` the number to dial. */
type WebClientCall = WebClientLegIds & {
  readonly webClientId: string;
  readonly from: string;
  readonly to: string;
};

export type WebClientPort = {
  /** Returns the legs of the web client that have not ended, and those in `known` (leg ids) in any state. */
  listLegs(ledger: Ledger, webClientId: string, known: readonly string[]): Promise<WebClientLeg[]>;
  /** Returns those of the legs (ids) that are up. */
  listLegsUp(ledger: Ledger, legIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** True if a leg of the web client is up or about to be: on a call, ringing, or being dialled. */
  isBusy(tx: Tx, ledger: Ledger, webClientId: string): Promise<boolean>;
  /** Answers as the web client. Resolves with false if the leg is not ringing. */
  answer(ledger: Ledger, leg: WebClientLegIds): Promise<boolean>;
  /** Hangs up as the web client, or declines while the leg rings. Resolves with false if the leg has ended. */
  hangUp(ledger: Ledger, leg: WebClientLegIds): Promise<boolean>;
  /** Ends all legs of a web client that is revoked: those up, those ringing and those about to ring. */
  endLegs(ledger: Ledger, webClientId: string): Promise<void>;
  /** Sends digits as the web client. Resolves with false if the leg is not up. */
  sendDigits(ledger: Ledger, leg: WebClientLegIds, digits: string): Promise<boolean>;
  /** Adds a call that the web client makes. Its own leg is up at once; the domain dials the other party next. */
  addCall(tx: Tx, ledger: Ledger, call: WebClientCall): Promise<void>;
};
