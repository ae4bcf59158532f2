import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { pino } from 'pino';
import { cloneDatabase } from '../../../test/support/database.ts';
import { openDatabase } from '../../db/database.ts';
import { createAccount, listLedgers } from '../../domain/accounts/index.ts';
import { newId } from '../../lib/ids.ts';
import type { Ledger } from '../../lib/scope.ts';
import { createSimulatedNumbers } from './numbers.ts';

async function makeSubject() {
  const database = await cloneDatabase();
  const db = openDatabase({ url: database.url, connectionsMax: 10, log: pino({ level: 'silent' }) });
  const close = async () => {
    await db.close();
    await database.drop();
  };
  const newLedger = async (): Promise<Ledger> => {
    const account = await db.transaction((tx) => createAccount(tx, 'Account'));
    const ledger = (await listLedgers(db, account.id)).find(({ mode }) => mode === 'test');
    return { ledgerId: ledger?.id ?? 0, accountId: account.id, mode: 'test' };
  };
  return { numbers: createSimulatedNumbers(db), ledger: await newLedger(), newLedger, close };
}

let subject: Awaited<ReturnType<typeof makeSubject>>;
before(async () => {
  subject = await makeSubject();
});
after(() => subject.close());

const order = (ledger: Ledger, phoneNumber: string) =>
  subject.numbers.order(ledger, { ref: newId('phone_number'), phoneNumber, tenant: { id: 'tnt_x', name: 'Tenant' } });

test('a released number is not sold again in its ledger', async () => {
  const { numbers, ledger } = subject;
  const phoneNumber = '+16022345678';
  const outcome = await order(ledger, phoneNumber);
  if (outcome.outcome !== 'accepted') assert.fail(`the order was ${outcome.outcome}`);
  await numbers.release(ledger, { phoneNumber, carrierRef: outcome.carrierRef });
  assert.equal((await order(ledger, phoneNumber)).outcome, 'rejected');
  assert.deepEqual(await numbers.search(ledger, { contains: '6022345678', limit: 5 }), []);
});

test('a number bought in one ledger is still on sale in another', async () => {
  const other = await subject.newLedger();
  const phoneNumber = '+16022345679';
  assert.equal((await order(subject.ledger, phoneNumber)).outcome, 'accepted');
  assert.equal((await subject.numbers.search(other, { contains: '6022345679', limit: 5 })).length, 1);
  assert.equal((await order(other, phoneNumber)).outcome, 'accepted');
});

test('a number ending in 0000 is for voice only, other numbers take texts too', async () => {
  const voice = await order(subject.ledger, '+16022350000');
  const full = await order(subject.ledger, '+16022350001');
  assert.deepEqual('capabilities' in voice && voice.capabilities, ['voice']);
  assert.deepEqual('capabilities' in full && full.capabilities, ['sms', 'mms', 'voice']);
});
