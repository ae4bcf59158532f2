/** One step of a replay that tries failed deliveries again. */
import type { Tx } from '../../../db/database.ts';
import { addToLanes, hurryLane, lockLane } from '../../../queue/lanes/lanes.ts';
import { WEBHOOK_LANES } from '../catalog.ts';
import { type FailedDelivery, findFailed, moveRetry, readPosition, restartFailed } from './retry-queries.ts';
import { FAILED_STATUSES } from './rules.ts';
import type { WebhookReplay } from './schema.ts';

/** The deliveries of a step. */
export type Retries = {
  /** The status of the deliveries: first deliveries that wait for another attempt, then given-up ones. */
  readonly status: (typeof FAILED_STATUSES)[number];
  readonly deliveries: readonly FailedDelivery[];
  /** True if no delivery follows. */
  readonly isLast: boolean;
};

/** Reads the next failed deliveries of a locked replay. */
export async function nextRetries(tx: Tx, ledgerId: number, replay: WebhookReplay): Promise<Retries> {
  const { last_status, last_delivery_id } = await readPosition(tx, ledgerId, replay);
  const statuses = last_status === 'given_up' ? (['given_up'] as const) : FAILED_STATUSES;
  for (const status of statuses) {
    const after = status === last_status ? (last_delivery_id ?? '') : '';
    const deliveries = await findFailed(tx, ledgerId, { replay, status, after });
    if (deliveries.length > 0) return { status, deliveries, isLast: false };
  }
  return { status: 'failed', deliveries: [], isLast: true };
}

type Step = { readonly replay: WebhookReplay; readonly retry: Retries };

/** Puts deliveries back into their lanes with a new round of attempts, and makes the lanes due. */
export async function retryDeliveries(tx: Tx, ledgerId: number, { replay, retry }: Step): Promise<void> {
  const { deliveries, status } = retry;
  const last = deliveries.at(-1);
  if (last === undefined) return;
  const lane = { ledgerId, kind: WEBHOOK_LANES, groupId: replay.endpoint_id };
  const lanes = [...new Set(deliveries.map(({ resource_id }) => resource_id))]
    .toSorted()
    .map((laneKey) => ({ ...lane, laneKey }));
  // Locks the lanes before the deliveries, in the order of the workers.
  for (const lockedLane of lanes) await lockLane(tx, lockedLane);
  const ids = deliveries.map(({ id }) => id);
  const restarted = await restartFailed(tx, ledgerId, replay.endpoint_id, ids);
  const added = restarted.filter((restart) => restart.added > 0);
  await addToLanes(
    tx,
    added.map((restart) => ({ ...lane, laneKey: restart.resource_id, items: restart.added })),
  );
  for (const dueLane of lanes) await hurryLane(tx, dueLane);
  const count = restarted.reduce((sum, restart) => sum + restart.restarted, 0);
  await moveRetry(tx, ledgerId, replay, { status, last: last.id, count });
}
