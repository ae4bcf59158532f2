import type { Tx } from '../../../db/database.ts';
import type { Scope } from '../../../lib/scope.ts';
import { pauseLanes, resumeLanes } from '../../../queue/lanes/lanes.ts';
import { changedFields, recordActions } from '../../audit/index.ts';
import { WEBHOOK_LANES } from '../catalog.ts';
import { uniqueTypes } from './check-endpoint.ts';
import type { LockTenant } from './create-endpoint.ts';
import { emitDisabled } from './disable-endpoint.ts';
import { getEndpointForUpdate } from './get-endpoint.ts';
import { type EndpointChange, updateEndpointRow } from './queries.ts';
import { hostOf } from './rules.ts';
import type { UpdateWebhookEndpoint, WebhookEndpoint } from './schema.ts';

/**
 * Changes the given fields, which have been checked (`checkEndpoint`). An endpoint that is disabled collects
 * deliveries; when it is enabled, they are sent. Errors: webhook_endpoint_not_found, tenant_not_found.
 */
export async function updateEndpoint(
  tx: Tx,
  scope: Scope,
  { id, change, lockTenant }: { id: string; change: UpdateWebhookEndpoint; lockTenant: LockTenant },
): Promise<WebhookEndpoint> {
  const before = await getEndpointForUpdate(tx, scope, id);
  const tenantId = change.tenant_id === undefined ? before.tenant_id : change.tenant_id;
  // The current tenant of the endpoint may be deleted by now, so only a new tenant is locked.
  if (tenantId !== null && tenantId !== before.tenant_id) await lockTenant(tx, scope, tenantId);
  const after = await updateEndpointRow(tx, scope, id, {
    url: change.url ?? before.url,
    enabled_events: change.enabled_events === undefined ? before.enabled_events : uniqueTypes(change.enabled_events),
    tenant_id: tenantId,
    description: change.description === undefined ? before.description : change.description,
    ...statusAfter(before, change.status ?? before.status),
  });
  if (before.status === 'active' && after.status === 'disabled') {
    await pauseLanes(tx, scope.ledgerId, WEBHOOK_LANES, id);
    await emitDisabled(tx, scope.ledgerId, after);
  }
  if (before.status === 'disabled' && after.status === 'active') {
    await resumeLanes(tx, scope.ledgerId, WEBHOOK_LANES, id);
  }
  const changed = changedFields(before, after);
  if (changed.length > 0) {
    const details = { changed, status: after.status, host: hostOf(after.url) };
    // If an endpoint leaves its tenant, the change is in the log of that tenant.
    const logTenantId = after.tenant_id ?? before.tenant_id;
    await recordActions(tx, scope, [
      { action: 'webhook_endpoint.updated', resourceId: id, tenantId: logTenantId, details },
    ]);
  }
  return after;
}

/**
 * Returns the new status and reason. An endpoint disabled for its failures keeps that reason if it is disabled again.
 */
function statusAfter(
  before: WebhookEndpoint,
  status: WebhookEndpoint['status'],
): Pick<EndpointChange, 'status' | 'disabled_reason'> {
  return { status, disabled_reason: status === 'active' ? null : (before.disabled_reason ?? 'manual') };
}
