import type { Tx } from '../../db/database.ts';
import type { Ledger } from '../../lib/scope.ts';
import type { CarrierEvent } from '../ports/carrier.ts';

/** Takes events into the domain within the caller's transaction: so the simulated books and the domain change together. */
export type TakeEvents = (tx: Tx, ledger: Ledger, events: readonly CarrierEvent[]) => Promise<void>;
