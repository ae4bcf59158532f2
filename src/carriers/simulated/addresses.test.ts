import assert from 'node:assert/strict';
import { test } from 'node:test';
import { examineAddress } from './addresses.ts';
import { statesOfZip, zipOfState } from './zip-prefixes.ts';

const GOOD = { street: '100 N Central Ave', unit: null, city: 'Phoenix', state: 'AZ', postal_code: '85004' };

test('a ZIP code belongs to the states that its prefix lies in', () => {
  const known: [string, string[]][] = [
    ['85004', ['AZ']],
    ['10001-1234', ['NY']],
    ['00501', ['NY']],
    ['02134', ['MA']],
    ['06390', ['CT', 'NY']],
    ['20001', ['DC']],
    ['73301', ['TX']],
    ['96799', ['AS', 'HI']],
    ['99999', ['AK']],
    ['00000', []],
    ['00100', []],
    ['34012', []],
  ];
  for (const [zip, states] of known) assert.deepEqual([...statesOfZip(zip)].sort(), states, zip);
});

test('every state has a ZIP code, and an unknown state has none', () => {
  for (const state of ['AZ', 'CA', 'DC', 'GU', 'MP', 'NY', 'PR', 'VI']) {
    assert.ok(statesOfZip(zipOfState(state) ?? '').includes(state), state);
  }
  assert.deepEqual([zipOfState('AZ'), zipOfState('NY'), zipOfState('ZZ')], ['85001', '10001', undefined]);
});

test('an address is checked for its ZIP code, its state and its house number', () => {
  const reasonOf = (change: object) => examineAddress({ ...GOOD, ...change })?.reason;
  assert.equal(reasonOf({}), undefined);
  assert.equal(reasonOf({ street: 'N6W23001 Bluemound Rd', state: 'WI', postal_code: '53188' }), undefined);
  assert.equal(reasonOf({ postal_code: '00000' }), 'address_not_found');
  assert.equal(reasonOf({ postal_code: '00000-1234' }), 'address_not_found');
  for (const street of ['P.O. Box 12', 'PO box 4', 'Post Office Box 4']) assert.equal(reasonOf({ street }), 'po_box');
  assert.equal(reasonOf({ state: 'ZZ' }), 'state_mismatch');
  assert.equal(reasonOf({ street: 'Main St' }), 'house_number_missing');
});
