import { ApiError } from '../../lib/errors.ts';

const RETRY_AFTER_S = 5;

/** carrier_unavailable, with when to come again as the carrier said. */
export function carrierAway({ retryAfterMs }: { readonly retryAfterMs?: number }): ApiError {
  const retryAfterS = retryAfterMs === undefined ? RETRY_AFTER_S : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('carrier_unavailable', { retryAfterS });
}
