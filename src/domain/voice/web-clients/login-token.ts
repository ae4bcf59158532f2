import { randomUUID } from 'node:crypto';
import type { Context } from '../../../context.ts';
import type { Db } from '../../../db/database.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { signToken, verifyToken } from '../../../lib/signed-token.ts';
import { findActiveWebClient, findWebClient } from './queries.ts';
import { LOGIN_TOKEN_LIFE_S } from './rules.ts';
import type { LoginToken } from './schema.ts';
import type { WebClientName } from './web-client-signal.ts';

const KIND = { keyLabel: 'web-client-token', audience: 'softphone' };

type TokenContext = Pick<Context, 'cipher' | 'clock'>;

/**
 * Returns a token that logs in one web client, for five minutes of wall time. It is signed, not stored. Each use looks
 * up the web client, so the tokens of a revoked one are refused. Errors: web_client_not_found (also if it has been
 * revoked), tenant_restricted_key.
 */
export async function mintLoginToken(
  { cipher, clock }: TokenContext,
  db: Db,
  scope: Scope,
  id: string,
): Promise<LoginToken> {
  const found = visible(scope, await findWebClient(db, scope, id), 'web_client_not_found');
  visible(scope, found.status === 'active' ? found : undefined, 'web_client_not_found');
  const issuedAtS = Math.floor(clock.now() / 1000);
  const expiresAtS = issuedAtS + LOGIN_TOKEN_LIFE_S;
  const claims = { sub: id, jti: randomUUID(), ledger: scope.ledgerId };
  const token = signToken(cipher, KIND, { claims, issuedAtS, expiresAtS });
  return { object: 'web_client_token', token, expires_at: new Date(expiresAtS * 1000) };
}

/** Returns the web client that a token logs in, with its tenant, or why it is refused. Never throws for a bad token. */
export async function openLoginToken(
  { cipher, clock, db }: TokenContext & Pick<Context, 'db'>,
  token: string,
): Promise<(WebClientName & { readonly tenantId: string }) | 'invalid' | 'expired' | 'revoked'> {
  const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
  if (!verdict.ok) return verdict.reason;
  const { sub: webClientId, ledger: ledgerId } = verdict.claims as { sub: string; ledger: number };
  const client = await findActiveWebClient(db, { ledgerId }, webClientId);
  return client === undefined ? 'revoked' : { ledgerId, webClientId, tenantId: client.tenant_id };
}
