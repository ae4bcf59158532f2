import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readNumber } from '../../packages/embeds/src/read-number.ts';

test('the embedded telephone and inbox read a pasted number, whatever stands between its digits', () => {
  for (const text of [
    '(602) 555-0143',
    '\u202a+1 602\u2011555\u22120143\u202c',
    '６０２５５５０１４３',
    '602\u00ad555\u200b0143',
  ])
    assert.equal(readNumber(text), '+16025550143', JSON.stringify(text));
  assert.equal(readNumber('９１１'), '911');
});
