import type { Context } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import { dropLanes } from '../../../queue/lanes/lanes.ts';
import { WEBHOOK_LANES } from '../catalog.ts';
import { giveUpDeliveries } from '../deliveries/queries.ts';
import { emitEvent } from '../emit.ts';
import { disableEndpointRow } from './queries.ts';
import type { WebhookEndpoint } from './schema.ts';

type Disabling = {
  readonly ledgerId: number;
  readonly endpointId: string;
  readonly reason: 'failing' | 'gone';
  /** The revision that failed: an endpoint that has changed since is not disabled. */
  readonly revision: number;
};

/** Disables an endpoint whose receiver is dead: its waiting deliveries are given up and no more are collected. */
export async function disableEndpoint({ db }: Pick<Context, 'db'>, disabling: Disabling): Promise<void> {
  await db.transaction((tx) => disableEndpointIn(tx, disabling));
}

/** Does the same as `disableEndpoint`, in the caller's transaction. */
export async function disableEndpointIn(
  tx: Tx,
  { ledgerId, endpointId: id, reason, revision }: Disabling,
): Promise<void> {
  const endpoint = await disableEndpointRow(tx, ledgerId, { id, reason, revision });
  if (endpoint === undefined) return;
  await giveUpAllDeliveries(tx, ledgerId, id);
  await emitDisabled(tx, ledgerId, endpoint);
}

/** Drops the lanes of an endpoint and gives up its waiting deliveries. */
export async function giveUpAllDeliveries(tx: Tx, ledgerId: number, endpointId: string): Promise<void> {
  await dropLanes(tx, ledgerId, WEBHOOK_LANES, endpointId);
  await giveUpDeliveries(tx, ledgerId, endpointId);
}

/** Emits webhook_endpoint.disabled, an event of the account: it belongs to no tenant. */
export async function emitDisabled(tx: Tx, ledgerId: number, endpoint: WebhookEndpoint): Promise<void> {
  await emitEvent(tx, ledgerId, {
    type: 'webhook_endpoint.disabled',
    tenantId: null,
    resourceId: endpoint.id,
    data: endpoint,
  });
}
