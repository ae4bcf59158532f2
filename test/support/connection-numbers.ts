import type { Db } from '../../src/db/database.ts';
import { newId } from '../../src/lib/ids.ts';
import { sql } from './jobs.ts';

/** The facts of a number that adapters look up: its ledger, and the connection for its texts and calls. */
type ConnectionNumber = { readonly ledgerId: number; readonly phoneNumber: string; readonly connectionId: string };

/** Makes a number of a connection, with a new tenant. For tests without a product that makes numbers. */
export async function addConnectionNumber(db: Db, number: ConnectionNumber): Promise<void> {
  const { ledgerId, phoneNumber, connectionId } = number;
  const [tenantId, id] = [newId('tenant'), newId('phone_number')];
  await sql(
    db,
    `insert into carrier_connections (id, kind, name, settings, credentials) values ($1, 'none', $1, '{}', '')
     on conflict do nothing`,
    [connectionId],
  );
  await sql(
    db,
    `with tenant as (
       insert into tenants (ledger_id, id, name, timezone, created_at) values ($1, $2, 'Test', 'UTC', now())
     ), entry as (
       insert into live_numbers (phone_number, ledger_id, number_id) values ($4, $1, $3)
     )
     insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at,
       messaging_connection_id, voice_connection_id)
     values ($1, $3, $2, $4, 'active', '{sms,voice}', now(), $5, $5)`,
    [ledgerId, tenantId, id, phoneNumber, connectionId],
  );
}
