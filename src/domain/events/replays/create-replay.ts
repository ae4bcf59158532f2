import type { Tx } from '../../../db/database.ts';
import { readRange } from '../../../http/schemas/pagination.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { checkEventType, uniqueTypes } from '../webhook-endpoints/check-endpoint.ts';
import { getEndpointForUpdate } from '../webhook-endpoints/get-endpoint.ts';
import { insertReplay } from './queries.ts';
import { planReplay } from './replay-job.ts';
import { insertRetry } from './retry-queries.ts';
import type { CreateReplay, WebhookReplay } from './schema.ts';

/**
 * Checks the rules that the schema cannot express. Errors: invalid_start, invalid_end, invalid_range,
 * unknown_event_type with the index of the first unknown type.
 */
export function checkReplay(wanted: CreateReplay): void {
  readRange(wanted);
  wanted.event_types?.forEach((type, index) => {
    checkEventType(type, `event_types[${index}]`);
  });
}

/**
 * Starts to send all failed deliveries of an endpoint again. Errors: webhook_endpoint_not_found,
 * webhook_endpoint_disabled, replay_in_progress.
 */
export async function retryFailed(tx: Tx, ledger: Ledger, endpointId: string): Promise<WebhookReplay> {
  const endpoint = await getEndpointForUpdate(tx, ledger, endpointId);
  if (endpoint.status !== 'active') throw new ApiError('webhook_endpoint_disabled');
  const replay = await insertRetry(tx, ledger, { endpointId, id: newId('webhook_replay') });
  if (!(await planReplay(tx, ledger.ledgerId, replay))) throw new ApiError('replay_in_progress');
  return replay;
}

/**
 * Starts to send the events of a range again to one endpoint, in the order of their occurrence. The request has been
 * checked (`checkReplay`). Errors: webhook_endpoint_not_found, webhook_endpoint_disabled, replay_in_progress,
 * invalid_range if the range begins in the future.
 */
export async function createReplay(
  tx: Tx,
  ledger: Ledger,
  endpointId: string,
  wanted: CreateReplay,
): Promise<WebhookReplay> {
  const endpoint = await getEndpointForUpdate(tx, ledger, endpointId);
  if (endpoint.status !== 'active') throw new ApiError('webhook_endpoint_disabled');
  const { start, end } = readRange(wanted);
  const replay = await insertReplay(tx, ledger, {
    ...{ endpointId, id: newId('webhook_replay'), start: start as Date, end },
    event_types: uniqueTypes(wanted.event_types ?? endpoint.enabled_events),
    only_missed: wanted.only_missed ?? false,
  });
  if (replay === undefined) throw new ApiError('invalid_range', { param: 'start' });
  if (!(await planReplay(tx, ledger.ledgerId, replay))) throw new ApiError('replay_in_progress');
  return replay;
}
