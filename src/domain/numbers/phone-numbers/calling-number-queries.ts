import type { ConnectionId } from '../../../carriers/ports/carrier.ts';
import type { Db } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';

const FIND = statement(
  'phone_numbers_find_calling',
  `select id, phone_number, tenant_id, e911_address_id, voice_connection_id, e911_connection_id from phone_numbers
   where ledger_id = $1 and tenant_id = $2 and 'voice' = any(capabilities)
     and (status = 'active' or ($3 and status = 'suspended'))
   order by status <> 'active', $3 and e911_address_id is distinct from coalesce($4, e911_address_id),
     $3 and e911_address_id is null, id limit 1`,
);

const IS_CONFIRMED = statement(
  'phone_numbers_is_address_confirmed',
  `select e911_address_id is not null and not e911_pending as is_confirmed from phone_numbers
   where ledger_id = $1 and id = $2`,
);

/** Returns true if the carrier has confirmed the number's emergency address; false also for a number without one. */
export async function isAddressConfirmed(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  numberId: string,
): Promise<boolean> {
  const [row] = await db.query<{ is_confirmed: boolean }>(IS_CONFIRMED, [ledgerId, numberId]);
  return row?.is_confirmed === true;
}

export type CallingNumber = {
  readonly id: string;
  readonly phone_number: string;
  readonly tenant_id: string;
  readonly e911_address_id: string | null;
  readonly voice_connection_id: ConnectionId;
  /** The connection that has the number registered at its emergency address. */
  readonly e911_connection_id: ConnectionId;
};

/**
 * Finds the number to call from when a tenant's call names none: the tenant's oldest active number with voice. For an
 * emergency call, numbers at the wanted address come first, then numbers with any address. A suspended number is used
 * if no active one exists.
 */
export async function findCallingNumber(
  db: Db,
  { ledgerId }: Pick<Ledger, 'ledgerId'>,
  { tenantId, isEmergency, addressId }: { tenantId: string; isEmergency: boolean; addressId: string | null },
): Promise<CallingNumber | undefined> {
  const [row] = await db.query<CallingNumber>(FIND, [ledgerId, tenantId, isEmergency, addressId]);
  return row;
}
