import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCursor, readMomentCursor, readRange, toPage, writeCursor } from './pagination.ts';

const startOf = (start: string) => readRange({ start }).start?.toISOString();

test('a space before an offset is read as a plus sign', () => {
  assert.equal(startOf('2026-11-01T00:00:00 00:00'), '2026-11-01T00:00:00.000Z');
  assert.equal(startOf('2026-11-01T00:00:00.5 05:30'), '2026-10-31T18:30:00.500Z');
  assert.equal(startOf('2026-11-01 00:00:00 02:00'), '2026-10-31T22:00:00.000Z');
  assert.equal(startOf('2026-11-01T00:00:00+02:00'), '2026-10-31T22:00:00.000Z');
  assert.equal(startOf('2026-11-01T00:00:00-02:00'), '2026-11-01T02:00:00.000Z');
  assert.deepEqual(readRange({ end: '2026-11-01T00:00:00 00:00' }).end, new Date('2026-11-01T00:00:00Z'));
});

test('a space elsewhere stays a space, and no day has an hour 24', () => {
  for (const start of [
    '2026-11-01 00:00',
    '2026-11-01 00:00:00',
    '2026-11-01T00:00:00  00:00',
    '2026-11-01T00:00:00 0',
    '2026-11-01T24:00:00Z',
  ]) {
    assert.throws(() => startOf(start), { code: 'invalid_start' }, start);
  }
});

const REFUSED = { code: 'invalid_cursor', param: 'after' };
const AT = '2026-11-20T09:00:00.000123Z';

test('the cursor of a page is read as the position of its last row', () => {
  const { next_cursor } = toPage('things', [{ id: 'a' }, { id: 'b' }], 1, ({ id }) => [AT, id]);
  assert.deepEqual(readMomentCursor('things', 2, next_cursor as string), [AT, 'a']);
});

test('a page that holds all rows has none after it, and a row more makes another page', () => {
  const rows = [{ id: 'a' }, { id: 'b' }];
  const pageOf = (limit: number) => toPage('things', rows, limit, ({ id }) => [id]);
  assert.deepEqual(pageOf(2), { data: rows, has_more: false, next_cursor: null });
  assert.deepEqual([pageOf(1).data, pageOf(1).has_more], [[{ id: 'a' }], true]);
});

test('a damaged cursor is refused, wherever it is damaged', () => {
  const cursor = writeCursor(['things', 'thing_01m7ymdneje0099t4p6kzbswy2']);
  for (let at = 0; at < cursor.length; at++) {
    const other = cursor[at] === 'A' ? 'B' : 'A';
    for (const damaged of [
      cursor.slice(0, at) + cursor.slice(at + 1),
      cursor.slice(0, at) + other + cursor.slice(at + 1),
      `${cursor.slice(0, at)}%${cursor.slice(at)}`,
    ]) {
      assert.throws(() => readCursor('things', 1, damaged), REFUSED, damaged);
    }
  }
});

test('a cursor of another list, or of another order, is refused', () => {
  assert.throws(() => readCursor('things', 1, writeCursor(['others', 'x'])), REFUSED);
  assert.throws(() => readCursor('things', 1, writeCursor(['things', AT, 'x'])), REFUSED);
});

test('a moment that the database cannot hold is refused', () => {
  for (const at of [
    '0000-01-01T00:00:00.000000Z',
    '2026-02-30T00:00:00.000000Z',
    '2026-13-01T00:00:00.000000Z',
    '2026-01-01T24:00:00.000000Z',
    '2026-01-01T00:00:00Z',
    'infinity',
  ]) {
    assert.throws(() => readMomentCursor('things', 2, writeCursor(['things', at, 'x'])), REFUSED, at);
  }
});
