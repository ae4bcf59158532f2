/**
 * What the softphone server asks of a carrier that can ring web clients: it has the web client's legs in its books, as any other
 * leg, and takes what the person at the web client does as the doing of that leg's party.
 */
import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';

/** One leg of a call that reaches a web client, as the carrier's books have it. */
export type WebClientLeg = {
  readonly callId: string;
  readonly legId: string;
  /** True for one that the web client was rung on, false for one that it dialled itself. */
  readonly wasRung: boolean;
  readonly state: 'ringing' | 'up' | 'ended';
  /** How far the other party is that was dialled. Null where there is none (yet), or a caller waits to be answered. */
  readonly other: 'dialing' | 'ringing' | 'up' | null;
  /** Why it ended; null before. */
  readonly endReason: string | null;
};

export type WebClientLegName = { readonly callId: string; readonly legId: string };

export type WebClientPort = {
  /** Legs of the web client that have not ended, and those of `known` (ids) in whatever state. */
  list(ledger: Ledger, webClientId: string, known: readonly string[]): Promise<WebClientLeg[]>;
  /** Those of the legs (ids) that are up. */
  listUp(ledger: Ledger, legIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** True if the web client is on a call or rung by one. */
  isTaken(tx: Tx, ledger: Ledger, webClientId: string): Promise<boolean>;
  /** The web client picks up. False where the leg does not ring any more. */
  answer(ledger: Ledger, leg: WebClientLegName): Promise<boolean>;
  /** The web client hangs up, or declines while it rings. False where the leg has ended. */
  hangUp(ledger: Ledger, leg: WebClientLegName): Promise<boolean>;
  /** Ends whatever legs the web client has, as it is revoked: those that are up, and those that ring or are about to. */
  release(ledger: Ledger, webClientId: string): Promise<void>;
  /** The web client presses keys. False where the leg is not up. */
  press(ledger: Ledger, leg: WebClientLegName, digits: string): Promise<boolean>;
  /** Enters a call that the web client makes: its own leg is up, and the party that it wants is dialled next. */
  book(
    tx: Tx,
    ledger: Ledger,
    call: WebClientLegName & { readonly webClientId: string; readonly from: string; readonly to: string },
  ): Promise<void>;
};
