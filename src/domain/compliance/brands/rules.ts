import type { BrandReview } from '../../../carriers/ports/registry.ts';
import type { Machine } from '../../../lib/machine.ts';

export { ENTITY_TYPES } from '../../../carriers/ports/registry.ts';

export const BRAND_STATES = ['pending_vetting', 'vetted', 'rejected'] as const;
export type BrandState = (typeof BRAND_STATES)[number];

/**
 *   pending_vetting ──┬──> vetted
 *                     └──> rejected
 *
 * Both end states are final: a rejected brand is corrected by creating a new one.
 */
export const brandMachine: Machine<BrandState> = {
  pending_vetting: ['vetted', 'rejected'],
  vetted: [],
  rejected: [],
};

/** Returns the state of a brand after a review; null if the review decides nothing. */
export function brandStateOf(status: BrandReview['status']): BrandState | null {
  return ({ pending: null, approved: 'vetted', rejected: 'rejected' } as const)[status];
}

export const EIN_FORM = '^([0-9]{9}|[0-9]{2}-[0-9]{7})$';

/** Returns the nine digits of an EIN in either form. */
export function einDigits(ein: string): string {
  return ein.replace('-', '');
}

/** Returns an EIN as it is shown: the last four digits only. */
export function maskEin(last4: string): string {
  return `**-***${last4}`;
}

/** Returns the encryption context that binds an EIN to its brand. */
export function einContext(ledgerId: number, brandId: string): string {
  return `brand_ein:${ledgerId}:${brandId}`;
}

/** The form of a code that a registry texts to the phone of a brand. */
export const CODE_FORM = '^[0-9]{4,10}$';
/** Maximum wrong codes before the brand needs a new code. */
export const CODE_ATTEMPTS_MAX = 10;
/** Time between two codes to the phone of a brand. */
export const CODE_INTERVAL_S = 60;

export const NAME_CHARS_MAX = 200;
export const ADDRESS_CHARS_MAX = 200;
export const WEBSITE_CHARS_MAX = 2048;
// RFC 3986, 3.2.2, allows an empty host, but a website needs one.
export const WEBSITE_FORM = '^[Hh][Tt][Tt][Pp][Ss]?://([^/?#@]*@)?[A-Za-z0-9\\[][^/?#@]*([/?#]|$)';
