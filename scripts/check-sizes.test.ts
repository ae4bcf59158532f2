import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { measureSizes } from './check-sizes.ts';

const lines = (count: number) => Array.from({ length: count }, (_, index) => `  step(${index});`).join('\n');

function failures(text: string, path = 'src/lib/a.ts'): string[] {
  return measureSizes(new Map([[path, text]]), {}).failures;
}

describe('a file', () => {
  const report = (count: number, path = 'src/lib/a.ts', exempt = {}) =>
    measureSizes(new Map([[path, '// line\n'.repeat(count)]]), exempt);

  test('passes silently up to 300 lines', () => {
    assert.deepEqual(report(300), { failures: [], warnings: [] });
  });
  test('is named in a warning from 301 lines', () => {
    assert.deepEqual(report(301), { failures: [], warnings: ['src/lib/a.ts has 301 lines, 300 is the aim'] });
    assert.deepEqual(report(400).failures, []);
  });
  test('of tests is not warned about', () => {
    assert.deepEqual(report(400, 'src/lib/a.test.ts'), { failures: [], warnings: [] });
  });
  test('fails from 401 lines, tests and modules too', () => {
    for (const path of ['src/lib/a.ts', 'src/lib/a.test.ts', 'bin/a.mjs']) {
      assert.deepEqual(report(401, path).failures, [`${path} has 401 lines, the limit is 400`]);
    }
  });
  test('on the list of exceptions may be longer', () => {
    assert.deepEqual(report(401, 'src/lib/a.ts', { 'src/lib/a.ts': 'a table' }).failures, []);
  });
  test('may not stay on the list when it got short or went away', () => {
    assert.equal(report(400, 'src/lib/a.ts', { 'src/lib/a.ts': 'a table' }).failures.length, 1);
    assert.equal(report(10, 'src/lib/a.ts', { 'src/lib/b.ts': 'a table' }).failures.length, 1);
  });
});

describe('a function', () => {
  test('of 60 lines passes, of 61 fails, whatever its form', () => {
    const forms: ((body: string) => string)[] = [
      (body) => `export function act() {\n${body}\n}`,
      (body) => `export const act = async () => {\n${body}\n};`,
      (body) => `export class Act {\n  act() {\n${body}\n  }\n}`,
      (body) => `/** Comment\n * above. */\nexport const act = {\n  act() {\n${body}\n  },\n};`,
    ];
    for (const form of forms) {
      assert.deepEqual(failures(form(lines(58))), []);
      assert.equal(failures(form(lines(59))).length, 1, form(''));
    }
  });

  test('is named with its line', () => {
    const text = `const one = 1;\nexport function act() {\n${lines(60)}\n}`;
    assert.deepEqual(failures(text), ['src/lib/a.ts:2 act has 62 lines, the limit is 60']);
  });

  test('that declares others counts its own lines only', () => {
    const declared = [
      `function inner() {\n${lines(40)}\n}`,
      `const inner = () => {\n${lines(40)}\n};`,
      `app.get('/x', async () => {\n${lines(40)}\n});`,
    ];
    for (const text of declared) {
      assert.deepEqual(failures(`export function act() {\n${text}\n${text}\n}`), []);
      assert.equal(failures(`export function act() {\n${text}\n${lines(58)}\n}`).length, 1);
    }
    assert.deepEqual(failures(`export function act() {\n  return {\n    a() {\n${lines(58)}\n    },\n  };\n}`), []);
  });

  test('that is declared inside another is judged too', () => {
    assert.equal(failures(`export function act() {\n  function inner() {\n${lines(60)}\n}\n}`).length, 1);
  });

  test('counts a callback that is part of its flow', () => {
    const text = (count: number) => `export function act() {\n  return run(async () => {\n${lines(count)}\n  });\n}`;
    assert.deepEqual(failures(text(56)), []);
    assert.deepEqual(failures(text(57)), ['src/lib/a.ts:1 act has 61 lines, the limit is 60']);
  });

  test('takes at most four parameters', () => {
    assert.deepEqual(failures('export function act(a: A, b: B, c: C, d: D) {}'), []);
    assert.equal(failures('export function act(a: A, b: B, c: C, d: D, e: E) {}').length, 1);
    assert.equal(failures('export const act = (a: A, b: B, c: C, d: D, e: E) => a;').length, 1);
  });

  test('of a test may be long', () => {
    assert.deepEqual(failures(`function story() {\n${lines(100)}\n}`, 'src/lib/a.test.ts'), []);
  });
});
