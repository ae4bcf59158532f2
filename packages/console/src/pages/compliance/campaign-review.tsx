import type { Campaign } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { Review } from '../../app/reviews.tsx';
import { texts } from '../../texts/compliance.ts';
import { words } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';

const t = texts.campaignReview;

/** Explains the status to the person, and the next step. */
export function CampaignNotice({ campaign }: { campaign: Campaign }) {
  const reason = campaign.rejection_reason ?? t.noReasonWas;
  switch (campaign.status) {
    case 'draft':
      return (
        <Notice title={t.draft}>
          <p>{t.wasNotSent}</p>
        </Notice>
      );
    case 'pending_review':
      return (
        <Notice tone="warn" title={t.carriersReviewCampaign}>
          <p>{t.takesDaysPage}</p>
        </Notice>
      );
    case 'rejected':
      return (
        <Notice tone="bad" title={t.carriersHaveRejected}>
          <p>{reason}</p>
          <p>{t.editWhatReason}</p>
        </Notice>
      );
    case 'suspended':
      return (
        <Notice tone="bad" title={t.campaignSuspendedNumbers}>
          <p>{reason}</p>
          <p>{t.carriersReinstateWhen}</p>
        </Notice>
      );
    case 'approved':
      return null;
  }
}

const APPROVE = { id: 'approved', title: t.approve, kind: 'primary' } as const;
const RESULTS = {
  draft: [],
  pending_review: [APPROVE, { id: 'rejected', title: t.reject, kind: 'danger' }],
  approved: [{ id: 'suspended', title: t.suspend, kind: 'danger' }],
  rejected: [],
  suspended: [{ ...APPROVE, title: t.reinstate }],
} as const;

type Decision = { readonly result: string; readonly reason: string | null };

/** The decisions of the carriers, in test mode. */
export function CampaignReview({ campaign }: { campaign: Campaign }) {
  const { mode } = useLedger();
  const review = useWrite(
    (api, { result, reason }: Decision) =>
      api.test.reviewCampaign(campaign.id, { result: result as 'approved' | 'rejected' | 'suspended', reason }),
    { changes: ['campaigns', 'phone_numbers'], done: ({ status }) => t.theCampaignIs(words(status)) },
  );
  if (mode === 'live') return null;
  const results = RESULTS[campaign.status];
  return (
    <Review
      title={results.length > 0 ? t.decideCarriersWould : t.reviews}
      results={results}
      reasonLabel={t.reasonRejectionSuspension}
      onDecide={(result, reason) => review.mutate({ result, reason })}
      isPending={review.isPending}
      error={review.error}
    />
  );
}
