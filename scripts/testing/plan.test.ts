import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { planFiles } from './plan.ts';

let folder: string;
const path = (name: string) => join(folder, name);

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plan-'));
  writeFileSync(path('plain.test.ts'), "test('own process: no', () => {});\n");
  writeFileSync(path('changes.test.ts'), '/** Changes. */\n// own process: it measures the memory of its process\n');
  writeFileSync(path('long.crash.ts'), '');
});

after(() => rm(folder, { recursive: true }));

test('the files that take longest start first', () => {
  const names = ['plain.test.ts', 'changes.test.ts', 'long.crash.ts'].map(path);
  const planned = planFiles(names, { [path('changes.test.ts')]: 3, [path('long.crash.ts')]: 40 });
  assert.deepEqual(
    planned.map((file) => file.path),
    ['long.crash.ts', 'changes.test.ts', 'plain.test.ts'].map(path),
  );
});

test('a file shares a process unless it says that it needs its own, or is not among the usual ones', () => {
  const planned = planFiles(['plain.test.ts', 'changes.test.ts', 'long.crash.ts'].map(path), {});
  assert.deepEqual(
    planned.map(({ isShared }) => isShared),
    [true, false, false],
  );
});

test('the files of test/realtime/ are in real time, and no others', () => {
  const planned = planFiles(['test/realtime/stop.test.ts', 'scripts/testing/plan.test.ts'], {});
  assert.deepEqual(
    planned.map(({ isRealTime }) => isRealTime),
    [true, false],
  );
});
