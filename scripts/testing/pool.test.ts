import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type FileResult, hasPassed } from './file-result.ts';
import { runFiles } from './pool.ts';
import { describeRun } from './report.ts';

let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'test-pool-'));
});

after(() => rm(folder, { recursive: true }));

/** Writes a test file that logs its start and its end, and between them waits until another file has started. */
async function write(name: string, awaited = name): Promise<string> {
  const path = join(folder, `${name}.test.mjs`);
  const text = `
    import { appendFileSync, readFileSync } from 'node:fs';
    import { test } from 'node:test';
    const log = ${JSON.stringify(join(folder, 'log'))};
    test('one', async () => {
      appendFileSync(log, 'start ${name}\\n');
      while (!readFileSync(log, 'utf8').includes('start ${awaited}')) await new Promise(setImmediate);
      appendFileSync(log, 'end ${name}\\n');
    });`;
  await writeFile(path, text);
  return path;
}

test('files in real time run one after the other, at once, while other files run', async () => {
  const passed: boolean[] = [];
  const files = [
    { path: await write('other'), isRealTime: false, isShared: true },
    { path: await write('first', 'other'), isRealTime: true, isShared: true },
    { path: await write('second', 'last'), isRealTime: true, isShared: true },
    { path: await write('last', 'second'), isRealTime: false, isShared: true },
  ];
  await runFiles(files, {
    concurrency: 3,
    limitMs: 60_000,
    signal: new AbortController().signal,
    onResult: (result) => passed.push(hasPassed(result)),
  });
  assert.deepEqual(passed, [true, true, true, true]);
  const lines = (await readFile(join(folder, 'log'), 'utf8')).trim().split('\n');
  assert.deepEqual(
    lines.filter((line) => /first|second/.test(line)),
    ['start first', 'end first', 'start second', 'end second'],
  );
});

test('a file without a test that --name matches closes what it has opened, and has no test', async () => {
  const path = join(folder, 'named.test.mjs');
  const closing = new URL('../../test/support/close-after-tests.ts', import.meta.url).href;
  const text = `
    import { createServer } from 'node:net';
    import { test } from 'node:test';
    import { closeAfterTests } from ${JSON.stringify(closing)};
    const server = createServer();
    await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
    closeAfterTests(() => new Promise((resolve) => server.close(resolve)));
    test('one', () => undefined);`;
  await writeFile(path, text);
  const results: FileResult[] = [];
  await runFiles([{ path, isRealTime: false, isShared: true }], {
    concurrency: 1,
    limitMs: 60_000,
    name: 'of no test',
    signal: new AbortController().signal,
    onResult: (result) => results.push(result),
  });
  assert.deepEqual(
    results.map((result) => [hasPassed(result), result.failures, result.tests.passed]),
    [[true, [], 0]],
  );
  assert.match(describeRun(results, 1, 'of no test'), /No test has a name that matches "of no test"\./);
  assert.doesNotMatch(describeRun(results, 1), /No test has a name/);
});
