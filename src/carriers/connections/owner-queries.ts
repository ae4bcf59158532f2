import type { Db } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Ledger } from '../../lib/scope.ts';

/**
 * SQL that is true if the number `p` belongs to connection $1: the number was ordered there, or its texts or calls use
 * that connection. Reports of other connections about the number are ignored, because a carrier's account is an
 * authority only on its own numbers.
 */
const IS_OF_CONNECTION = '$1 in (p.connection_id, p.messaging_connection_id, p.voice_connection_id)';

const FIND = statement(
  'live_numbers_find_owner',
  `select l.id as "ledgerId", l.account_id as "accountId", l.mode from live_numbers n
   join phone_numbers p on p.ledger_id = n.ledger_id and p.id = n.number_id
   join ledgers l on l.id = n.ledger_id where n.phone_number = $2 and ${IS_OF_CONNECTION}`,
);

/**
 * Returns the live ledger that has a number (E.164). Calls and texts to the number are for that ledger. Undefined if
 * the number does not belong to the connection.
 */
export async function findNumberOwner(db: Db, connectionId: string, phoneNumber: string): Promise<Ledger | undefined> {
  const [row] = await db.query<Ledger>(FIND, [connectionId, phoneNumber]);
  return row;
}

const LIST = statement(
  'live_numbers_list_owners',
  `select n.phone_number as "phoneNumber", p.tenant_id as "tenantId", l.id as "ledgerId", l.account_id as "accountId",
     l.mode
   from live_numbers n
   join phone_numbers p on p.ledger_id = n.ledger_id and p.id = n.number_id
   join ledgers l on l.id = n.ledger_id where n.phone_number = any($2) and ${IS_OF_CONNECTION}`,
);

export type NumberOwner = { readonly phoneNumber: string; readonly tenantId: string; readonly ledger: Ledger };

/** Returns the owners of the numbers (E.164) that belong to the connection, in the order of the numbers. */
export async function listNumberOwners(
  db: Db,
  connectionId: string,
  phoneNumbers: readonly string[],
): Promise<readonly NumberOwner[]> {
  type Row = Ledger & Pick<NumberOwner, 'phoneNumber' | 'tenantId'>;
  const rows = await db.query<Row>(LIST, [connectionId, phoneNumbers]);
  return rows
    .map(({ phoneNumber, tenantId, ...ledger }) => ({ phoneNumber, tenantId, ledger }))
    .toSorted((owner, other) => phoneNumbers.indexOf(owner.phoneNumber) - phoneNumbers.indexOf(other.phoneNumber));
}

const FILTER = statement(
  'live_numbers_filter',
  `select n.phone_number as "phoneNumber" from live_numbers n
   join phone_numbers p on p.ledger_id = n.ledger_id and p.id = n.number_id
   where n.phone_number = any($2) and ${IS_OF_CONNECTION}`,
);

/** Returns the given numbers (E.164) that live ledgers have through the connection. */
export async function filterLiveNumbers(
  db: Db,
  connectionId: string,
  phoneNumbers: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await db.query<{ phoneNumber: string }>(FILTER, [connectionId, phoneNumbers]);
  return new Set(rows.map(({ phoneNumber }) => phoneNumber));
}
