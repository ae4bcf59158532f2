import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { makeScratch } from '../../../test/support/scratch.ts';

const PROGRAM = fileURLToPath(new URL('../../../test/support/small-disk.ts', import.meta.url));
const scratch = makeScratch('small-disk');
after(() => scratch.remove());

/** The tests use a small mounted disk. A mount needs a privilege. */
const noMount = spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', scratch.path]).status !== 0;

test('a full disk is named while the server runs and at a start, and a start succeeds once there is space', {
  skip: noMount && 'this machine lets nobody mount',
}, async () => {
  const words = ['--mount', process.execPath, PROGRAM, join(scratch.path, 'disk')];
  const { stdout } = await promisify(execFile)('unshare', words, { timeout: 120_000 });
  const { logged, refused } = JSON.parse(stdout);
  assert.match(logged, /The disk that holds .*disk.* is full\. Free space there/);
  assert.match(refused, /^The disk that holds .* is full\.$/);
});
