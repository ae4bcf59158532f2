import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { type Scope, visible } from '../../../lib/scope.ts';
import { getTenant } from '../../tenants/index.ts';
import { dropUnusedHoldAudio, useHoldAudio } from '../hold-audio/use-hold-audio.ts';
import { writeQueueUses } from '../queue-uses/queries.ts';
import { type BehaviorFinders, checkTargets } from './check-targets.ts';
import { fillDefaults } from './fill-defaults.ts';
import { getRoutingConfig, lockHoldAudioOf, replaceRoutingConfigRow } from './queries.ts';
import type { CreateRoutingConfig, RoutingConfig } from './schema.ts';
import { queuesOf, walkBehaviors } from './walk-behaviors.ts';

export type Replacement = {
  readonly id: string;
  readonly wanted: CreateRoutingConfig;
  readonly finders: BehaviorFinders;
};

/**
 * Replaces all fields of a config; an absent field gets its default. The fields have been checked (`checkRouting`).
 * Calls under way keep their routing. Errors: routing_config_not_found, tenant_restricted_key, invalid_body (another
 * tenant), the errors of a creation.
 */
export async function replaceRoutingConfig(
  tx: Tx,
  scope: Scope,
  { id, wanted, finders }: Replacement,
): Promise<RoutingConfig> {
  const config = await getRoutingConfig(tx, scope, id);
  const { id: tenantId } = await getTenant(tx, scope, wanted.tenant_id);
  if (config.tenant_id !== tenantId) {
    throw new ApiError('invalid_body', { param: 'tenant_id', message: 'A routing config stays with its tenant.' });
  }
  const fields = fillDefaults(wanted);
  const behaviors = [...walkBehaviors(fields)];
  await checkTargets(tx, scope, behaviors, { tenantId, ...finders });
  await writeQueueUses(tx, scope, { userId: id, queueIds: queuesOf(behaviors) });
  const before = await lockHoldAudioOf(tx, scope, id);
  const holdAudioId = await useHoldAudio(tx, scope, fields.hold_audio_url, before);
  const replaced = await replaceRoutingConfigRow(tx, scope, id, { ...fields, holdAudioId });
  if (before !== holdAudioId) await dropUnusedHoldAudio(tx, scope, [before]);
  return visible(scope, replaced, 'routing_config_not_found');
}
