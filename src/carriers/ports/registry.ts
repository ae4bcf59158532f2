/**
 * The registry port: 10DLC brands and campaigns, and the numbers that send under a campaign. A registry's decisions
 * arrive as carrier events. A registry without such reports is polled (`find…`).
 */
import type { Ledger } from '../../lib/scope.ts';
import type { Assigned, Found, Outcome, Registered } from './outcome.ts';

export const ENTITY_TYPES = ['private_company', 'public_company', 'non_profit', 'sole_proprietor'] as const;
export type EntityType = (typeof ENTITY_TYPES)[number];

export type BrandRegistration = {
  readonly ref: string;
  readonly legalName: string;
  readonly dba: string | null;
  /** Nine digits; null for a sole proprietor without one. */
  readonly ein: string | null;
  readonly entityType: EntityType;
  readonly website: string | null;
  readonly contactEmail: string;
  readonly phone: string;
  readonly street: string;
  readonly city: string;
  readonly state: string;
  readonly postalCode: string;
};

export type CampaignRegistration = {
  readonly ref: string;
  readonly brandRef: string;
  /** The registry's own id of the brand. */
  readonly brandCarrierRef: string;
  readonly useCase: string;
  readonly description: string;
  readonly sampleMessages: readonly string[];
  readonly optInDescription: string;
};

/** How many texts the carriers let a campaign send. */
export type Throughput = { readonly messagesPerMinute: number; readonly dailyCap: number };

export type BrandReview =
  | { readonly status: 'approved' }
  | {
      readonly status: 'pending';
      /** What the business must do before the review continues: a sentence for people. */
      readonly remedy?: string;
    }
  | { readonly status: 'rejected'; readonly reason: string };

/** The state of a brand after a step of its verification by a code. */
export type BrandVerification = { readonly review: BrandReview };

export type CampaignReview =
  | { readonly status: 'pending' }
  | { readonly status: 'approved'; readonly throughput: Throughput }
  | { readonly status: 'rejected' | 'suspended'; readonly reason: string };

/** A number, and the campaign that it sends under. */
export type NumberAssignment = {
  readonly phoneNumber: string;
  readonly campaignRef: string;
  /** The registry's own id of the campaign. */
  readonly campaignCarrierRef: string;
};

export type RegistryPort = {
  /** Idempotent by `ref` if the registry allows it. Otherwise the outcome of an unclear answer is `unknown`. */
  createBrand(ledger: Ledger, brand: BrandRegistration): Promise<Outcome<Registered>>;
  findBrand(ledger: Ledger, ref: string): Promise<Found<Registered & { readonly review: BrandReview }>>;
  /** Texts a new code to the phone of a sole proprietor's brand. Earlier codes become invalid. */
  sendBrandCode(ledger: Ledger, ref: string): Promise<Outcome<BrandVerification>>;
  /**
   * Verifies a sole proprietor's brand by the newest code. Any other code is rejected as `wrong_code`. If an accepted
   * code is sent again, the outcome is `accepted`.
   */
  confirmBrandCode(
    ledger: Ledger,
    brand: { readonly ref: string; readonly code: string },
  ): Promise<Outcome<BrandVerification>>;
  createCampaign(ledger: Ledger, campaign: CampaignRegistration): Promise<Outcome<Registered>>;
  findCampaign(ledger: Ledger, ref: string): Promise<Found<Registered & { readonly review: CampaignReview }>>;
  /** Ends a campaign permanently. The outcome is `accepted` if it has ended already. */
  endCampaign(ledger: Ledger, campaign: { ref: string; carrierRef: string }): Promise<Outcome<object>>;
  /** Idempotent. Replaces an earlier assignment of the number, unless the campaign refuses the number. */
  assignNumber(ledger: Ledger, assignment: NumberAssignment): Promise<Outcome<Assigned, 'assign_failed'>>;
  /**
   * Removes a number from its campaign. The outcome is `accepted` if it has no campaign, or the carrier no longer has
   * the number.
   */
  unassignNumber(ledger: Ledger, phoneNumber: string): Promise<Outcome<object>>;
};
