import type { NewEvent } from '../../events/index.ts';
import type { MovedCampaign } from './queries.ts';

/** Returns the event of a campaign whose status changed. */
export function statusChanged({ campaign, previousStatus }: MovedCampaign): NewEvent {
  return {
    type: 'campaign.status_changed',
    tenantId: campaign.tenant_id,
    resourceId: campaign.id,
    data: { ...campaign, previous_status: previousStatus },
  };
}
