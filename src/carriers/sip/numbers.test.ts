import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCaller, readNumber, writeNumber } from './numbers.ts';

test('a number is written as its trunk takes it, and an emergency number as it is', () => {
  const written = (['e164', 'e164_plain', 'national'] as const).map((numbers) =>
    ['+13035550111', '+442079460000', '911'].map((number) => writeNumber({ numbers }, number)),
  );
  assert.deepEqual(written, [
    ['+13035550111', '+442079460000', '911'],
    ['13035550111', '442079460000', '911'],
    ['3035550111', '442079460000', '911'],
  ]);
});

test('a number is read in whatever form a trunk writes it', () => {
  for (const form of ['+13035550111', '13035550111', '3035550111', '+1 (303) 555-0111']) {
    assert.equal(readNumber(form), '+13035550111', form);
  }
  for (const form of ['', 'sales', '911', '+1303555011122334455']) assert.equal(readNumber(form), undefined, form);
});

test('a caller is E.164, a short code, or anonymous', () => {
  assert.deepEqual(['3035550111', '72345', 'anonymous', 'Restricted', ''].map(readCaller), [
    ...['+13035550111', '72345'],
    ...['anonymous', 'anonymous', 'anonymous'],
  ]);
});
