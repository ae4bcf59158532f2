import { randomUUID } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { signToken, verifyToken } from '../../../lib/crypto/signed-token.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { findActiveWebClient, findWebClient } from './queries.ts';
import { LOGIN_TOKEN_LIFE_S } from './rules.ts';
import type { LoginToken } from './schema.ts';
import type { WebClientName } from './web-client-signal.ts';

const KIND = { keyLabel: 'web-client-token', audience: 'softphone' };

/** The browser session that minted a token. A login with the token ends with the session. */
type SessionClaim = {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly ends: number;
  /** True if the session may place calls. Emergency calls need no ability. */
  readonly dials: boolean;
  /** True if the session may read contacts. Absent in tokens of the previous version. */
  readonly reads?: boolean;
};

type Claims = { sub: string; jti: string; ledger: number; session?: SessionClaim };

/**
 * The grant of a login token: a web client, with its tenant. `browser`: the limits of the browser session that minted
 * the token, if one did.
 */
export type LoginGrant = WebClientName & { readonly tenantId: string; readonly browser?: SessionClaim };

type TokenContext = Pick<Context, 'cipher' | 'clock'>;

/**
 * Returns a token that logs in one web client, for five minutes of wall time. It is signed, not stored. Each use looks
 * up the web client, so tokens of a revoked web client are refused. A token of a browser session is valid only while
 * the session lasts. Errors: web_client_not_found (also if it has been revoked), tenant_restricted_key,
 * key_not_permitted.
 */
export async function mintLoginToken(
  { cipher, clock }: TokenContext,
  db: Db,
  scope: Scope,
  id: string,
): Promise<LoginToken> {
  const found = visible(scope, await findWebClient(db, scope, id), 'web_client_not_found');
  visible(scope, found.status === 'active' ? found : undefined, 'web_client_not_found');
  const { browser } = scope;
  if (browser !== undefined && browser.webClientId !== null && browser.webClientId !== id) {
    throw new ApiError('key_not_permitted', { message: 'This browser session is for another web client.' });
  }
  const issuedAtS = Math.floor(clock.now() / 1000);
  const expiresAtS = issuedAtS + LOGIN_TOKEN_LIFE_S;
  const session = browser && {
    id: scope.keyId,
    ends: scope.keyExpiresAt?.getTime() ?? expiresAtS * 1000,
    dials: browser.abilities.includes('calls:place'),
    reads: browser.abilities.includes('conversations:read'),
  };
  const claims: Claims = { sub: id, jti: randomUUID(), ledger: scope.ledgerId, ...(session && { session }) };
  const token = signToken(cipher, KIND, { claims, issuedAtS, expiresAtS });
  return { object: 'web_client_token', token, expires_at: new Date(expiresAtS * 1000) };
}

/** Returns the ledger of a valid login token. The caller must still look up the web client. */
export function ledgerOfLoginToken({ cipher, clock }: TokenContext, token: string): number | undefined {
  const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
  return verdict.ok ? (verdict.claims as Claims).ledger : undefined;
}

/**
 * Returns the web client that a token logs in, with its tenant, or the reason for the refusal. Never throws for a bad
 * token.
 */
export async function openLoginToken(
  { cipher, clock, db }: TokenContext & Pick<Context, 'db'>,
  token: string,
): Promise<LoginGrant | 'invalid' | 'expired' | 'revoked'> {
  const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
  if (!verdict.ok) return verdict.reason;
  const { sub: webClientId, ledger: ledgerId, session: browser } = verdict.claims as Claims;
  const client = await findActiveWebClient(db, { ledgerId }, webClientId);
  if (client === undefined) return 'revoked';
  return { ledgerId, webClientId, tenantId: client.tenant_id, ...(browser && { browser }) };
}
