/** The availability of a web client in its queues. */
import type { Database } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { WebClientName } from '../web-clients/web-client-signal.ts';
import { type OwnQueue, readOwnQueues, setOwnAway } from './own-queries.ts';
import { planDecisions } from './plan-decision.ts';
import type { SetAvailability } from './schema.ts';

/** `queueId`: the queue to set it in; if absent, all queues of the web client. */
type Wanted = SetAvailability & { readonly queueId?: string | undefined };

/**
 * Sets the availability of a web client in its queues, which decide again. Returns its queues after that. Errors:
 * queue_not_found.
 */
export function setOwnAvailability(
  db: Database,
  webClient: WebClientName,
  { availability, queueId }: Wanted,
): Promise<OwnQueue[]> {
  return db.transaction(async (tx) => {
    const set = await setOwnAway(tx, webClient, { queueId: queueId ?? null, isAway: availability === 'away' });
    if (queueId !== undefined && set.length === 0) throw new ApiError('queue_not_found', { param: 'queue_id' });
    await planDecisions(tx, webClient, set);
    return readOwnQueues(tx, webClient);
  });
}
