import type { Carriers, Telephone } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { pathOf } from '../../../http/schemas/refusal.ts';
import { ApiError } from '../../../lib/errors.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { isSipPhone } from '../../../lib/sip-phone.ts';
import { checkDestination, readDestinationRules } from '../destinations/destinations.ts';
import type { RoutingFields } from './fill-defaults.ts';
import { APPLICATION, WEB_CLIENT_ID } from './rules.ts';
import { walkBehaviors } from './walk-behaviors.ts';

/** Finds those of the web clients that the ledger has and that can be rung. Returns their tenants by their ids. */
export type FindWebClients = (
  db: Db,
  ledger: Ledger,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, { readonly tenant_id: string }>>;

/** How the parties are found that are no numbers: web clients, and telephones at an engine. */
export type PartyFinder = {
  readonly findWebClients: FindWebClients;
  readonly hasTelephone: Carriers['hasTelephone'];
};

/** What targets are checked against. `tenantId` is the tenant of the config. */
export type TargetRules = { readonly tenantId: string; readonly parties: PartyFinder };

/**
 * Checks all ring targets of a config, whose form `checkRouting` has checked. Errors, with the target in `param`:
 * web_client_not_found (not a web client of the tenant), invalid_body (not a telephone of the tenant),
 * destination_not_supported.
 */
export async function checkTargets(
  db: Db,
  ledger: Ledger,
  config: RoutingFields,
  { tenantId, parties }: TargetRules,
): Promise<void> {
  const destinations = await readDestinationRules(db, ledger);
  const targets = targetsOf(config);
  const ids = new Set(targets.flatMap(({ target }) => (WEB_CLIENT_ID.test(target) ? [target] : [])));
  const found = ids.size === 0 ? new Map() : await parties.findWebClients(db, ledger, [...ids]);
  for (const { target, param } of targets) {
    if (isSipPhone(target)) requireTelephone(parties, ledger, { tenantId, address: target, param });
    else if (!ids.has(target)) checkDestination(target, destinations, param);
    else if (found.get(target)?.tenant_id !== tenantId) throw new ApiError('web_client_not_found', { param });
  }
}

function requireTelephone(
  { hasTelephone }: PartyFinder,
  ledger: Ledger,
  { param, ...telephone }: Telephone & { readonly param: string },
): void {
  if (hasTelephone(ledger, telephone)) return;
  const message = `The tenant has no telephone ${telephone.address} at an engine.`;
  throw new ApiError('invalid_body', { param, message });
}

/** Returns the targets of all rings but the application, with their places. */
function targetsOf(config: RoutingFields): { target: string; param: string }[] {
  return [...walkBehaviors(config)].flatMap(({ behavior, path }) => {
    if (behavior.type !== 'ring') return [];
    const placed = behavior.targets.map((target, at) => ({ target, param: pathOf([...path, 'targets', `${at}`]) }));
    return placed.filter(({ target }) => target !== APPLICATION);
  });
}
