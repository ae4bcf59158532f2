import type { Carriers, ConnectionId } from '../../../../carriers/ports/carrier.ts';
import type { Tx } from '../../../../db/database.ts';
import { isSipPhone } from '../../../../lib/phone/agent-address.ts';
import type { Ledger } from '../../../../lib/scope.ts';
import { isReachable, readDestinationRules } from '../../../numbers/index.ts';
import type { RefusedTarget } from '../state/queue-stage.ts';

/** A call whose targets are checked: its tenant, its number, and its connection. */
type CallToRing = {
  readonly tenantId: string;
  readonly number: string;
  readonly connectionId: ConnectionId;
};

type Targets = CallToRing & { readonly targets: readonly string[] };

/** Returns the targets that a call does not ring, each with the reason. */
export async function findRefused(
  tx: Tx,
  ledger: Ledger,
  { hasTelephone }: Pick<Carriers, 'hasTelephone'>,
  { targets, tenantId, number, connectionId }: Targets,
): Promise<RefusedTarget[]> {
  const rules = targets.some((target) => target.startsWith('+')) ? await readDestinationRules(tx, ledger) : undefined;
  const mayRing = (target: string): boolean => {
    if (isSipPhone(target)) return hasTelephone(ledger, { tenantId, address: target }, connectionId);
    return rules === undefined || !target.startsWith('+') || isReachable(target, rules);
  };
  return targets.flatMap((target): RefusedTarget[] => {
    // A call to the number itself would come back here without end.
    if (target === number) return [{ target, reason: 'own_number' }];
    return mayRing(target) ? [] : [{ target, reason: 'destination_not_supported' }];
  });
}
