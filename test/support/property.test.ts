import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { character, checkProperty } from './property.ts';

/** Returns the values that a property was checked with. */
function valuesOf(options?: Parameters<typeof checkProperty>[1]): number[] {
  const values: number[] = [];
  checkProperty(
    fc.property(fc.integer(), (value) => {
      values.push(value);
    }),
    options,
  );
  return values;
}

const isSmall = fc.property(fc.nat(), (value) => value < 1_000);

/** Returns the text of the refusal. */
function refusalOf(check: () => void): string {
  try {
    check();
  } catch (error) {
    if (error instanceof Error) return error.message;
    throw error;
  }
  return assert.fail('the property holds');
}

test('a property is checked with the same values in every run', () => {
  assert.equal(valuesOf().length, 100);
  assert.deepEqual(valuesOf(), valuesOf());
  assert.deepEqual(valuesOf({ runs: 7 }), valuesOf().slice(0, 7));
  assert.deepEqual(valuesOf({ runs: 7, seeds: [2] }).slice(0, 7), valuesOf({ runs: 7 }));
  assert.equal(new Set(valuesOf({ seeds: [2] })).size > 150, true, 'another seed draws other values');
});

test('a failure names its case, and the added case begins with the value that failed', () => {
  const [, seed, path] = /seeds: \[\.\.\., \{ seed: (\d+), path: '([\d:]+)' \}\]$/.exec(
    refusalOf(() => checkProperty(isSmall)),
  ) as RegExpExecArray;
  const values: number[] = [];
  const found = { seed: Number(seed), path: path as string };
  const noted = fc.property(fc.nat(), (value) => {
    values.push(value);
  });
  checkProperty(noted, { runs: 10, seeds: [found] });
  assert.equal(values[10], 1_000, 'the smallest value that fails');
});

test('a counterexample is reported as it was drawn if it is not to be shrunk', () => {
  const drawn: number[] = [];
  const property = fc.property(fc.nat(), (value) => {
    drawn.push(value);
    return value < 1_000;
  });
  const text = refusalOf(() => checkProperty(property, { shrinks: false }));
  assert.match(text, new RegExp(`Counterexample: \\[${drawn.at(-1)}\\]`));
});

test('an asynchronous property is refused too', async () => {
  const property = fc.asyncProperty(fc.nat(), async (value) => {
    await Promise.resolve();
    return value < 1_000;
  });
  await assert.rejects(checkProperty(property), /The case to add to the property/);
});

test('an exploring run draws new values every time, and finds what fails', () => {
  process.env['DIALPLANE_TEST_EXPLORE_MS'] = '1';
  try {
    assert.notDeepEqual(valuesOf(), valuesOf());
    assert.match(
      refusalOf(() => checkProperty(isSmall)),
      /Counterexample: \[1000\]/,
    );
  } finally {
    delete process.env['DIALPLANE_TEST_EXPLORE_MS'];
  }
});

/** These calls use new seeds in every run. */
const DRAWS = /\bfc\.(?:assert|check|sample|statistics)\(/;
const USES_IT = new Set(['test/support/property.ts', 'test/support/property.test.ts']);

test('no test draws values past the written seeds', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const files = globSync('{src,test,scripts,packages/*/test}/**/*.ts', { cwd: root });
  assert.ok(files.length > 1_000);
  const found = files.filter((file) => !USES_IT.has(file) && DRAWS.test(readFileSync(`${root}/${file}`, 'utf8')));
  assert.deepEqual(found, []);
});

test('a character is any of Unicode, and no half of a pair', () => {
  const isDrawn = (value: string) => character.canShrinkWithoutContext(value);
  for (const value of ['\0', 'a', '\ud7ff', '\ue000', '😀', '\u{10ffff}']) assert.ok(isDrawn(value), value);
  for (const value of ['', 'ab', '\ud800', '\udfff', 'e\u0301']) assert.ok(!isDrawn(value), value);
});
