import type { Context } from '../../context.ts';
import type { JobHandler } from '../../queue/jobs/job.ts';
import { createBrandRegistration } from './brands/registration.ts';
import { createEndHandler } from './campaigns/end-campaigns.ts';
import { campaignMonthJob } from './campaigns/months.ts';
import { createCampaignRegistration, type OnCampaignRegistered } from './campaigns/registration.ts';
import { createWatchHandler } from './campaigns/watch-campaigns.ts';
import { createRegistrationHandler } from './registration/jobs.ts';

type JobContext = Pick<Context, 'db' | 'cipher' | 'carriers' | 'log'>;

/** The work of brands and campaigns that outlives a request: registrations, months and ends. */
export function complianceJobs(context: JobContext, onRegistered: OnCampaignRegistered): readonly JobHandler[] {
  return [
    createRegistrationHandler(context, createBrandRegistration(context)),
    createRegistrationHandler(context, createCampaignRegistration(onRegistered)),
    createEndHandler(context),
    createWatchHandler(context),
    campaignMonthJob(context),
  ] as JobHandler[];
}
