import assert from 'node:assert/strict';
import { test } from 'node:test';
import { skip } from '../../../test/support/stepping-time.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { createBodyAdmission } from './body-admission.ts';
import { createUnverifiedBodies } from './unverified-bodies.ts';

function admission() {
  const refused: string[] = [];
  const options = { totalBytesMax: 100, accountBytesMax: 40, waitingMax: 2, waitMs: 15_000 };
  const bodies = createBodyAdmission(options, (bound) => refused.push(bound));
  const entered: string[] = [];
  const enter = async (account: string, bytes: number) => {
    const release = await bodies.enter(account, bytes);
    entered.push(`${account} ${bytes}`);
    return release;
  };
  return { enter, entered, refused };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('an account that holds its share waits, and delays no other account', async () => {
  const { enter, entered } = admission();
  const [first] = [await enter('a', 30), await enter('a', 10)];
  const third = enter('a', 30);
  await enter('b', 40);
  assert.deepEqual(entered, ['a 30', 'a 10', 'b 40']);
  first();
  await third;
  assert.equal(entered.at(-1), 'a 30');
});

test('a second release of one body frees nothing', async () => {
  const { enter, entered } = admission();
  const release = await enter('a', 20);
  await enter('a', 20);
  release();
  release();
  await enter('a', 20);
  void enter('a', 20).catch(() => undefined);
  await turn();
  assert.deepEqual(entered, ['a 20', 'a 20', 'a 20']);
});

test('while the total is held, a large body is not overtaken by small ones for ever', async () => {
  const { enter, entered } = admission();
  const releases = [await enter('a', 40), await enter('b', 40)];
  const large = enter('c', 40);
  const small = enter('d', 20);
  await turn();
  assert.deepEqual(entered, ['a 40', 'b 40']);
  for (const release of releases) release();
  await Promise.all([large, small]);
  assert.deepEqual(entered.slice(2), ['c 40', 'd 20']);
});

test('a body that waits for 15 s, or behind too many of its account, is refused, and the bound is reported', async () => {
  const { enter, refused } = admission();
  await enter('a', 40);
  const waiting = [enter('a', 1), enter('a', 1)];
  const isRefusal = (error: unknown) => error instanceof ApiError && error.code === 'rate_limited';
  await assert.rejects(enter('a', 1), isRefusal);
  const results = Promise.allSettled(waiting);
  await skip(15_000);
  assert.deepEqual(
    (await results).map((result) => result.status === 'rejected' && isRefusal(result.reason)),
    [true, true],
  );
  assert.deepEqual(refused, ['account', 'account', 'account']);
});

function unverified() {
  const bounds: string[] = [];
  const refused: string[] = [];
  const limits = { totalBytesMax: 100, addressBytesMax: 40, connectionBytesMax: 60 };
  const bodies = createUnverifiedBodies(limits, (bound) => bounds.push(bound));
  const open = (name: string, address: string, connection?: string) =>
    bodies.open({ address, connection }, () => refused.push(name));
  return { open, bounds, refused };
}

test('an address beyond its share loses the body that grows, and frees its bytes', () => {
  const { open, bounds, refused } = unverified();
  const [first, second] = [open('first', '192.0.2.1'), open('second', '192.0.2.1')];
  first.add(40);
  second.add(1);
  assert.deepEqual([bounds, refused], [['address'], ['second']]);
  open('other', '192.0.2.2').add(40);
  first.close();
  open('third', '192.0.2.1').add(40);
  assert.deepEqual(refused, ['second']);
});

test('beyond the share of a connection, the address that holds most pays, and other connections do not', () => {
  const { open, bounds, refused } = unverified();
  open('other', '192.0.2.9', 'ccn_2').add(40);
  open('greedy 1', '192.0.2.1', 'ccn_1').add(15);
  open('greedy 2', '192.0.2.1', 'ccn_1').add(20);
  open('honest', '192.0.2.2', 'ccn_1').add(26);
  assert.deepEqual([bounds, refused], [['connection'], ['greedy 2']]);
});

test('beyond the total the largest body of the address that holds most is refused', () => {
  const { open, bounds, refused } = unverified();
  open('greedy', '192.0.2.1').add(40);
  open('second', '192.0.2.2').add(35);
  open('honest', '192.0.2.3').add(26);
  assert.deepEqual([bounds, refused], [['total'], ['greedy']]);
});

test('a body that has arrived counts until its exchange ends, and is not refused', () => {
  const { open, refused } = unverified();
  const arrived = open('arrived', '192.0.2.1');
  arrived.add(40);
  arrived.complete();
  open('next', '192.0.2.1').add(1);
  assert.deepEqual(refused, ['next']);
  arrived.close();
  arrived.close();
  open('after', '192.0.2.1').add(40);
  assert.deepEqual(refused, ['next']);
});
