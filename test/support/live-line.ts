/** A live ledger with a number that exists at no carrier. */
import type { Harness } from './harness.ts';
import { sql } from './jobs.ts';

/** The id and the E.164 form of the number. */
export const LIVE_NUMBER = { id: 'num_live', phone_number: '+16025550199' } as const;

/** Creates a live number that can call, with a balance. */
export async function openLiveLine({
  context,
  call,
  account,
}: Harness): Promise<{ ledgerId: number; tenantId: string }> {
  const key = account.live_key;
  const tenant = await call('POST', '/v1/tenants', { key, body: { name: 'Live' } });
  const tenantId: string = tenant.body.id;
  const [row] = await sql<{ ledger_id: number }>(context.db, 'select ledger_id from tenants where id = $1', [tenantId]);
  const ledgerId = row?.ledger_id as number;
  await sql(
    context.db,
    `insert into phone_numbers (ledger_id, id, tenant_id, phone_number, status, capabilities, created_at,
       voice_connection_id)
     values ($1, $3, $2, $4, 'active', '{sms,voice}', now(), carrier_default($1, 'voice'))`,
    [ledgerId, tenantId, LIVE_NUMBER.id, LIVE_NUMBER.phone_number],
  );
  await sql(context.db, 'insert into balances (ledger_id, amount_micros) values ($1, 90000000)', [ledgerId]);
  return { ledgerId, tenantId };
}
