import { createResources, HttpTransport } from '@dialplane/sdk/resources';
import { CONSOLE_URL, PREFIX } from '../lib/location.ts';

export type Mode = 'test' | 'live';

/** The account and the mode of the data that the pages show. */
export type Ledger = { readonly accountId: string; readonly mode: Mode };

export type Api = ReturnType<typeof createResources>;

/** A page of another site cannot send this header, so it cannot act as a signed-in person. */
export const HEADERS = { 'dialplane-console': '1' };

const clients = new Map<string, Api>();

/** Returns the address of the public API for the ledger. Files, such as audio, have it before their `/v1/…` path. */
export function ledgerUrl({ accountId, mode }: Ledger): string {
  return new URL(`api/ledgers/${accountId}/${mode}`, CONSOLE_URL).href;
}

/** Returns the client of the public API for the ledger. */
export function apiOf(ledger: Ledger): Api {
  const baseUrl = ledgerUrl(ledger);
  let client = clients.get(baseUrl);
  if (client === undefined) {
    client = createResources({ baseUrl, headers: HEADERS, retriesMax: 1 });
    clients.set(baseUrl, client);
  }
  return client;
}

/** Does the same as {@link apiOf}, with requests through the given `fetch`, such as a `fetch` that counts them. */
export function apiThrough(ledger: Ledger, fetch: typeof globalThis.fetch): Api {
  return createResources({ baseUrl: ledgerUrl(ledger), headers: HEADERS, retriesMax: 1, fetch });
}

/** The operator API: the operations of the console that the public API lacks. Its document is openapi-operator.json. */
export const operatorApi = new HttpTransport({ baseUrl: `${CONSOLE_URL.origin}${PREFIX}`, retriesMax: 1 }, HEADERS);
