import type { TSchema } from 'typebox';
import type { Db, Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import type { EmergencyAddress } from '../../ports/e911.ts';

type WebClientName = { readonly ledgerId: number; readonly webClientId: string };

/** A row that belongs to a tenant. */
type Owned = { readonly tenant_id: string };

/** What simulated calls use of the domain. */
export type CallDomain = {
  /** The API's schema of a call. */
  readonly Call: TSchema;
  /** Returns a call as the API shows it. */
  findCall(tx: Tx, ledger: Ledger, callId: string): Promise<Owned | undefined>;
  /** True while the carrier has not taken all commands of the call. */
  hasWaitingCommands(db: Db, ledger: Ledger, callId: string): Promise<boolean>;
  /** Returns the tenant's number with these digits (E.164), unless it is released. */
  findOwnedNumber(tx: Tx, ledger: Ledger, phoneNumber: string): Promise<Owned | undefined>;
  findE911Address(tx: Tx, ledger: Ledger, addressId: string): Promise<EmergencyAddress | undefined>;
  /** Returns a web client, unless it is revoked. */
  findActiveWebClient(tx: Tx, ledger: Ledger, webClientId: string): Promise<object | undefined>;
  /** True while the web client is logged in. */
  isWebClientReachable(tx: Tx, webClient: WebClientName): Promise<boolean>;
  /** True if the web client is logged in, or was until lately: its node may be about to renew the session. */
  isWebClientOverdue(tx: Tx, webClient: WebClientName): Promise<boolean>;
  /** Locks the session of a web client until the transaction ends. False if the web client is not logged in. */
  lockWebClient(tx: Tx, webClient: WebClientName): Promise<boolean>;
  /** Signals that the web client's view of its calls is out of date. */
  wakeWebClient(tx: Tx, webClient: WebClientName): void;
};
