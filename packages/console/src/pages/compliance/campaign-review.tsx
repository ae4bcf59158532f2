import type { Campaign } from '@dialplane/sdk/resources';
import { useWrite } from '../../api/queries.ts';
import { useLedger } from '../../app/ledger.ts';
import { Review } from '../../app/reviews.tsx';
import { words } from '../../ui/badge.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Explains the status to the person, and the next step. */
export function CampaignNotice({ campaign }: { campaign: Campaign }) {
  const reason = campaign.rejection_reason ?? 'No reason was given.';
  switch (campaign.status) {
    case 'draft':
      return (
        <Notice title="This is a draft">
          <p>It was not sent to anybody. Submit it when nothing remains to be said against it.</p>
        </Notice>
      );
    case 'pending_review':
      return (
        <Notice tone="warn" title="The carriers review this campaign">
          <p>This takes days. The page shows the result when it is there.</p>
        </Notice>
      );
    case 'rejected':
      return (
        <Notice tone="bad" title="The carriers have rejected this campaign">
          <p>{reason}</p>
          <p>Edit what the reason says, then submit it again. Its numbers stay attached.</p>
        </Notice>
      );
    case 'suspended':
      return (
        <Notice tone="bad" title="This campaign is suspended: its numbers cannot text">
          <p>{reason}</p>
          <p>The carriers reinstate it when its cause is gone. A campaign of a deleted tenant stays suspended.</p>
        </Notice>
      );
    case 'approved':
      return null;
  }
}

const APPROVE = { id: 'approved', title: 'Approve', kind: 'primary' } as const;
const RESULTS = {
  draft: [],
  pending_review: [APPROVE, { id: 'rejected', title: 'Reject', kind: 'danger' }],
  approved: [{ id: 'suspended', title: 'Suspend', kind: 'danger' }],
  rejected: [],
  suspended: [{ ...APPROVE, title: 'Reinstate' }],
} as const;

type Decision = { readonly result: string; readonly reason: string | null };

/** The decisions of the carriers, in test mode. */
export function CampaignReview({ campaign }: { campaign: Campaign }) {
  const { mode } = useLedger();
  const review = useWrite(
    (api, { result, reason }: Decision) =>
      api.test.reviewCampaign(campaign.id, { result: result as 'approved' | 'rejected' | 'suspended', reason }),
    { changes: ['campaigns', 'phone_numbers'], done: ({ status }) => `The campaign is ${words(status)}.` },
  );
  if (mode === 'live') return null;
  const results = RESULTS[campaign.status];
  return (
    <Review
      title={results.length > 0 ? 'Decide as the carriers would' : 'Reviews'}
      results={results}
      reasonLabel="Reason of a rejection or suspension"
      onDecide={(result, reason) => review.mutate({ result, reason })}
      isPending={review.isPending}
      error={review.error}
    />
  );
}
