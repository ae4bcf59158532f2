export const ENDPOINT_STATUSES = ['active', 'disabled'] as const;
export type EndpointStatus = (typeof ENDPOINT_STATUSES)[number];

/** By hand; after days of nothing but failures; because the receiver answered 410. */
export const DISABLED_REASONS = ['manual', 'failing', 'gone'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

export const URL_CHARS_MAX = 2048;
export const DESCRIPTION_CHARS_MAX = 500;
export const ENABLED_EVENTS_MAX = 100;

/** Ledger time with nothing but failures after which an endpoint is switched off. */
export const FAILING_LIMIT = '5 days';

/** Ledger time for which a replaced secret goes on signing. */
export const SECRET_OVERLAP = '24 hours';
/** Secrets that sign at the same time; one more rotation ends the oldest early. */
export const LIVE_SECRETS_MAX = 10;

/** Binds an encrypted secret to its row: moved to another one, it does not open. */
export function secretContext(ledgerId: number, endpointId: string, secretId: string): string {
  return `webhook_secret:${ledgerId}:${endpointId}:${secretId}`;
}
