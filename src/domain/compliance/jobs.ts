import type { Context } from '../../context.ts';
import type { JobHandler } from '../../queue/jobs/job.ts';
import { createBrandRegistration } from './brands/registration.ts';
import { createVerificationHandler } from './brands/verification-job.ts';
import { campaignMonthJob } from './campaigns/campaign-months.ts';
import { createEndHandler } from './campaigns/end-campaigns.ts';
import { createCampaignRegistration, type OnCampaignRegistered } from './campaigns/registration.ts';
import { createWatchHandler } from './campaigns/watch-campaigns.ts';
import { createRegistrationHandler } from './registration/jobs.ts';

type JobContext = Pick<Context, 'db' | 'cipher' | 'carriers' | 'log' | 'settings'>;

/** Returns the job handlers of brands and campaigns: registrations, verifications, ends, polling and months. */
export function complianceJobs(context: JobContext, onRegistered: OnCampaignRegistered): readonly JobHandler[] {
  return [
    createRegistrationHandler(context, createBrandRegistration(context)),
    createRegistrationHandler(context, createCampaignRegistration(onRegistered)),
    createVerificationHandler(context),
    createEndHandler(context),
    createWatchHandler(context),
    campaignMonthJob(context),
  ] as JobHandler[];
}
