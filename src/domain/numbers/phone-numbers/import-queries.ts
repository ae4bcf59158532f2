/** The statements of numbers that operators bring, and of the connections that they choose for numbers. */
import type { CarrierCapability } from '../../../carriers/ports/carrier.ts';
import type { Capability } from '../../../carriers/ports/numbers.ts';
import type { Tx } from '../../../db/database.ts';
import { statement } from '../../../db/statement.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { NUMBER_COLUMNS } from './queries.ts';
import type { PhoneNumber } from './schema.ts';

// connection_id and carrier_ref stay null: the number was not ordered, and is not released at a carrier.
const INSERT = statement(
  'phone_numbers_insert_imported',
  `insert into phone_numbers as p
     (ledger_id, id, tenant_id, phone_number, status, capabilities, messaging_connection_id, voice_connection_id,
      created_at)
   values ($1, $2, $3, $4, 'active', $5, $6, $7, ledger_now($1)) returning ${NUMBER_COLUMNS}`,
);

type Imported = {
  readonly id: string;
  readonly tenantId: string;
  readonly phoneNumber: string;
  readonly connectionId: string;
  readonly capabilities: readonly Capability[];
};

export async function insertImportedNumber(tx: Tx, { ledgerId }: Ledger, number: Imported): Promise<PhoneNumber> {
  const { id, tenantId, phoneNumber, connectionId, capabilities } = number;
  const texts = capabilities.includes('sms') ? connectionId : null;
  const calls = capabilities.includes('voice') ? connectionId : null;
  const [row] = await tx.query<PhoneNumber>(INSERT, [ledgerId, id, tenantId, phoneNumber, capabilities, texts, calls]);
  return row as PhoneNumber;
}

const HOLDERS = statement(
  'live_numbers_list_holders',
  `select n.phone_number, p.tenant_id
   from live_numbers n join phone_numbers p on p.ledger_id = n.ledger_id and p.id = n.number_id
   where n.phone_number = any($1::text[])`,
);

/** Returns the tenant of each of the numbers that any live ledger has. */
export async function listNumberHolders(tx: Tx, phoneNumbers: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ phone_number: string; tenant_id: string }>(HOLDERS, [phoneNumbers]);
  return new Map(rows.map((row) => [row.phone_number, row.tenant_id]));
}

const adoption = (column: string) =>
  statement(
    `phone_numbers_adopt_${column}`,
    `with adopted as (
       update phone_numbers p set ${column} = $1 from ledgers l
       where l.id = p.ledger_id and l.mode = 'live' and ($2::text is null or l.account_id = $2)
         and p.${column} is null and p.status <> 'released'
       returning 1
     )
     select count(*)::int as count from adopted`,
    { timeoutMs: 600_000 },
  );

const ADOPTIONS: Partial<Record<CarrierCapability, ReturnType<typeof adoption>>> = {
  messaging: adoption('messaging_connection_id'),
  voice: adoption('voice_connection_id'),
};

/**
 * Assigns the connection to live numbers that have none for the capability, because there was no default when they were
 * added. `accountId` null: numbers of all accounts. Returns the count.
 */
export async function adoptNumbers(
  tx: Tx,
  {
    capability,
    accountId,
    connectionId,
  }: { capability: CarrierCapability; accountId: string | null; connectionId: string },
): Promise<number> {
  const adopt = ADOPTIONS[capability];
  if (adopt === undefined) return 0;
  const [row] = await tx.query<{ count: number }>(adopt, [connectionId, accountId]);
  return row?.count ?? 0;
}
