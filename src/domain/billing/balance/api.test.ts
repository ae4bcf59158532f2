import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Json } from '../../../../test/support/events.ts';
import { useHarness } from '../../../../test/support/harness.ts';
import { sql } from '../../../../test/support/jobs.ts';
import { newPerson, read, refusal, trySend } from '../../../../test/support/messages.ts';
import { clearForTexts, fund, ledgerOf } from '../../../../test/support/money.ts';
import { findOnSale, makeTenant } from '../../../../test/support/numbers.ts';
import { formatUsd } from '../../../lib/money.ts';
import type { Ledger } from '../../../lib/scope.ts';
import { now } from '../../../lib/time/time.ts';
import { STANDARD_PRICES } from '../prices.ts';
import { meterUsage } from '../usage/meter-usage.ts';
import { rollUpUsage } from '../usage/queries.ts';
import { chargeAllUsage } from './charge-usage.ts';
import { creditAccount } from './credit-account.ts';
import { chargeFee } from './post-entries.ts';
import { requireBalance } from './require-balance.ts';

// No workers: the tests themselves add up and charge usage.
const harness = await useHarness({ liveCarrier: ({ simulated }) => simulated, startWorkers: false });

type Account = { id: string; test_key: string; key: string; ledger: Ledger };

async function newAccount(balanceUsd?: string): Promise<Account> {
  const { id, test_key, live_key: key } = await harness.secondAccount();
  if (balanceUsd !== undefined) await fund(harness, balanceUsd, id);
  return { id, test_key, key, ledger: await ledgerOf(harness, 'live', id) };
}

const balanceOf = async ({ key }: Account): Promise<string> => (await read(harness, '/balance', key)).amount_usd;
const entriesOf = async ({ key }: Account, query = ''): Promise<Json[]> =>
  (await read(harness, `/balance/entries${query}`, key)).data;
const eventsOf = async ({ key }: Account): Promise<Json[]> =>
  (await read(harness, '/events?type=balance.low', key)).data;

const charge = ({ ledger }: Account, reference: string) =>
  harness.context.db.transaction((tx) =>
    chargeFee(tx, ledger, { kind: 'brand_registration', reference, description: 'Registration' }),
  );

async function use({ ledger }: Account, reference: string, quantity: number, hoursAgo: number): Promise<void> {
  const { db } = harness.context;
  const at = new Date(now() - hoursAgo * 3_600_000);
  const usage = { kind: 'sms_segment_outbound', tenantId: 'tnt_1', quantity, reference, at } as const;
  await db.transaction((tx) => meterUsage(tx, ledger.ledgerId, [usage]));
  while ((await rollUpUsage(db, 100)) > 0);
  await chargeAllUsage(db, STANDARD_PRICES);
}

test('a new account has a balance of 0 and no entries', async () => {
  const account = await newAccount();
  assert.deepEqual(await read(harness, '/balance', account.key), {
    object: 'balance',
    amount_usd: '0.00',
    currency: 'usd',
  });
  assert.deepEqual(await entriesOf(account), []);
});

test('credits and fees are entries, each with the resulting balance', async () => {
  const account = await newAccount('25.5');
  await charge(account, 'brand:1');
  assert.equal(await balanceOf(account), '21.50');
  const [fee, credit, ...rest] = await entriesOf(account);
  assert.equal(rest.length, 0);
  assert.match(fee.id, /^ble_/);
  assert.deepEqual(
    [fee.object, fee.kind, fee.amount_usd, fee.balance_after_usd, fee.reference],
    ['balance_entry', 'brand_registration', '-4.00', '21.50', 'brand:1'],
  );
  assert.deepEqual([credit.kind, credit.amount_usd, credit.balance_after_usd], ['credit', '25.50', '25.50']);
  const page = await read(harness, '/balance/entries?limit=1', account.key);
  assert.deepEqual([page.has_more, page.data[0].id], [true, fee.id]);
  assert.deepEqual(await entriesOf(account, `?limit=1&after=${page.next_cursor}`), [credit]);
});

test('a fee or a credit with a used reference is posted once', async () => {
  const account = await newAccount();
  const credit = () =>
    harness.context.db.transaction((tx) =>
      creditAccount(tx, account.ledger, { amountMicros: 30_000_000n, reference: 'wire 7' }),
    );
  assert.deepEqual((await Promise.all([credit(), credit(), credit()])).map(({ credited }) => credited).sort(), [
    false,
    false,
    true,
  ]);
  await Promise.all([charge(account, 'brand:1'), charge(account, 'brand:1')]);
  assert.equal(await balanceOf(account), '26.00');
});

test('an amount that exceeds a binary fraction or a 53-bit number stays exact', async () => {
  const account = await newAccount('900000000000.000001');
  await charge(account, 'brand:1');
  assert.equal(await balanceOf(account), '899999999996.000001');
});

test('traffic is charged once for each kind and hour, and late usage by another entry', async () => {
  const account = await newAccount('100');
  await use(account, 'a', 3, 3);
  await use(account, 'b', 2, 5);
  await use(account, 'now', 1, 0);
  const cost = (segments: bigint) => formatUsd(-segments * STANDARD_PRICES.sms_segment_outbound);
  assert.equal(await balanceOf(account), '99.9605', 'the hour that still runs is not charged yet');
  await use(account, 'late', 4, 3);
  await chargeAllUsage(harness.context.db, STANDARD_PRICES);
  const charges = (await entriesOf(account)).filter(({ kind }) => kind !== 'credit');
  assert.deepEqual(
    charges.map(({ amount_usd }) => amount_usd),
    [cost(4n), cost(2n), cost(3n)],
  );
  const [late, , first] = charges;
  assert.match(first.reference, /^usage:sms_segment_outbound:\d{4}-\d\d-\d\dT\d\d:00Z$/);
  assert.equal(late.reference, `${first.reference}:2`);
});

test('usage of the current hour is charged as soon as it uses up the balance, so that traffic stops', async () => {
  const account = await newAccount('0.1');
  await use(account, 'a', 12, 0);
  assert.equal(await balanceOf(account), '0.10');
  await use(account, 'b', 1, 0);
  assert.equal(await balanceOf(account), '-0.0027');
});

test('balance.low is emitted once each time the balance falls below 20 USD', async () => {
  const account = await newAccount('20');
  await charge(account, 'brand:1');
  await charge(account, 'brand:2');
  const events = await eventsOf(account);
  assert.equal(events.length, 1);
  const [event] = events;
  assert.deepEqual([event.tenant_id, event.resource_id], [null, account.id]);
  assert.deepEqual(event.data, { object: 'balance', amount_usd: '16.00', currency: 'usd' });
  await fund(harness, '10', account.id);
  assert.equal((await eventsOf(account)).length, 1, 'not for a credit');
  await charge(account, 'brand:3');
  assert.equal((await eventsOf(account)).length, 2);
});

test('balance.low is emitted for traffic too, before its hour is over', async () => {
  const account = await newAccount('20.01');
  await use(account, 'a', 1, 0);
  assert.equal((await eventsOf(account)).length, 0);
  await use(account, 'b', 1, 0);
  assert.equal((await eventsOf(account)).length, 1);
});

test('a purchase needs 20 USD', async () => {
  const account = await newAccount('19.999999');
  const tenant_id = await makeTenant(harness, account.key);
  const body = { tenant_id, phone_number: await findOnSale(harness, account.key) };
  const buy = () => harness.call('POST', '/v1/phone_numbers', { key: account.key, body });
  const refused = await buy();
  assert.deepEqual(refusal(refused), [402, 'insufficient_balance', undefined]);
  assert.match(refused.body.error.message, /19\.999999 USD; at least 20\.00 USD/);
  await fund(harness, '0.000001', account.id);
  assert.equal((await buy()).status, 201);
});

test('of two concurrent registrations the second sees the charge of the first', async () => {
  const account = await newAccount('20');
  const register = (reference: string) =>
    harness.context.db.transaction(async (tx) => {
      await requireBalance(tx, account.ledger, 'registration');
      await chargeFee(tx, account.ledger, { kind: 'campaign_setup', reference, description: 'Campaign' });
    });
  const outcomes = await Promise.allSettled([register('one'), register('two'), register('three')]);
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  assert.equal(await balanceOf(account), '-30.00');
});

test('a text needs a balance above 0, and the balance is checked last', async () => {
  const account = await newAccount('20');
  const tenant_id = await makeTenant(harness, account.key);
  const phone_number = await findOnSale(harness, account.key);
  const bought = await harness.call('POST', '/v1/phone_numbers', {
    key: account.key,
    body: { tenant_id, phone_number },
  });
  await clearForTexts(harness, bought.body.id);
  await sql(harness.context.db, 'update balances set amount_micros = 0 where ledger_id = $1', [
    account.ledger.ledgerId,
  ]);
  const text = { from: bought.body.id, to: newPerson(), body: 'Hi' };
  const { status, body } = await trySend(harness, text, { key: account.key });
  assert.deepEqual([status, body.error?.code, body.error?.param], [402, 'insufficient_balance', undefined]);
  const check = await harness.call('POST', '/v1/messages/check', { key: account.key, body: text });
  assert.deepEqual([check.body.accepted, check.body.error.code], [false, 'insufficient_balance']);
  const abroad = await trySend(harness, { ...text, to: '+442071838750' }, { key: account.key });
  assert.equal(abroad.body.error.code, 'destination_not_supported');
  await sql(harness.context.db, 'update balances set amount_micros = 1 where ledger_id = $1', [
    account.ledger.ledgerId,
  ]);
  assert.equal((await trySend(harness, text, { key: account.key })).status, 201);
});

test("another account's entries are not visible, and its references are independent", async () => {
  const [one, two] = [await newAccount('25'), await newAccount('30')];
  await charge(one, 'brand:1');
  await charge(two, 'brand:1');
  assert.deepEqual([await balanceOf(one), await balanceOf(two)], ['21.00', '26.00']);
  assert.equal((await entriesOf(one)).length, 2);
});

test('test mode needs no balance and has none', async () => {
  const { test_key: key } = await newAccount('50');
  assert.deepEqual(await read(harness, '/balance', key), { object: 'balance', amount_usd: '0.00', currency: 'usd' });
  assert.deepEqual((await read(harness, '/balance/entries', key)).data, []);
});

test("the balance is the account's: keys of one tenant cannot read it", async () => {
  const key = await harness.tenantKey(await makeTenant(harness));
  for (const path of ['/v1/balance', '/v1/balance/entries']) {
    assert.deepEqual(refusal(await harness.call('GET', path, { key })).slice(0, 2), [403, 'key_not_permitted']);
  }
});
