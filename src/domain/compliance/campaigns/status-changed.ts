import type { NewEvent } from '../../events/index.ts';
import type { MovedCampaign } from './queries.ts';

/** The event of a campaign that has moved. */
export function statusChanged({ campaign, previousStatus }: MovedCampaign): NewEvent {
  return {
    type: 'campaign.status_changed',
    tenantId: campaign.tenant_id,
    resourceId: campaign.id,
    data: { ...campaign, previous_status: previousStatus },
  };
}
