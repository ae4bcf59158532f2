/**
 * The guarantee about money, for any operations in any order, also concurrent, repeated, or in transactions that fail:
 * a balance is the sum of its entries, each effect is charged once, and nothing is ever charged in test mode.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { openJobsDatabase, sql } from '../../../../test/support/jobs.ts';
import { checkProperty } from '../../../../test/support/property.ts';
import type { Tx } from '../../../db/database.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { now } from '../../../lib/time/time.ts';
import { FEE_MICROS, type FeeKind, RATED_KINDS, type RatedKind } from '../kinds.ts';
import { STANDARD_PRICES } from '../prices.ts';
import { meterUsage } from '../usage/meter-usage.ts';
import { rollUpUsage } from '../usage/queries.ts';
import { chargeAllUsage } from './charge-usage.ts';
import { creditAccount } from './credit-account.ts';
import { chargeFee } from './post-entries.ts';

let database: Awaited<ReturnType<typeof openJobsDatabase>>;
let accounts = 1;
before(async () => {
  database = await openJobsDatabase();
});
after(() => database.close());

type Ledgers = { live: Ledger; test: Ledger };

async function newAccount(): Promise<Ledgers> {
  const accountId = `acct_p${accounts++}`;
  await sql(database.db, 'insert into accounts (id, name) values ($1, $1)', [accountId]);
  const rows = await sql<{ id: number; mode: 'live' | 'test' }>(
    database.db,
    `insert into ledgers (account_id, mode) values ($1, 'live'), ($1, 'test') returning id, mode`,
    [accountId],
  );
  const ledger = (mode: 'live' | 'test') => ({
    ledgerId: rows.find((row) => row.mode === mode)?.id as number,
    accountId,
    mode,
  });
  return { live: ledger('live'), test: ledger('test') };
}

const reference = fc.integer({ min: 1, max: 8 }).map((n) => `ref_${n}`);
const crashes = fc.boolean();
const operation = fc.oneof(
  fc.record({
    do: fc.constant('credit' as const),
    reference,
    micros: fc.bigInt({ min: 1n, max: 60_000_000n }),
    crashes,
  }),
  fc.record({
    do: fc.constant('fee' as const),
    kind: fc.constantFrom<FeeKind>('brand_registration', 'campaign_month'),
    reference,
    mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
    crashes,
  }),
  fc.record({
    do: fc.constant('meter' as const),
    kind: fc.constantFrom<RatedKind>(...RATED_KINDS),
    quantity: fc.integer({ min: 1, max: 50 }),
    reference,
    hoursAgo: fc.integer({ min: 0, max: 3 }),
    mode: fc.constantFrom('live' as const, 'live' as const, 'test' as const),
    crashes,
  }),
  fc.record({ do: fc.constant('rollUp' as const) }),
  fc.record({ do: fc.constant('charge' as const) }),
);
type Operation = typeof operation extends fc.Arbitrary<infer T> ? T : never;

async function carryOut(ledgers: Ledgers, each: Operation): Promise<void> {
  const { db } = database;
  if (each.do === 'rollUp') {
    await rollUpUsage(db, 3);
    return;
  }
  if (each.do === 'charge') return chargeAllUsage(db, STANDARD_PRICES);
  const work = async (tx: Tx) => {
    await effect(tx, ledgers, each);
    if (each.crashes) throw new Error('crash');
  };
  await db.transaction(work).catch((error: Error) => assert.equal(error.message, 'crash'));
}

async function effect(tx: Tx, ledgers: Ledgers, each: Exclude<Operation, { do: 'rollUp' | 'charge' }>): Promise<void> {
  if (each.do === 'credit') {
    await creditAccount(tx, ledgers.live, { amountMicros: each.micros, reference: each.reference });
    return;
  }
  const ledger = ledgers[each.mode];
  if (each.do === 'fee') {
    return chargeFee(tx, ledger, { kind: each.kind, reference: `${each.kind}:${each.reference}`, description: 'Fee' });
  }
  const at = new Date(now() - each.hoursAgo * 3_600_000);
  const { kind, quantity, reference: cause } = each;
  await meterUsage(tx, ledger.ledgerId, [{ kind, quantity, tenantId: 'tnt_1', reference: cause, at }]);
}

/** Adds up and charges all usage, including the usage of the current hour. */
async function settle({ live }: Ledgers): Promise<void> {
  const { db } = database;
  while ((await rollUpUsage(db, 100)) > 0);
  await sql(db, `update usage_hours set hour = hour - interval '10 hours' where ledger_id = $1`, [live.ledgerId]);
  await chargeAllUsage(db, STANDARD_PRICES);
}

type EntryRow = { kind: string; amount: string; balance_after: string; reference: string };

async function check({ live, test: tested }: Ledgers): Promise<EntryRow[]> {
  const { db } = database;
  const entries = await sql<EntryRow>(
    db,
    `select kind, amount_micros::text as amount, balance_after_micros::text as balance_after, reference
     from balance_entries where ledger_id = $1 order by id`,
    [live.ledgerId],
  );
  let running = 0n;
  for (const entry of entries) {
    running += BigInt(entry.amount);
    assert.equal(entry.balance_after, running.toString(), 'each entry has the resulting balance');
  }
  const [balance] = await sql<{ amount: string }>(
    db,
    'select amount_micros::text as amount from balances where ledger_id = $1',
    [live.ledgerId],
  );
  assert.equal(balance?.amount ?? '0', running.toString(), 'the balance is the sum of its entries');
  const inTest = await sql(
    db,
    `select 1 from balances where ledger_id = $1 union all select 1 from balance_entries where ledger_id = $1
     union all select 1 from usage_hours where ledger_id = $1 and (uncharged <> 0 or charges <> 0)`,
    [tested.ledgerId],
  );
  assert.deepEqual(inTest, [], 'test mode has no money');
  return entries;
}

/** Returns the cost of the committed operations, by the first effect of each reference. */
function expected(operations: readonly Operation[]): { usage: bigint; fees: bigint } {
  const seen = new Set<string>();
  const sums = { usage: 0n, fees: 0n };
  for (const each of operations) {
    if (each.do === 'rollUp' || each.do === 'charge' || each.do === 'credit') continue;
    const name = `${each.kind} ${each.reference}`;
    if (each.crashes || each.mode === 'test' || seen.has(name)) continue;
    seen.add(name);
    if (each.do === 'fee') sums.fees += FEE_MICROS[each.kind];
    else sums.usage += STANDARD_PRICES[each.kind] * BigInt(each.quantity);
  }
  return sums;
}

/** Charges the remaining usage and compares it with the cost of the operations. Returns the entries. */
async function checkCharged(ledgers: Ledgers, operations: readonly Operation[]): Promise<EntryRow[]> {
  await settle(ledgers);
  const entries = await check(ledgers);
  const total = (kinds: object) =>
    entries.filter(({ kind }) => kind in kinds).reduce((sum, { amount }) => sum - BigInt(amount), 0n);
  assert.deepEqual({ usage: total(STANDARD_PRICES), fees: total(FEE_MICROS) }, expected(operations));
  return entries;
}

test('in sequence: the balance is the sum of its entries, and each effect is charged once', async () => {
  await checkProperty(
    fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 25 }), async (operations) => {
      const ledgers = await newAccount();
      for (const each of operations) {
        await carryOut(ledgers, each);
        await check(ledgers);
      }
      await checkCharged(ledgers, operations);
    }),
    { runs: 40 },
  );
});

test('concurrent, with repeats: the balance is the sum of its entries, and each effect is charged once', async () => {
  await checkProperty(
    fc.asyncProperty(fc.array(operation, { minLength: 10, maxLength: 40 }), async (operations) => {
      // Any of several concurrent repeats may be the first, so each reference has one amount here.
      const same = operations.map((each) => (each.do === 'meter' ? { ...each, quantity: 7 } : each));
      const ledgers = await newAccount();
      await Promise.all(same.flatMap((each) => [each, each]).map((each) => carryOut(ledgers, each)));
      await check(ledgers);
      const entries = await checkCharged(ledgers, same);
      const references = entries.map((entry) => entry.reference);
      assert.equal(new Set(references).size, references.length);
    }),
    { runs: 25 },
  );
});
