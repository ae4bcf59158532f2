import type { Ledger } from '../../lib/scope.ts';

/** The ledger alone. A Scope is a Ledger too; what it knows of the key has no business in a job. */
export function bareLedger({ ledgerId, accountId, mode }: Ledger): Ledger {
  return { ledgerId, accountId, mode };
}
