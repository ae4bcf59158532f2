import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { getEndpointForUpdate } from '../webhook-endpoints/get-endpoint.ts';
import type { ReplayKey } from './get-replay.ts';
import { endReplayRow, lockReplay } from './queries.ts';
import { dropReplayJob } from './replay-job.ts';
import type { WebhookReplay } from './schema.ts';

/**
 * Ends a running replay. The deliveries that it has made stay; a replay that has ended is returned as it is.
 * Errors: webhook_endpoint_not_found, replay_not_found.
 */
export async function cancelReplay(
  tx: Tx,
  ledger: Ledger,
  { endpointId, replayId }: ReplayKey,
): Promise<WebhookReplay> {
  // Locks the endpoint before the replay, in the order of the job.
  await getEndpointForUpdate(tx, ledger, endpointId);
  const replay = await lockReplay(tx, ledger, endpointId, replayId);
  if (replay === undefined) throw new ApiError('replay_not_found');
  if (replay.status !== 'running') return replay;
  await dropReplayJob(tx, ledger.ledgerId, endpointId);
  return endReplayRow(tx, ledger, replay, 'canceled');
}
