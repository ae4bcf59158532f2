import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepPrevious, ledgerKey } from '../src/api/ledger-key.ts';

const rows = ['a row'];
const show = (previous: { accountId: string; mode: 'test' | 'live' }) => {
  const key = ledgerKey({ accountId: 'acct_a', mode: 'live' }, 'tenants', 'new');
  return keepPrevious(key).placeholderData(rows, { queryKey: ledgerKey(previous, 'tenants', 'old') });
};

test('data of another key of the ledger is shown until the new data is read', () => {
  assert.equal(show({ accountId: 'acct_a', mode: 'live' }), rows);
});

test('data of the other mode or of another account is never shown', () => {
  assert.equal(show({ accountId: 'acct_a', mode: 'test' }), undefined);
  assert.equal(show({ accountId: 'acct_b', mode: 'live' }), undefined);
});
