import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectTests } from './changed.ts';

const GRAPH = new Map(
  Object.entries({
    'src/server/compose.ts': ['src/domain/a/index.ts', 'src/domain/b/index.ts'],
    'src/domain/a/index.ts': ['src/domain/a/rules.ts', 'src/domain/a/one/queries.ts'],
    'src/domain/a/rules.ts': ['src/lib/time/moments.ts'],
    'src/domain/a/rules.test.ts': ['src/domain/a/rules.ts'],
    'src/domain/a/one/api.test.ts': ['test/support/harness.ts'],
    'src/domain/b/api.test.ts': ['test/support/harness.ts'],
    'test/support/harness.ts': ['src/server/compose.ts'],
    'test/wire/server.test.ts': ['test/wire/process.ts'],
    'test/wire/process.ts': ['test/wire/program.ts'],
    'test/deploy/files.test.ts': ['deploy/ha/'],
  }).map(([path, used]) => [path, new Set(used)] as const),
);
const TESTS = [...[...GRAPH.keys()].filter((path) => path.endsWith('.test.ts')), 'test/scenarios/docs.test.ts'];
const selected = (...changed: string[]) => selectTests(changed, TESTS, GRAPH);

test('a changed file selects the tests that import it, also through other files', () => {
  assert.deepEqual(selected('src/lib/time/moments.ts'), ['src/domain/a/rules.test.ts']);
  assert.deepEqual(selected('test/wire/program.ts'), ['test/wire/server.test.ts']);
});

test('a changed file selects the tests of its folder, which use it over the API', () => {
  assert.deepEqual(selected('src/domain/a/one/queries.ts'), ['src/domain/a/one/api.test.ts']);
});

test('a start of the whole product leads to all files of it, and selects nothing by that', () => {
  assert.ok(!selected('src/domain/a/rules.ts').includes('src/domain/b/api.test.ts'));
  assert.deepEqual(selected('src/server/compose.ts'), ['src/domain/a/one/api.test.ts', 'src/domain/b/api.test.ts']);
});

test('a changed test selects itself, and a changed support file every test that it serves', () => {
  assert.deepEqual(selected('test/deploy/files.test.ts'), ['test/deploy/files.test.ts']);
  assert.deepEqual(selected('test/support/harness.ts').length, 2);
});

test('a file that is read and not imported selects the tests that name its folder, or those of the table', () => {
  assert.deepEqual(selected('deploy/ha/haproxy.cfg'), ['test/deploy/files.test.ts']);
  assert.deepEqual(selected('docs/sms.md'), ['test/scenarios/docs.test.ts']);
});
