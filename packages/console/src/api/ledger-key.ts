import type { Ledger } from './client.ts';

/** Returns the key of a query of a ledger. */
export const ledgerKey = ({ accountId, mode }: Ledger, ...key: readonly unknown[]) => [accountId, mode, ...key];

/**
 * Returns the option of a query that shows the data of its previous key until the new data is read. Data of another
 * ledger is never shown: test data would look like live data.
 * @param key the new key, made by `ledgerKey`: its first two parts name the ledger
 */
export function keepPrevious([accountId, mode]: readonly unknown[]) {
  return {
    placeholderData: <T>(previous: T | undefined, query?: { readonly queryKey: readonly unknown[] }): T | undefined =>
      query?.queryKey[0] === accountId && query?.queryKey[1] === mode ? previous : undefined,
  };
}
