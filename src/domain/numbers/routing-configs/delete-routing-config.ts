import type { TeardownStep } from '../../../context.ts';
import type { Tx } from '../../../db/database.ts';
import type { Which } from '../../../db/statement.ts';
import type { Ledger, Scope } from '../../../lib/scope.ts';
import { dropUnusedHoldAudio } from '../hold-audio/use-hold-audio.ts';
import { deleteRoutingConfigRows, getRoutingConfig } from './queries.ts';

/** Deletes a config. Errors: routing_config_not_found, tenant_restricted_key, routing_config_in_use. */
export async function deleteRoutingConfig(tx: Tx, scope: Scope, id: string): Promise<void> {
  await getRoutingConfig(tx, scope, id);
  await deleteConfigs(tx, scope, { id });
}

/** Deletes the configs of a tenant that is being deleted, after its numbers have been released. */
export const deleteTenantRoutingConfigs: TeardownStep = (tx, scope, tenantId) => deleteConfigs(tx, scope, { tenantId });

async function deleteConfigs(tx: Tx, ledger: Ledger, which: Which): Promise<void> {
  await dropUnusedHoldAudio(tx, ledger, await deleteRoutingConfigRows(tx, ledger, which));
}
