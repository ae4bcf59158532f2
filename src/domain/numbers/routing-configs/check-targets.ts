import type { Db } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { checkDestination, readDestinationRules } from '../destinations/destinations.ts';
import type { RoutingFields } from './fill-defaults.ts';
import { WEB_CLIENT_ID } from './rules.ts';

/** Finds the web client with this id, if the ledger has it and it can be rung. */
export type FindWebClient = (db: Db, ledger: Ledger, id: string) => Promise<{ tenant_id: string } | undefined>;

/** What targets are checked against: the tenant of the config, and the finder of web clients. */
export type TargetRules = { readonly tenantId: string; readonly findWebClient: FindWebClient };

/**
 * Checks all ring targets of a config, whose form `checkRouting` has checked. Errors, with the target in `param`:
 * web_client_not_found (not a web client of the tenant), destination_not_supported.
 */
export async function checkTargets(db: Db, ledger: Ledger, config: RoutingFields, rules: TargetRules): Promise<void> {
  const destinations = await readDestinationRules(db, ledger);
  for (const field of ['open_behavior', 'closed_behavior'] as const) {
    const behavior = config[field];
    if (behavior.type !== 'ring') continue;
    for (const [index, target] of behavior.targets.entries()) {
      const param = `${field}.targets[${index}]`;
      if (WEB_CLIENT_ID.test(target)) await checkWebClient(db, ledger, { id: target, param }, rules);
      else checkDestination(target, destinations, param);
    }
  }
}

async function checkWebClient(
  db: Db,
  ledger: Ledger,
  { id, param }: { id: string; param: string },
  { tenantId, findWebClient }: TargetRules,
): Promise<void> {
  const found = await findWebClient(db, ledger, id);
  if (found?.tenant_id !== tenantId) throw new ApiError('web_client_not_found', { param });
}
