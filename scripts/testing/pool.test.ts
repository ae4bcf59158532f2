import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hasPassed } from './file-result.ts';
import { runFiles } from './pool.ts';

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

test('files in real time run one after the other, at once, while other files run beside them', async () => {
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
