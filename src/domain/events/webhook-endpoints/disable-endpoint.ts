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
  /** The revision that failed: an endpoint that was changed since is left alone. */
  readonly revision: number;
};

/** Switches off an endpoint whose receiver is dead: what waits for it is given up, and nothing more is collected. */
export async function disableEndpoint({ db }: Pick<Context, 'db'>, disabling: Disabling): Promise<void> {
  await db.transaction((tx) => disableIn(tx, disabling));
}

/** As `disableEndpoint`, within a transaction. */
export async function disableIn(tx: Tx, { ledgerId, endpointId: id, reason, revision }: Disabling): Promise<void> {
  const endpoint = await disableEndpointRow(tx, ledgerId, { id, reason, revision });
  if (endpoint === undefined) return;
  await giveUpEverything(tx, ledgerId, id);
  await emitDisabled(tx, ledgerId, endpoint);
}

/** Gives up all deliveries that wait for an endpoint. */
export async function giveUpEverything(tx: Tx, ledgerId: number, endpointId: string): Promise<void> {
  await dropLanes(tx, ledgerId, WEBHOOK_LANES, endpointId);
  await giveUpDeliveries(tx, ledgerId, endpointId);
}

/** An event of the account: it belongs to no tenant. */
export async function emitDisabled(tx: Tx, ledgerId: number, endpoint: WebhookEndpoint): Promise<void> {
  await emitEvent(tx, ledgerId, {
    type: 'webhook_endpoint.disabled',
    tenantId: null,
    resourceId: endpoint.id,
    data: endpoint,
  });
}
