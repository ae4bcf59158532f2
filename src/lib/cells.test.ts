import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CELLS_MAX, cellAudioPath, cellNumberOf, cellPath, firstLedgerId, readCellPath } from './cells.ts';

test('a ledger id names its cell, and the ids of the last cell fit into an integer of PostgreSQL', () => {
  for (let cell = 0; cell <= CELLS_MAX; cell++) {
    const first = firstLedgerId(cell);
    const last = firstLedgerId(cell + 1) - 1;
    assert.deepEqual([cellNumberOf(first), cellNumberOf(last)], [cell, cell]);
    assert.ok(last <= 2 ** 31 - 1);
  }
});

test('an address below the path of a cell is read as the name and the address in the cell', () => {
  assert.deepEqual(readCellPath(`${cellPath('west-2')}/v1/tenants?limit=1`), {
    name: 'west-2',
    rest: '/v1/tenants?limit=1',
  });
  assert.deepEqual(readCellPath(`${cellAudioPath('west')}/v1/ingest`), { name: 'west', rest: '/v1/ingest' });
  assert.deepEqual(readCellPath('/cells/west'), { name: 'west', rest: '/' });
  assert.deepEqual(readCellPath('/cells/west?x=1'), { name: 'west', rest: '/?x=1' });
  assert.deepEqual(readCellPath('/cells/a/cells/b/v1'), { name: 'a', rest: '/cells/b/v1' });
});

test('other addresses name no cell', () => {
  for (const url of [
    '/',
    '/v1/cells/west',
    '/cells',
    '/cells/',
    '/cells//v1',
    '/cells/West/v1',
    '/cells/1/v1',
    '/cells/a%2fb/v1',
    '/cellsx/west',
  ]) {
    assert.equal(readCellPath(url), undefined, url);
  }
});
