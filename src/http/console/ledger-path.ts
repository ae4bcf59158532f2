/**
 * The public API for a signed-in browser. `/console/api/ledgers/{account_id}/{mode}/v1/…` is served as `/v1/…`, for the
 * ledger in the path and the session of the cookie. So both have one set of routes.
 */
import type { IncomingMessage } from 'node:http';
import type { Mode } from '../../lib/scope.ts';

/** The ledger that a request of the console names. The session is checked later. */
export type LedgerTarget = { readonly accountId: string; readonly mode: Mode };

const LEDGER_PATH = /^\/console\/api\/ledgers\/(\w{1,64})\/(test|live)(\/v1\/.*)$/s;

const targets = new WeakMap<IncomingMessage, LedgerTarget>();

/** Returns the URL that routes a request. If the request comes from the console, remembers the ledger in its path. */
export function routedUrl(request: IncomingMessage): string {
  const { url = '/' } = request;
  const [, accountId, mode, publicPath] = LEDGER_PATH.exec(url) ?? [];
  if (accountId === undefined || publicPath === undefined) return url;
  targets.set(request, { accountId, mode: mode as Mode });
  return publicPath;
}

/** Returns the ledger that a request of the console names; undefined for a request with a key. */
export function ledgerTargetOf(request: IncomingMessage): LedgerTarget | undefined {
  return targets.get(request);
}
