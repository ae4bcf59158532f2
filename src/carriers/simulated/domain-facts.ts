/** What simulated calls need to know of the domain. The server wires it, so that the adapter imports no domain module. */
import type { TSchema } from 'typebox';
import type { Db, Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { EmergencyAddress } from '../ports/e911.ts';

type WebClientName = { readonly ledgerId: number; readonly webClientId: string };

/** A row that belongs to a tenant. */
type Owned = { readonly tenant_id: string };

export type DomainFacts = {
  readonly webClients: {
    /** False if the web client was revoked, or never existed. */
    isActive(tx: Tx, ledger: Ledger, webClientId: string): Promise<boolean>;
    /** True while the web client is logged in. */
    isReachable(tx: Tx, webClient: WebClientName): Promise<boolean>;
    /** True if the web client is logged in, or was until lately: its node may be about to renew the session. */
    isOverdue(tx: Tx, webClient: WebClientName): Promise<boolean>;
    /** Locks the session of a web client until the transaction ends. False if the web client is not logged in. */
    lock(tx: Tx, webClient: WebClientName): Promise<boolean>;
    /** Signals that the web client's view of its calls is out of date. */
    wake(tx: Tx, webClient: WebClientName): void;
  };
  readonly calls: {
    readonly schema: TSchema;
    /** A call as the API shows it. */
    find(tx: Tx, ledger: Ledger, callId: string): Promise<Owned | undefined>;
    /** True while the carrier has not taken all commands of the call. */
    hasWaitingCommands(db: Db, ledger: Ledger, callId: string): Promise<boolean>;
  };
  readonly numbers: {
    /** The number of the ledger with these digits (E.164), unless it is released. */
    findOwned(tx: Tx, ledger: Ledger, phoneNumber: string): Promise<Owned | undefined>;
    findE911Address(tx: Tx, ledger: Ledger, addressId: string): Promise<EmergencyAddress | undefined>;
  };
};
