import type { Context } from '../../../context.ts';
import type { Scope } from '../../../lib/scope.ts';
import { signToken, verifyToken } from '../../../lib/signed-token.ts';
import type { RealtimeToken } from './schema.ts';

export const REALTIME_PATH = '/v1/realtime';

const KIND = { keyLabel: 'realtime-token', prefix: 'svcrt_' };
const LIFE_S = 3_600;

/** What a token opens: the events of one ledger, all of them or those of one tenant. */
export type RealtimeGrant = {
  readonly ledgerId: number;
  /** Null carries every event of the ledger, those of the account itself among them. */
  readonly tenantId: string | null;
  readonly expiresAtMs: number;
  /** The API key that it was made with: the token is good for no longer than that. */
  readonly keyId: string;
};

type Claims = { ledger: number; tenant: string | null; key: string };

/**
 * Makes a token that is good for one hour of wall time, or until its key ends. It is signed and stored nowhere, so any
 * node takes it.
 */
export function mintRealtimeToken(
  { cipher, clock, settings }: Pick<Context, 'cipher' | 'clock' | 'settings'>,
  scope: Scope,
): RealtimeToken {
  const claims: Claims = { ledger: scope.ledgerId, tenant: scope.tenantId, key: scope.keyId };
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

/** What the token opens, or why it opens nothing. Never throws for a bad token. */
export function openRealtimeToken(
  { cipher, clock }: Pick<Context, 'cipher' | 'clock'>,
  token: string,
): RealtimeGrant | 'expired' | 'invalid' {
  const verdict = verifyToken(cipher, KIND, token, clock.now() / 1000);
  if (!verdict.ok) return verdict.reason;
  const { ledger, tenant, key } = verdict.claims as Partial<Claims>;
  // One of an earlier version, which did not name its key.
  if (ledger === undefined || tenant === undefined || key === undefined) return 'invalid';
  return { ledgerId: ledger, tenantId: tenant, expiresAtMs: verdict.expiresAtS * 1000, keyId: key };
}
