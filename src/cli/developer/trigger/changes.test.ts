import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyChanges, readChange } from './changes.ts';

const BODY = { body: 'Hello', count: 1, place: { city: 'Phoenix' }, phone_numbers: ['+16025550100'] };
const change = (...texts: string[]) => applyChanges(BODY, texts.map(readChange));

test('a change replaces a field, also one inside another or in a list', () => {
  assert.deepEqual(change('body=a=b', 'place.city=Mesa', 'phone_numbers.0=+16025550199', 'phone_numbers.1=+1602'), {
    body: 'a=b',
    count: 1,
    place: { city: 'Mesa' },
    phone_numbers: ['+16025550199', '+1602'],
  });
  assert.equal(BODY.place.city, 'Phoenix', 'the body before is unchanged');
});

test('a text stays a text, and other values are read as JSON', () => {
  const { body, count, added, flag, none } = change('body=12', 'count=2', 'added=new', 'flag=true', 'none=null');
  assert.deepEqual([body, count, added, flag, none], ['12', 2, 'new', true, null]);
  assert.deepEqual(change('metadata.order=7')['metadata'], { order: 7 });
});

test('what is no change, and a position outside of a list, are refused', () => {
  for (const text of ['body', '=x', 'place..city=x', 'phone_numbers.5=x', 'phone_numbers.one=x']) {
    assert.throws(() => change(text), /--set/, text);
  }
});
