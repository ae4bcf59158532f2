import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTraceparent } from './traceparent.ts';

const VALID = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';

test('a valid header is the trace context', () => {
  assert.equal(readTraceparent(VALID), VALID);
});

for (const [what, header] of [
  ['no header', undefined],
  ['two headers', [VALID, VALID]],
  ['upper case', VALID.toUpperCase()],
  ['version ff', VALID.replace(/^00/, 'ff')],
  ['a trace id of zeros', `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`],
  ['a parent id of zeros', `00-4bf92f3577b34da6a3ce929d0e0e4736-${'0'.repeat(16)}-01`],
  ['a line break', `${VALID}\r\nX-Other: 1`],
  ['more text', `${VALID}-ff`],
] as const) {
  test(`${what} is no trace context`, () => {
    assert.equal(readTraceparent(what === 'two headers' ? [VALID, VALID] : (header as string | undefined)), null);
  });
}
