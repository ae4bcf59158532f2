import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoAll } from './running.ts';

test('steps are undone once, the last first, also those after one that fails', async () => {
  const undone: string[] = [];
  const failure = new Error('the bus cannot be closed');
  const undo = [
    () => void undone.push('database'),
    async () => {
      undone.push('bus');
      throw failure;
    },
    async () => void undone.push('server'),
  ];
  await assert.rejects(undoAll(undo), failure);
  assert.deepEqual(undone, ['server', 'bus', 'database']);
  await undoAll(undo);
  assert.equal(undone.length, 3);
});
