import { ApiError } from '../../lib/errors/errors.ts';

const RETRY_AFTER_S = 5;

/** Returns carrier_unavailable. Its Retry-After is the carrier's, at least 1 s; 5 s if the carrier gave none. */
export function carrierUnavailable({ retryAfterMs }: { readonly retryAfterMs?: number }): ApiError {
  const retryAfterS = retryAfterMs === undefined ? RETRY_AFTER_S : Math.max(1, Math.ceil(retryAfterMs / 1000));
  return new ApiError('carrier_unavailable', { retryAfterS });
}

/** Returns carrier_assign_failed: the carrier did not register the number to the campaign, and nothing has changed. */
export function assignFailed(): ApiError {
  return new ApiError('carrier_assign_failed', { param: 'campaign_id', retryAfterS: RETRY_AFTER_S });
}

/**
 * Returns carrier_assign_failed for a purchase: the number is bought, without its campaign. It has no Retry-After: a
 * repeat of the purchase gets the same answer.
 */
export function boughtWithoutCampaign(numberId: string): ApiError {
  const message = `The number is yours as ${numberId}, but the carrier could not register it to the campaign.`;
  return new ApiError('carrier_assign_failed', {
    param: 'campaign_id',
    message,
    details: { phone_number_id: numberId },
  });
}
