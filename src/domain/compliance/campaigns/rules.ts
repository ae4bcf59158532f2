import type { CampaignReview } from '../../../carriers/ports/registry.ts';

export const CAMPAIGN_STATES = ['draft', 'pending_review', 'approved', 'rejected', 'suspended'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** The inputs of campaigns: the caller submits, the carrier decides, and a tenant's deletion ends them. */
export const CAMPAIGN_INPUTS = ['submit', 'approve', 'reject', 'suspend', 'end'] as const;
export type CampaignInput = (typeof CAMPAIGN_INPUTS)[number];

/**
 *   draft ──submit──> pending_review ──┬─approve──> approved ──suspend──> suspended
 *     │                      │         │               ^ │                    │ ^
 *     │                      │         └─reject──> rejected                   │ │
 *     │                      │                         └─┼──────approve───────┘ │
 *     └─────────────────end──┴────────────────────────end┴──────────────────────┘
 *
 * For each input, the states that accept it and the state to which it leads. `end` also closes a campaign in any state
 * to every later input: see `ended_at`. A rejected campaign is corrected by creating a new one.
 */
export const campaignMoves: Readonly<
  Record<CampaignInput, { readonly from: readonly CampaignState[]; readonly to: CampaignState }>
> = {
  submit: { from: ['draft'], to: 'pending_review' },
  approve: { from: ['pending_review', 'suspended'], to: 'approved' },
  reject: { from: ['pending_review'], to: 'rejected' },
  suspend: { from: ['approved'], to: 'suspended' },
  end: { from: ['draft', 'pending_review', 'approved'], to: 'suspended' },
};

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
