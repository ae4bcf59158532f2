import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const FIXTURES = {
  'passes.test.mjs': `
    import { describe, test } from 'node:test';
    describe('group', () => { test('first', () => console.log('noise')); test.skip('second', () => {}); });`,
  'fails.test.mjs': `
    import { strict as assert } from 'node:assert';
    import { describe, test } from 'node:test';
    describe('group', () => { test('good', () => {}); test('bad', () => assert.deepEqual({ wanted: 1 }, { wanted: 2 })); });`,
  'hook.test.mjs': `
    import { before, describe, test } from 'node:test';
    describe('group', () => { before(() => { throw new Error('no database'); }); test('never runs', () => {}); });`,
  'closes.test.mjs': `
    import { after, test } from 'node:test';
    after(() => { throw new Error('a page has broken'); }); test('one', () => {});`,
  'killed.test.mjs': `
    import { describe, test } from 'node:test';
    describe('group', () => { test('good', () => {}); test('bad', () => {
      setTimeout(() => { console.error('a handle is open'); process.kill(process.pid, 'SIGKILL'); }, 200);
      throw new Error('first');
    }); });`,
  'hangs.test.mjs': `
    import { describe, test } from 'node:test';
    describe('group', () => { test('good', () => {}); test('long', () => {
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), 200);
      return new Promise(() => {});
    }); });`,
  'throws.test.mjs': `throw new Error('thrown at load');`,
  'batch.test.mjs': `
    import { runBatch } from ${JSON.stringify(new URL('test-batch.ts', import.meta.url).href)};
    await runBatch(['first', 'second'].map((name) => import.meta.dirname + '/' + name + '.test.mjs'));`,
};

/** The files of the batch. */
const BATCHED = {
  'first.test.mjs': `
    import { afterEach, test } from 'node:test';
    globalThis.afterFirst = 0;
    afterEach(() => { globalThis.afterFirst += 1; });
    test('one', () => {}); test('two', () => {});`,
  'second.test.mjs': `
    import { strict as assert } from 'node:assert';
    import { before, test } from 'node:test';
    before(() => console.log('before second, after first', globalThis.afterFirst));
    test('bad', () => assert.fail('wanted'));`,
};

let folder: string;
let lines: string[];

/** Runs the fixtures in a process of their own: the runner does not run inside a test. */
async function runFixtures(): Promise<string> {
  const report = new URL('test-report.ts', import.meta.url).href;
  const files = Object.keys(FIXTURES).map((name) => join(folder, name));
  const script = `
    import { run } from 'node:test';
    import { reportFiles } from ${JSON.stringify(report)};
    for await (const text of reportFiles(run({ files: ${JSON.stringify(files)} }))) process.stdout.write(text);`;
  const { NODE_TEST_CONTEXT: _, ...env } = process.env;
  const cwd = fileURLToPath(new URL('..', import.meta.url));
  const runner = join(folder, 'runner.mjs');
  await writeFile(runner, script);
  const { stdout } = await promisify(execFile)(process.execPath, [runner], { env, cwd });
  return stdout;
}

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-report-'));
  for (const [name, text] of Object.entries({ ...FIXTURES, ...BATCHED })) await writeFile(join(folder, name), text);
  lines = (await runFixtures()).split('\n');
});

after(() => rm(folder, { recursive: true }));

/** The line above the failures that the report repeats. */
const REPEATED = 'Failed in this run:';

const indexOf = (file: string) => lines.findIndex((line) => line.includes(`${file}.test.mjs (`));

/** The lines below the line of a file, up to the next file. */
function detailsOf(file: string): string {
  const from = indexOf(file) + 1;
  const length = lines.slice(from).findIndex((line) => /^(ok|FAILED)/i.test(line));
  return lines.slice(from, length === -1 ? undefined : from + length).join('\n');
}

test('a file that passes is one line, without what it printed', () => {
  assert.match(lines[indexOf('passes')] ?? '', /^ok {6}\S*passes\.test\.mjs \(2 tests, 1 skipped, \d+\.\d s\)$/);
  assert.equal(detailsOf('passes').trim(), '');
});

test('a failure is shown in full, with the path of the test', () => {
  assert.match(lines[indexOf('fails')] ?? '', /^FAILED {2}\S*fails\.test\.mjs \(2 tests, /);
  const details = detailsOf('fails');
  assert.match(details, /✖ group > bad \(line 4\)/);
  assert.match(details, /wanted: 1[\s\S]*wanted: 2/);
  assert.doesNotMatch(details, /subtest/);
});

test('a hook that fails is shown with its own error', () => {
  const details = detailsOf('hook');
  assert.match(details, /✖ group \(line 3\)\n\s+Error: no database/);
  assert.doesNotMatch(details, /never runs/);
});

test('a hook that fails after the tests of its file is shown with its own error', () => {
  assert.match(detailsOf('closes'), /Error: a page has broken/);
});

test('a file that ends before its first test is shown with what it printed', () => {
  assert.match(lines[indexOf('throws')] ?? '', /^FAILED {2}\S*throws\.test\.mjs \(0 tests, /);
  assert.match(detailsOf('throws'), /Error: thrown at load/);
});

test('a file that is killed after a failed test is shown with that failure and what it printed', () => {
  assert.match(lines[indexOf('killed')] ?? '', /^FAILED {2}\S*killed\.test\.mjs \(2 tests, /);
  assert.match(detailsOf('killed'), /✖ group > bad \(line 3\)\n\s+Error: first[\s\S]*a handle is open/);
});

test('a file that is killed in a test names the test', () => {
  assert.match(detailsOf('hangs'), /began last: group > long$/m);
  assert.doesNotMatch(detailsOf('throws'), /began last/);
});

test('a file that shares a process with others is reported like the others', () => {
  assert.match(lines[indexOf('first')] ?? '', /^ok {6}\S*first\.test\.mjs \(2 tests, \d+\.\d s\)$/);
  assert.match(lines[indexOf('second')] ?? '', /^FAILED {2}\S*second\.test\.mjs \(1 test, /);
  assert.match(detailsOf('second'), /✖ \S*second\.test\.mjs > bad \(line 5\)/);
  assert.equal(indexOf('batch'), -1);
});

test('hooks of a file that shares a process run for that file alone', () => {
  assert.match(lines.join('\n'), /before second, after first 2/);
});

test('the end repeats each file that failed, with its failures', () => {
  const end = lines.slice(lines.indexOf(REPEATED)).join('\n');
  const files = [...end.matchAll(/^FAILED {2}\S*?(\w+)\.test\.mjs/gm)].map(([, file]) => file);
  assert.deepEqual(files.sort(), ['closes', 'fails', 'hangs', 'hook', 'killed', 'second', 'throws']);
  assert.match(end, /✖ group > bad \(line 4\)/);
  assert.doesNotMatch(end, /^ok/m);
});
