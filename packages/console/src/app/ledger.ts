import { useParams } from '@tanstack/react-router';
import type { Ledger, Mode } from '../api/client.ts';

/** Returns the account and mode of the page, from its address. */
export function useLedger(): Ledger {
  const { accountId, mode } = useParams({ strict: false }) as { accountId: string; mode: Mode };
  return { accountId, mode };
}

/** Returns the path of a page of the ledger, such as `ledgerPath(ledger, 'calls/call_1')`. */
export function ledgerPath({ accountId, mode }: Ledger, page = ''): string {
  return page === '' ? `/${mode}/${accountId}` : `/${mode}/${accountId}/${page}`;
}

/** Returns the id in the page's address, such as that of `calls/$id`. */
export function usePageId(): string {
  return (useParams({ strict: false }) as { id: string }).id;
}
