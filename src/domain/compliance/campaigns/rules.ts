import type { CampaignReview } from '../../../carriers/ports/registry.ts';

export const CAMPAIGN_STATES = ['draft', 'pending_review', 'approved', 'rejected', 'suspended'] as const;
export type CampaignState = (typeof CAMPAIGN_STATES)[number];

/** What happens to campaigns: the caller submits, the carrier decides, and a tenant's deletion ends them. */
export const CAMPAIGN_INPUTS = ['submit', 'approve', 'reject', 'suspend', 'end'] as const;
export type CampaignInput = (typeof CAMPAIGN_INPUTS)[number];

/**
 *   draft ──submit──> pending_review ──┬─approve──> approved ──suspend──> suspended
 *     │                      │         │               ^ │                    │ ^
 *     │                      │         └─reject──> rejected                   │ │
 *     │                      │                         └─┼──────approve───────┘ │
 *     └─────────────────end──┴────────────────────────end┴──────────────────────┘
 *
 * For each input, the states it is heard in and where it leads. `end` also closes a campaign to every later input,
 * whatever its state: see `ended_at`. A rejected campaign is put right by creating a new one.
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

/** The input that a review is; null where it decides nothing. */
export function inputOf(status: CampaignReview['status']): CampaignInput | null {
  return ({ pending: null, approved: 'approve', rejected: 'reject', suspended: 'suspend' } as const)[status];
}

export const USE_CASES = ['customer_care', 'appointment_reminders', 'marketing', 'two_factor', 'mixed'] as const;
export type UseCase = (typeof USE_CASES)[number];

export const SAMPLES_MIN = 2;
export const SAMPLES_MAX = 5;
export const OPT_IN_CHARS_MIN = 40;

// What the registry takes at most.
export const DESCRIPTION_CHARS_MAX = 4096;
export const SAMPLE_CHARS_MAX = 1024;
export const OPT_IN_CHARS_MAX = 2048;
