export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;

/** Why an endpoint is disabled: a user did it; all attempts failed for FAILING_LIMIT; the receiver answered 410. */
export const DISABLED_REASONS = ['manual', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const URL_CHARS_MAX = 2048;
export const DESCRIPTION_CHARS_MAX = 500;
export const ENABLED_EVENTS_MAX = 100;

/** Most endpoints of one account and mode. */
export const ENDPOINTS_MAX = 50;

/** An endpoint whose deliveries all fail during this ledger time is disabled. */
export const FAILING_LIMIT = '5 days';

/** Ledger time until a replaced secret stops signing. */
export const SECRET_OVERLAP = '24 hours';
/** Most secrets that sign at the same time; one more rotation drops the oldest early. */
export const LIVE_SECRETS_MAX = 10;

/** Returns the part of an endpoint's address that is no secret. */
export function hostOf(url: string): string {
  return new URL(url).host;
}

/** Returns the encryption context that binds a secret to its row: in another row it cannot be decrypted. */
export function secretContext(ledgerId: number, endpointId: string, secretId: string): string {
  return `webhook_secret:${ledgerId}:${endpointId}:${secretId}`;
}
