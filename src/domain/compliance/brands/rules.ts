import type { BrandReview } from '../../../carriers/ports/registry.ts';
import type { Machine } from '../../../lib/machine.ts';

export { ENTITY_TYPES, type EntityType } from '../../../carriers/ports/registry.ts';

export const BRAND_STATES = ['pending_vetting', 'vetted', 'rejected'] as const;
export type BrandState = (typeof BRAND_STATES)[number];

/**
 *   pending_vetting ──┬──> vetted
 *                     └──> rejected
 *
 * Both ends are final: a rejected brand is put right by creating a new one.
 */
export const brandMachine: Machine<BrandState> = {
  pending_vetting: ['vetted', 'rejected'],
  vetted: [],
  rejected: [],
};

/** Where a review takes a brand; null where it decides nothing. */
export function brandStateOf(status: BrandReview['status']): BrandState | null {
  return ({ pending: null, approved: 'vetted', rejected: 'rejected' } as const)[status];
}

export const EIN_FORM = '^([0-9]{9}|[0-9]{2}-[0-9]{7})$';

/** The nine digits of an EIN in either form. */
export function einDigits(ein: string): string {
  return ein.replace('-', '');
}

/** An EIN as it is shown: the last four digits alone. */
export function maskEin(last4: string): string {
  return `**-***${last4}`;
}

/** Binds an encrypted EIN to its brand. */
export function einContext(ledgerId: number, brandId: string): string {
  return `brand_ein:${ledgerId}:${brandId}`;
}

export const NAME_CHARS_MAX = 200;
export const ADDRESS_CHARS_MAX = 200;
// RFC 5321, 4.5.3.1.3: a path has at most 256 octets, the angle brackets included.
export const EMAIL_CHARS_MAX = 254;
export const WEBSITE_CHARS_MAX = 2048;
// By RFC 3986, 3.2.2, a host may be empty; nobody can look at a website without one.
export const WEBSITE_FORM = '^[Hh][Tt][Tt][Pp][Ss]?://([^/?#@]*@)?[A-Za-z0-9\\[][^/?#@]*([/?#]|$)';
