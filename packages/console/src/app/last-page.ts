import { useLocation, useParams } from '@tanstack/react-router';
import { useEffect, useSyncExternalStore } from 'react';
import type { Ledger, Mode } from '../api/client.ts';
import { openTabStore } from '../lib/tab-store.ts';
import { ledgerPath } from './ledger.ts';
import { useSession } from './session.ts';

/** A page of an account that this tab has shown. */
export type LastPage = Ledger & { readonly path: string; readonly search: Readonly<Record<string, string>> };

const KEY = 'last';
const store = openTabStore<LastPage>({ name: 'last-page', isValue: isLastPage, valuesMax: 1, charactersMax: 10_000 });

/** Stores the page of an account. The pages of operators lead back to it. */
export function useKeepPage(ledger: Ledger | undefined): void {
  const { pathname, searchStr } = useLocation();
  const { accountId, mode } = ledger ?? {};
  useEffect(() => {
    if (accountId === undefined || mode === undefined) return;
    // While the next page loads, the address is already that of the next page.
    const home = ledgerPath({ accountId, mode });
    if (pathname !== home && !pathname.startsWith(`${home}/`)) return;
    const search = Object.fromEntries(new URLSearchParams(searchStr));
    store.set(KEY, { accountId, mode, path: pathname, search });
  }, [accountId, mode, pathname, searchStr]);
}

/** Returns the page of an account that this tab showed last; undefined if it has shown none. */
export function useLastPage(): LastPage | undefined {
  return useSyncExternalStore(store.subscribe, store.all).get(KEY);
}

/** Returns the ledger of the page. On a page of operators, it is the ledger that the tab showed before. */
export function useChosenLedger(): Ledger | null {
  const { mode, accountId } = useParams({ strict: false }) as { mode?: Mode; accountId?: string };
  const { default_account_id } = useSession();
  const last = useLastPage();
  if (mode !== undefined && accountId !== undefined) return { mode, accountId };
  if (last !== undefined) return { mode: last.mode, accountId: last.accountId };
  return default_account_id === null ? null : { accountId: default_account_id, mode: 'test' };
}

function isLastPage(value: unknown): value is LastPage {
  if (typeof value !== 'object' || value === null) return false;
  const { accountId, mode, path, search } = value as Record<string, unknown>;
  const isMode = mode === 'test' || mode === 'live';
  return isMode && typeof accountId === 'string' && typeof path === 'string' && isFilters(search);
}

function isFilters(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((each) => typeof each === 'string');
}
