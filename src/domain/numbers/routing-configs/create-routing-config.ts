import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { useHoldAudio } from '../hold-audio/use-hold-audio.ts';
import { writeQueueUses } from '../queue-uses/queries.ts';
import { type BehaviorFinders, checkTargets } from './check-targets.ts';
import { fillDefaults } from './fill-defaults.ts';
import { insertRoutingConfig } from './queries.ts';
import type { CreateRoutingConfig, RoutingConfig } from './schema.ts';
import { queuesOf, walkBehaviors } from './walk-behaviors.ts';

/**
 * Stores a routing config that has been checked (`checkRouting`). Errors: tenant_not_found, tenant_restricted_key,
 * web_client_not_found, queue_not_found, destination_not_supported.
 */
export async function createRoutingConfig(
  tx: Tx,
  scope: Scope,
  wanted: CreateRoutingConfig,
  finders: BehaviorFinders,
): Promise<RoutingConfig> {
  // Locks the tenant, so that a concurrent deletion of it leaves no config behind.
  const { id: tenantId } = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const fields = fillDefaults(wanted);
  const behaviors = [...walkBehaviors(fields)];
  await checkTargets(tx, scope, behaviors, { tenantId, ...finders });
  const holdAudioId = await useHoldAudio(tx, scope, fields.hold_audio_url);
  const id = newId('routing_config');
  await writeQueueUses(tx, scope, { userId: id, queueIds: queuesOf(behaviors) });
  return insertRoutingConfig(tx, scope, { ...fields, holdAudioId, id, tenantId });
}
