import type { CampaignReview } from '../../../carriers/ports/registry.ts';

export const CAMPAIGN_STATES = ['draft', 'pending_review', 'approved', 'rejected', 'suspended'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** The inputs of campaigns: the caller submits, the carrier decides, and a tenant's deletion ends them. */
export const CAMPAIGN_INPUTS = ['submit', 'approve', 'reject', 'suspend', 'end'] as const;
export type CampaignInput = (typeof CAMPAIGN_INPUTS)[number];

/**
 * For each input, the states that accept it, and the state after it:
 *
 *   draft ──submit──> pending_review ──approve──> approved <──suspend, approve──> suspended
 *                       ▲        └───reject───> rejected
 *                       └────────submit────────────┘
 *   draft, pending_review, approved, rejected ──end──> suspended
 *
 * `end` also closes a campaign in any state to every later input: see `ended_at`.
 */
export const campaignMoves: Readonly<
  Record<CampaignInput, { readonly from: readonly CampaignState[]; readonly to: CampaignState }>
> = {
  submit: { from: ['draft', 'rejected'], to: 'pending_review' },
  approve: { from: ['pending_review', 'suspended'], to: 'approved' },
  reject: { from: ['pending_review'], to: 'rejected' },
  suspend: { from: ['approved'], to: 'suspended' },
  end: { from: ['draft', 'pending_review', 'approved', 'rejected'], to: 'suspended' },
};

/** States that allow changes of a campaign's fields. */
export const EDITABLE_STATES: readonly CampaignState[] = ['draft', 'rejected'];

/**
 * Returns the name of a submission at the registry. The name of the first attempt is the campaign's id; later attempts
 * add a dot and their number. So a report about a rejected submission never reaches the next one.
 */
export function registryRef(id: string, attempt: number): string {
  return attempt === 1 ? id : `${id}.${attempt}`;
}

/** Returns the campaign and the attempt in a `registryRef`. */
export function readRegistryRef(ref: string): { id: string; attempt: number } {
  const [, id = ref, attempt = '1'] = /^(.*)\.(\d{1,6})$/s.exec(ref) ?? [];
  return { id, attempt: Number(attempt) };
}

/** Returns the input of a review; null if it decides nothing. */
export function inputOf(status: CampaignReview['status']): CampaignInput | null {
  return ({ pending: null, approved: 'approve', rejected: 'reject', suspended: 'suspend' } as const)[status];
}

export const USE_CASES = ['customer_care', 'appointment_reminders', 'marketing', 'two_factor', 'mixed'] as const;
export type UseCase = (typeof USE_CASES)[number];

export const SAMPLES_MIN = 2;
export const SAMPLES_MAX = 5;
export const OPT_IN_CHARS_MIN = 40;

// The registry's limits.
export const DESCRIPTION_CHARS_MAX = 4096;
export const SAMPLE_CHARS_MAX = 1024;
export const OPT_IN_CHARS_MAX = 2048;
