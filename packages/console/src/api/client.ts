import { createResources, HttpTransport } from '@dialplane/sdk/resources';
import { CONSOLE_URL, PREFIX } from '../lib/location.ts';

export type Mode = 'test' | 'live';

/** An account and mode: whose data the pages show. */
export type Ledger = { readonly accountId: string; readonly mode: Mode };

export type Api = ReturnType<typeof createResources>;

/** A page of another site cannot send this header, so it cannot act in the name of a signed-in person. */
export const HEADERS = { 'dialplane-console': '1' };

const clients = new Map<string, Api>();

/** The base of the public API for the ledger. Files, such as audio, are read from below it by their `/v1/…` paths. */
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

/** Like {@link apiOf}, with requests through the given `fetch`, such as a `fetch` that counts them. */
export function apiThrough(ledger: Ledger, fetch: typeof globalThis.fetch): Api {
  return createResources({ baseUrl: ledgerUrl(ledger), headers: HEADERS, retriesMax: 1, fetch });
}

/** The operator API: the operations of the console that the public API lacks. Its document is openapi-operator.json. */
export const operatorApi = new HttpTransport({ baseUrl: `${CONSOLE_URL.origin}${PREFIX}`, retriesMax: 1 }, HEADERS);
