import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Scope } from '../../../lib/scope.ts';
import { getTenantForUpdate } from '../../tenants/index.ts';
import { useHoldAudio } from '../hold-audio/use-hold-audio.ts';
import { checkTargets, type PartyFinder } from './check-targets.ts';
import { fillDefaults } from './fill-defaults.ts';
import { insertRoutingConfig } from './queries.ts';
import type { CreateRoutingConfig, RoutingConfig } from './schema.ts';

/**
 * Stores a routing config that has been checked (`checkRouting`). Errors: tenant_not_found, tenant_restricted_key,
 * web_client_not_found, destination_not_supported.
 */
export async function createRoutingConfig(
  tx: Tx,
  scope: Scope,
  wanted: CreateRoutingConfig,
  parties: PartyFinder,
): Promise<RoutingConfig> {
  // Locks the tenant, so that a concurrent deletion of it leaves no config behind.
  const { id: tenantId } = await getTenantForUpdate(tx, scope, wanted.tenant_id);
  const fields = fillDefaults(wanted);
  await checkTargets(tx, scope, fields, { tenantId, parties });
  const holdAudioId = await useHoldAudio(tx, scope, fields.hold_audio_url);
  return insertRoutingConfig(tx, scope, { ...fields, holdAudioId, id: newId('routing_config'), tenantId });
}
