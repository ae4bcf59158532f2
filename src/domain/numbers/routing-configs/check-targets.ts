import type { Carriers, Telephone } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { pathOf } from '../../../http/schemas/refusal.ts';
import { ApiError, type ErrorCode } from '../../../lib/errors/errors.ts';
import { isSipPhone } from '../../../lib/phone/agent-address.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { checkDestination, readDestinationRules } from '../destinations/destinations.ts';
import { APPLICATION, WEB_CLIENT_ID } from './rules.ts';
import type { Placed } from './walk-behaviors.ts';

/** Finds the given ids that the ledger has and that behaviors can use. Returns their tenants by their ids. */
type FindTenants = (
  db: Db,
  ledger: Ledger,
  ids: readonly string[],
) => Promise<ReadonlyMap<string, { readonly tenant_id: string }>>;

/** Finders of the resources that behaviors refer to. */
export type BehaviorFinders = {
  readonly findWebClients: FindTenants;
  readonly findQueues: FindTenants;
  /** Telephones at an engine. */
  readonly hasTelephone: Carriers['hasTelephone'];
};

/** The facts for a check of behaviors: their tenant, and the finders of the resources that they refer to. */
export type TargetRules = BehaviorFinders & { readonly tenantId: string };

/** Something that a behavior names, and where. */
type Named = { readonly target: string; readonly param: string };

/**
 * Checks all ring targets and queues of behaviors, whose form `checkRouting` has checked. Errors, with the target in
 * `param`: web_client_not_found and queue_not_found (none of the tenant), invalid_body (not a telephone of the tenant),
 * destination_not_supported.
 */
export async function checkTargets(
  db: Db,
  ledger: Ledger,
  behaviors: readonly Placed[],
  { tenantId, findWebClients, findQueues, hasTelephone }: TargetRules,
): Promise<void> {
  const targets = targetsOf(behaviors);
  const webClients = targets.filter(({ target }) => WEB_CLIENT_ID.test(target));
  const others = targets.filter(({ target }) => target.startsWith('+'));
  await requireOfTenant(webClients, { tenantId, code: 'web_client_not_found' }, (ids) =>
    findWebClients(db, ledger, ids),
  );
  for (const { target: address, param } of targets) {
    if (isSipPhone(address)) requireTelephone({ hasTelephone }, ledger, { tenantId, address, param });
  }
  const destinations = await readDestinationRules(db, ledger);
  for (const { target, param } of others) checkDestination(target, destinations, param);
  await requireOfTenant(queuesIn(behaviors), { tenantId, code: 'queue_not_found' }, (ids) =>
    findQueues(db, ledger, ids),
  );
}

/** Throws unless every named resource belongs to the tenant. */
async function requireOfTenant(
  named: readonly Named[],
  { tenantId, code }: { readonly tenantId: string; readonly code: ErrorCode },
  find: (ids: readonly string[]) => ReturnType<FindTenants>,
): Promise<void> {
  if (named.length === 0) return;
  const found = await find([...new Set(named.map(({ target }) => target))]);
  for (const { target, param } of named) {
    if (found.get(target)?.tenant_id !== tenantId) throw new ApiError(code, { param });
  }
}

/** Throws unless the tenant has the telephone. Error: invalid_body. */
export function requireTelephone(
  { hasTelephone }: Pick<BehaviorFinders, 'hasTelephone'>,
  ledger: Ledger,
  { param, ...telephone }: Telephone & { readonly param: string },
): void {
  if (hasTelephone(ledger, telephone)) return;
  const message = `The tenant has no telephone ${telephone.address} at an engine.`;
  throw new ApiError('invalid_body', { param, message });
}

/** Returns the targets of all rings except the application, with their places. */
function targetsOf(behaviors: readonly Placed[]): Named[] {
  return behaviors.flatMap(({ behavior, path }) => {
    if (behavior.type !== 'ring') return [];
    const placed = behavior.targets.map((target, at) => ({ target, param: pathOf([...path, 'targets', `${at}`]) }));
    return placed.filter(({ target }) => target !== APPLICATION);
  });
}

function queuesIn(behaviors: readonly Placed[]): Named[] {
  return behaviors.flatMap(({ behavior, path }) =>
    behavior.type === 'queue' ? [{ target: behavior.queue_id, param: pathOf([...path, 'queue_id']) }] : [],
  );
}
