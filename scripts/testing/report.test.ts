import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { INSTALLED_BY, reasonFor } from '../../test/support/programs.ts';
import { type FileResult, newResult } from './file-result.ts';
import { runFiles, type TestFile } from './pool.ts';
import { describeFile, describeRun } from './report.ts';

/** Each file runs in a separate process. */
const ALONE = {
  passes: `
    import { describe, test } from 'node:test';
    describe('group', () => { test('first', () => console.log('noise')); test.skip('second', () => {}); });`,
  fails: `
    import { strict as assert } from 'node:assert';
    import { describe, test } from 'node:test';
    describe('group', () => { test('good', () => {}); test('bad', () => assert.deepEqual({ wanted: 1 }, { wanted: 2 })); });`,
  hook: `
    import { before, describe, test } from 'node:test';
    describe('group', () => { before(() => { throw new Error('no database'); }); test('never runs', () => {}); });`,
  closes: `
    import { after, test } from 'node:test';
    after(() => { throw new Error('a page has broken'); }); test('one', () => {});`,
  killed: `
    import { describe, test } from 'node:test';
    describe('group', () => { test('good', () => {}); test('bad', () => { throw new Error('first'); }); test('ends', () => {
      console.error('a handle is open');
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);
      return new Promise(() => {});
    }); });`,
  throws: `throw new Error('thrown at load');`,
  ends: `
    import { test } from 'node:test';
    test('ends its process', () => { console.log('on purpose'); process.exit(0); });`,
  late: `
    import { test } from 'node:test';
    test('one', () => {}); process.on('exit', () => { console.log('at the end'); process.exitCode = 3; });`,
};

/** The files run one after the other. The process of the first two ends with the failure of the second. */
const SHARED = {
  first: `
    import { afterEach, test } from 'node:test';
    globalThis.process.afterFirst = 0;
    afterEach(() => { process.afterFirst += 1; });
    test('one', () => {}); test('two', () => {});`,
  second: `
    import { strict as assert } from 'node:assert';
    import { before, test } from 'node:test';
    before(() => console.log('before second, after first', process.afterFirst));
    test('bad', () => assert.fail('wanted'));`,
  leaves: `
    import { test } from 'node:test';
    test('one', () => { process.env.LEFT = 'x'; });`,
  dies: `
    import { test } from 'node:test';
    test('kills', () => {
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);
      return new Promise(() => {});
    });`,
  next: `
    import { test } from 'node:test';
    test('one', () => console.log(process.pid));`,
};

let folder: string;
const results = new Map<string, FileResult>();

/** Runs fixtures and keeps their results by name. */
async function run(fixtures: readonly string[], isShared: boolean, options = {}): Promise<void> {
  const files: TestFile[] = fixtures.map((name) => ({
    path: join(folder, `${name}.test.mjs`),
    isShared,
    isRealTime: false,
  }));
  const onResult = (result: FileResult) => results.set(/(\w+)\.test/.exec(result.path)?.[1] ?? '', result);
  const { signal } = new AbortController();
  // No process holds its outputs open, so the limit of ten minutes is never reached.
  const limits = { limitMs: 120_000, outputMs: 600_000 };
  await runFiles(files, { concurrency: isShared ? 1 : 2, ...limits, signal, onResult, ...options });
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-report-'));
  const fixtures = { ...ALONE, ...SHARED, hangs: 'for (;;);' };
  for (const [name, text] of Object.entries(fixtures)) await writeFile(join(folder, `${name}.test.mjs`), text);
  await run(Object.keys(ALONE), false);
  await run(Object.keys(SHARED), true);
  await run(['hangs'], true, { limitMs: 2_000 });
});

after(() => rm(folder, { recursive: true }));

const report = (name: string) => describeFile(results.get(name) ?? newResult(name));
const lineOf = (name: string) => report(name).split('\n')[0] ?? '';

test('a file that passes is one line, without what it printed', () => {
  assert.match(report('passes'), /^ok {6}\S*passes\.test\.mjs \(2 tests, 1 skipped, \d+\.\d s\)\n$/);
});

test('a failure is shown in full: the path of the test, what was expected and what was seen', () => {
  assert.match(lineOf('fails'), /^FAILED {2}\S*fails\.test\.mjs \(2 tests, /);
  assert.match(report('fails'), /✖ group > bad \(line 4\)/);
  assert.match(report('fails'), /\+ {3}wanted: 1\n\s+- {3}wanted: 2/);
  assert.doesNotMatch(report('fails'), /subtest/);
});

test('a hook that fails is shown with its own error', () => {
  assert.match(report('hook'), /✖ group \(line 3\)\n\s+Error: no database/);
  assert.doesNotMatch(report('hook'), /never runs/);
});

test('a hook that fails after the tests of its file is shown with its own error', () => {
  assert.match(report('closes'), /✖ the file itself\n\s+Error: a page has broken/);
});

test('a file that throws before its first test is shown with its error', () => {
  assert.match(report('throws'), /✖ the file itself\n\s+Error: thrown at load/);
});

test('a file whose process is killed is shown with its failures, its output and the test that began last', () => {
  assert.match(lineOf('killed'), /^FAILED {2}\S*killed\.test\.mjs \(2 tests, /);
  assert.match(report('killed'), /✖ group > bad \(line 3\)\n\s+Error: first[\s\S]*a handle is open/);
  assert.match(report('killed'), /ended before its last test: SIGKILL\n\s+began last: group > ends$/m);
});

test('a file that ends its process, or whose process ends badly, has failed', () => {
  assert.match(report('ends'), /^FAILED[\s\S]*on purpose\n\s+its process ended before its last test: exit code 0/);
  assert.match(report('late'), /^FAILED[\s\S]*at the end\n\s+its process ended after its tests: exit code 3/);
});

test('a file that takes too long is stopped', () => {
  assert.match(report('hangs'), /^FAILED[\s\S]*stopped after 2 s: a test hangs or left a handle open/);
});

test('hooks of a file that shares a process run for that file alone', () => {
  assert.match(lineOf('first'), /^ok {6}\S*first\.test\.mjs \(2 tests, /);
  assert.match(lineOf('second'), /^FAILED {2}\S*second\.test\.mjs \(1 test, /);
  assert.match(report('second'), /✖ bad \(line 5\)[\s\S]*before second, after first 2/);
});

test('a failure in a process that others share names the files that it ran before', () => {
  assert.match(report('second'), /its process ran before: \S*first\.test\.mjs$/m);
});

test('a file that leaves its process changed has failed', () => {
  assert.match(
    report('leaves'),
    /^FAILED[\s\S]*✖ the file leaves its process as it found it\n.*the environment variable LEFT/,
  );
});

test('after a file that failed, or ended its process, the others run in a new one', () => {
  assert.deepEqual(results.get('leaves')?.ranBefore, []);
  assert.match(report('dies'), /^FAILED[\s\S]*began last: kills/);
  assert.match(lineOf('next'), /^ok {6}\S*next\.test\.mjs \(1 test, /);
  assert.deepEqual(results.get('next')?.ranBefore, []);
});

test('the end counts, and repeats each file that failed, with the start of its failures', () => {
  const end = describeRun([...results.values()], 1_000);
  const files = [...end.matchAll(/^FAILED {2}\S*?(\w+)\.test\.mjs/gm)].map(([, file]) => file);
  const failed = ['closes', 'dies', 'ends', 'fails', 'hangs', 'hook', 'killed', 'late', 'leaves', 'second', 'throws'];
  assert.deepEqual(files.sort(), failed);
  assert.match(end, /✖ group > bad \(line 4\)/);
  assert.doesNotMatch(end, /^ok/m);
  assert.match(end, /^# files 14\n# failed files 11$/m);
});

test('the end has a failure in a few lines: its message, and the places in our files', () => {
  const message = Array.from({ length: 40 }, (_, index) => `line ${index} ${'x'.repeat(500)}`).join('\n');
  const places = ['file:///a.ts:1:1', 'node:internal/test:2:2', 'file:///b.ts:3:3'].map((at) => `    at f (${at})`);
  const failures = [`✖ a promise (line 1)\n${message}\n${places.join('\n')}\n  actual: []`];
  const end = describeRun([{ ...newResult('a.test.ts'), hasEnded: true, failures }], 0);
  const shown = end.slice(end.indexOf('Failed in this run')).trimEnd().split('\n');
  assert.ok(shown.length <= 14 && shown.every((line) => line.length < 210), end);
  assert.match(end, /✖ a promise \(line 1\)\n {2}line 0 x+\n[\s\S]*a\.ts:1:1\)\n.*b\.ts:3:3\)$/m);
});

test('the end has a line for each program that is missing: how much was skipped, and how to install it', () => {
  const skip = (program: keyof typeof INSTALLED_BY, isSuite = false) => ({ reason: reasonFor(program), isSuite });
  const files = [
    { ...newResult('a'), hasEnded: true, skips: [skip('nginx'), skip('chromium'), skip('chromium', true)] },
    { ...newResult('b'), hasEnded: true, skips: [skip('chromium'), { reason: 'needs root', isSuite: false }] },
  ];
  assert.deepEqual(
    describeRun(files, 0)
      .split('\n')
      .filter((line) => line.includes('missing')),
    [
      `chromium is missing: skipped 2 tests and 1 group in 2 files; ${INSTALLED_BY.chromium}`,
      `nginx is missing: skipped 1 test in 1 file; ${INSTALLED_BY.nginx}`,
    ],
  );
});
