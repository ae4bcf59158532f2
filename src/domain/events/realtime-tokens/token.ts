import { randomUUID } from 'node:crypto';
import type { Context } from '../../../context.ts';
import { signToken, verifyToken } from '../../../lib/crypto/signed-token.ts';
import type { Scope } from '../../../lib/scope.ts';
import type { RealtimeToken } from './schema.ts';

export const REALTIME_PATH = '/v1/realtime';

const KIND = { keyLabel: 'realtime-token', prefix: 'svcrt_' };
const LIFE_S = 3_600;

/** The grant of a token: all events of one ledger, or only the events of one tenant. */
export type RealtimeGrant = {
  readonly ledgerId: number;
  /** Null grants every event of the ledger, including events of the account itself. */
  readonly tenantId: string | null;
  readonly expiresAtMs: number;
  /** The API key that minted the token. The token ends with its key. */
  readonly keyId: string;
};

/** `jti` makes each token unique, also within one second. */
type Claims = { ledger: number; tenant: string | null; key: string; jti: string };

/**
 * Mints a token that is valid for one hour of wall time, or until its key ends. It is signed and not stored, so every
 * process accepts it.
 */
export function mintRealtimeToken(
  { cipher, clock, settings }: Pick<Context, 'cipher' | 'clock' | 'settings'>,
  scope: Scope,
): RealtimeToken {
  const claims: Claims = { ledger: scope.ledgerId, tenant: scope.tenantId, key: scope.keyId, jti: randomUUID() };
  const expiresAtS = Math.floor(clock.now() / 1000) + LIFE_S;
  return {
    object: 'realtime_token',
    token: signToken(cipher, KIND, { claims, expiresAtS }),
    url: `${settings.publicUrl.replace(/^http/, 'ws')}${REALTIME_PATH}`,
    expires_at: earlier(new Date(expiresAtS * 1000), scope.keyExpiresAt),
  };
}

function earlier(hourEndsAt: Date, keyEndsAt: Date | null | undefined): Date {
  return keyEndsAt != null && keyEndsAt < hourEndsAt ? keyEndsAt : hourEndsAt;
}

/** Returns the grant of a token, or why it is refused. Never throws for a bad token. */
export function openRealtimeToken(
  { cipher, clock }: Pick<Context, 'cipher' | 'clock'>,
  token: string,
): RealtimeGrant | 'expired' | 'invalid' {
  const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
  if (!verdict.ok) return verdict.reason;
  const { ledger, tenant, key } = verdict.claims as Partial<Claims>;
  // Tokens of an earlier version did not name their key.
  if (ledger === undefined || tenant === undefined || key === undefined) return 'invalid';
  return { ledgerId: ledger, tenantId: tenant, expiresAtMs: verdict.expiresAtS * 1000, keyId: key };
}
