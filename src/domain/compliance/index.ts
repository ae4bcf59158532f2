export { getBrand } from './brands/get-brand.ts';
export { findBrand } from './brands/queries.ts';
export { reviewBrand } from './brands/review-brand.ts';
export { brandRoutes } from './brands/routes.ts';
export { Brand } from './brands/schema.ts';
export { endTenantCampaigns } from './campaigns/end-campaigns.ts';
export { getCampaign } from './campaigns/get-campaign.ts';
export { findCampaignCarrierRef } from './campaigns/queries.ts';

export { reviewCampaign } from './campaigns/review-campaign.ts';
export { campaignRoutes } from './campaigns/routes.ts';
export { Campaign } from './campaigns/schema.ts';
export { applyComplianceEvents } from './carrier-events.ts';
export { complianceEventData } from './event-data.ts';
export { complianceJobs } from './jobs.ts';
export { deleteTenantForms } from './opt-in-forms/delete-form.ts';
export { optInPages } from './opt-in-forms/plugin.ts';
export { optInFormRoutes } from './opt-in-forms/routes.ts';
