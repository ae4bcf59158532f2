import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { PortedNumber } from '../../../carriers/ports/porting.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents } from '../../events/index.ts';
import { startNumberMonths } from '../phone-numbers/number-months.ts';
import { activateNumber, claimLiveNumber, findOwnedNumber, insertPendingNumber } from '../phone-numbers/queries.ts';
import { portOutNumber, statusChanged } from '../phone-numbers/release-number.ts';
import type { PhoneNumber } from '../phone-numbers/schema.ts';

/** `connectionId`: the connection that ported the numbers, which releases them too. */
type Ported = {
  readonly tenantId: string;
  readonly connectionId: ConnectionId;
  readonly ported: readonly PortedNumber[];
};

/**
 * Adds ported numbers to the tenant as `active`, each with its event, and in a live ledger to the directory. They have
 * no routing, campaign or emergency address yet. If another tenant here owns a number, it is released there; only a
 * magic number gets this far. An active number of this tenant stays unchanged. Error: number_unavailable for a number
 * that is bought concurrently.
 */
export async function addPortedNumbers(
  tx: Tx,
  ledger: Ledger,
  { tenantId, connectionId, ported }: Ported,
): Promise<PhoneNumber[]> {
  const numbers: PhoneNumber[] = [];
  for (const { phoneNumber, carrierRef, capabilities } of ported) {
    const owned = await findOwnedNumber(tx, ledger, phoneNumber);
    if (owned?.tenant_id === tenantId && owned.status === 'active') continue;
    if (owned !== undefined) await portOutNumber(tx, ledger, owned.id);
    const id = newId('phone_number');
    const references = { routingConfigId: null, campaignId: null };
    const pending = await insertPendingNumber(tx, ledger, { id, tenantId, phoneNumber, connectionId, ...references });
    if (ledger.mode === 'live') await claimLiveNumber(tx, ledger, pending);
    const active = await activateNumber(tx, ledger, id, { carrierRef, capabilities });
    numbers.push(active as PhoneNumber);
  }
  await startNumberMonths(tx, ledger, numbers);
  await emitEvents(
    tx,
    ledger.ledgerId,
    numbers.map((number) => statusChanged(number, 'pending')),
  );
  return numbers;
}
