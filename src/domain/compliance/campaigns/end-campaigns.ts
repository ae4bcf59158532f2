import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Context, TeardownStep } from '../../../context.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { enqueue } from '../../../queue/jobs/enqueue.ts';
import { CARRIER_JOBS_LINGERING, type Job, type JobHandler, type NewJob } from '../../../queue/jobs/job.ts';
import { emitEvents } from '../../events/index.ts';
import { endCampaigns } from './queries.ts';
import { statusChanged } from './status-changed.ts';

const END_JOB = 'campaign.end';

type Ending = {
  readonly id: string;
  readonly ref: string;
  readonly carrierRef: string;
  readonly connectionId: ConnectionId;
};
/** Without `ref`, the registry's name of the campaign is its id. */
type EndPayload = Omit<Ending, 'ref'> & { readonly ledger: Ledger; readonly ref?: string };

/**
 * Ends the campaigns of a tenant that is being deleted: they are suspended permanently, and no later month is charged.
 * A job ends them in the registry.
 */
export const endTenantCampaigns: TeardownStep = async (tx, scope, tenantId) => {
  const ended = await endCampaigns(tx, scope, tenantId);
  await emitEvents(
    tx,
    scope.ledgerId,
    ended.filter(({ campaign, previousStatus }) => campaign.status !== previousStatus).map(statusChanged),
  );
  await enqueue(
    tx,
    ended.flatMap(({ campaign: { id }, ref, previousStatus, carrierRef, connectionId }) =>
      carrierRef === null || previousStatus === 'rejected'
        ? []
        : [endCampaignJob(scope, { id, ref, carrierRef, connectionId })],
    ),
  );
};

/** Returns the job that ends a campaign in the registry. */
export function endCampaignJob(
  { ledgerId, accountId, mode }: Ledger,
  { id, ref, carrierRef, connectionId }: Ending,
): NewJob {
  const payload: EndPayload = { ledger: { ledgerId, accountId, mode }, id, ref, carrierRef, connectionId };
  return { ledgerId, queue: 'default', kind: END_JOB, id: `${END_JOB}:${id}`, payload };
}

/** Returns the handler of that job. It throws until the registry has an outcome. */
export function createEndHandler({ carriers, log }: Pick<Context, 'carriers' | 'log'>): JobHandler<EndPayload> {
  return {
    kind: END_JOB,
    queue: 'default',
    lingeringMax: CARRIER_JOBS_LINGERING,
    run: async ([job]) => {
      const { ledger, id, ref = id, carrierRef, connectionId = null } = (job as Job<EndPayload>).payload;
      const outcome = await carriers.registry(ledger, connectionId).endCampaign(ledger, { ref, carrierRef });
      if (outcome.outcome === 'accepted') return;
      if (outcome.outcome !== 'rejected') throw new Error(`the end of ${id} has no outcome yet: ${outcome.outcome}`);
      log.error(
        { campaign_id: id, reason: outcome.reason },
        'the registry refused to end a campaign; it is not asked again',
      );
    },
  };
}
