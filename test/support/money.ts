import type { Context } from '../../src/context.ts';
import { listLedgers } from '../../src/domain/accounts/index.ts';
import { creditAccount } from '../../src/domain/billing/index.ts';
import { parseUsd } from '../../src/lib/money.ts';
import type { Ledger, Mode } from '../../src/lib/scope.ts';
import { type Harness, type HarnessOptions, useHarness } from './harness.ts';
import { makeLine } from './numbers.ts';

/** A harness, or another product with an account. */
type Funded = Pick<Harness, 'account'> & { readonly context: Pick<Context, 'db'> };

/** Returns a ledger of the harness's account, or of another account. */
export async function ledgerOf({ context, account }: Funded, mode: Mode, accountId = account.id): Promise<Ledger> {
  const found = (await listLedgers(context.db, accountId)).find((ledger) => ledger.mode === mode);
  return { ledgerId: found?.id as number, accountId, mode };
}

/** Credits an account so that its live key can buy and send. Returns its live ledger. */
export async function fund(harness: Funded, amountUsd = '1000', accountId = harness.account.id): Promise<Ledger> {
  const ledger = await ledgerOf(harness, 'live', accountId);
  const amountMicros = parseUsd(amountUsd) as bigint;
  await harness.context.db.transaction((tx) => creditAccount(tx, ledger, { amountMicros }));
  return ledger;
}

/**
 * Starts a product whose live carrier is the simulated one, with a funded account and a live number that may text, for
 * the tests of the file.
 */
export async function useLiveLine(options: HarnessOptions = {}) {
  const harness = await useHarness({ liveCarrier: ({ simulated }) => simulated, ...options });
  const key = harness.account.live_key;
  await fund(harness);
  const { tenantId, number } = await makeLine(harness, key);
  await clearForTexts(harness, number.id);
  return { harness, key, tenantId, from: number.id };
}

/** Attaches a live number to an approved campaign. This is the state after a complete registration. */
export async function clearForTexts({ context }: Pick<Funded, 'context'>, numberId: string): Promise<void> {
  await context.db.query(
    {
      name: '',
      text: `with number as (select * from phone_numbers where id = $1), brand as (
         insert into brands (ledger_id, id, tenant_id, legal_name, ein, ein_last4, entity_type, contact_email, phone,
           street, city, state, postal_code, status, created_at)
         select ledger_id, 'brd_' || id, tenant_id, 'Tenant', '', '6789', 'private_company', 'a@example.com',
           '+16025550100', '1 Main St', 'Phoenix', 'AZ', '85004', 'vetted', now() from number
       ), campaign as (
         insert into campaigns (ledger_id, id, tenant_id, brand_id, use_case, description, sample_messages,
           opt_in_description, status, messages_per_minute, daily_cap, created_at, submitted_at)
         select ledger_id, 'cmp_' || id, tenant_id, 'brd_' || id, 'mixed', 'Texts', '{one,two}', 'They ask for it.',
           'approved', 240, 2000, now(), now() from number
         returning id
       )
       update phone_numbers p set campaign_id = c.id from campaign c where p.id = $1`,
    },
    [numberId],
  );
}
