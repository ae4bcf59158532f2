import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeNumber } from './numbers.ts';

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
