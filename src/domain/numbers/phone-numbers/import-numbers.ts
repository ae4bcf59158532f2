import { type Capability, usableCapabilities } from '../../../carriers/ports/numbers.ts';
import type { Tx } from '../../../db/database.ts';
import { ApiError } from '../../../lib/errors/errors.ts';
import { newId } from '../../../lib/ids.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { recordBy } from '../../audit/index.ts';
import { emitEvents } from '../../events/index.ts';
import { lockTenantShared } from '../../tenants/index.ts';
import { insertImportedNumber, listNumberHolders } from './import-queries.ts';
import { startNumberMonths } from './number-months.ts';
import { claimLiveNumber } from './queries.ts';
import { statusChanged } from './release-number.ts';
import type { PhoneNumber } from './schema.ts';

export type NumberImport = {
  readonly tenantId: string;
  /** E.164, each once. */
  readonly phoneNumbers: readonly string[];
  /** The connection for their texts and calls. */
  readonly connectionId: string;
  readonly capabilities: readonly Capability[];
};

export type ImportedNumbers = {
  readonly added: number;
  /** Numbers that the tenant already had. */
  readonly present: number;
  /** Numbers of other tenants, which do not change. */
  readonly taken: readonly string[];
};

/**
 * Gives a tenant of a live ledger numbers that the operator already has at a carrier, as `active`, each with its event.
 * A toll-free number is only for calls. No request goes to the carrier, which already has the numbers. They are not
 * released there. A repeat changes nothing. Error: tenant_not_found.
 */
export async function importNumbers(tx: Tx, ledger: Ledger, wanted: NumberImport): Promise<ImportedNumbers> {
  // Without the lock, the tenant could be deleted and its new numbers left behind.
  if (!(await lockTenantShared(tx, ledger, wanted.tenantId))) throw new ApiError('tenant_not_found');
  const holders = await listNumberHolders(tx, wanted.phoneNumbers);
  const free = wanted.phoneNumbers.filter((phoneNumber) => !holders.has(phoneNumber));
  const numbers: PhoneNumber[] = [];
  for (const phoneNumber of free) {
    const capabilities = usableCapabilities(phoneNumber, wanted.capabilities);
    const made = { ...wanted, id: newId('phone_number'), phoneNumber, capabilities };
    const number = await insertImportedNumber(tx, ledger, made);
    await claimLiveNumber(tx, ledger, number);
    numbers.push(number);
    const { tenantId } = wanted;
    const details = { tenant_id: tenantId, phone_number: phoneNumber };
    const action = { action: 'phone_number.imported', resourceId: number.id, tenantId, details } as const;
    await recordBy(tx, { command: 'numbers import' }, [ledger.ledgerId], action);
  }
  await startNumberMonths(tx, ledger, numbers);
  await emitEvents(
    tx,
    ledger.ledgerId,
    numbers.map((number) => statusChanged(number, 'pending')),
  );
  const taken = [...holders].filter(([, tenantId]) => tenantId !== wanted.tenantId).map(([phoneNumber]) => phoneNumber);
  return { added: numbers.length, present: holders.size - taken.length, taken };
}
