import type { PortedNumber } from '../../../carriers/ports/porting.ts';
import type { Tx } from '../../../db/database.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { emitEvents } from '../../events/index.ts';
import { startNumberMonths } from '../phone-numbers/number-months.ts';
import { activateNumber, claimLiveNumber, findOwnedNumber, insertPendingNumber } from '../phone-numbers/queries.ts';
import { portOutNumber, statusChanged } from '../phone-numbers/release-number.ts';
import type { PhoneNumber } from '../phone-numbers/schema.ts';

/**
 * Makes ported numbers active numbers of the tenant, each with its event, and in a live ledger enters them into the
 * directory. They have no routing, campaign or emergency address yet. One that somebody here has (only a magic number
 * can get so far) leaves whoever has it; one that the tenant has stays as it is. Error: number_unavailable for one that
 * somebody buys at this moment.
 */
export async function takeOverNumbers(
  tx: Tx,
  ledger: Ledger,
  { tenantId, ported }: { readonly tenantId: string; readonly ported: readonly PortedNumber[] },
): Promise<PhoneNumber[]> {
  const numbers: PhoneNumber[] = [];
  for (const { phoneNumber, carrierRef, capabilities } of ported) {
    const held = await findOwnedNumber(tx, ledger, phoneNumber);
    if (held?.tenant_id === tenantId && held.status === 'active') continue;
    if (held !== undefined) await portOutNumber(tx, ledger, held.id);
    const id = newId('phone_number');
    const references = { routingConfigId: null, campaignId: null };
    const pending = await insertPendingNumber(tx, ledger, { id, tenantId, phoneNumber, ...references });
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
