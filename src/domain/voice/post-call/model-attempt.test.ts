import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../test/support/jobs.ts';
import { ModelError } from '../../../speech/port.ts';
import { attemptModel, storableText } from './model-attempt.ts';

const attempt = (tries: number, work: () => Promise<string>) => attemptModel({ tries, log: silentLog, what: {} }, work);
const failing = (error: Error) => () => Promise.reject(error);

test('a model that is away is tried again three times, later each time, and then given up', async () => {
  const away = failing(new ModelError('unavailable', 'away'));
  const outcomes = await Promise.all([0, 1, 2, 3].map((tries) => attempt(tries, away)));
  assert.deepEqual(outcomes, [
    { outcome: 'again', inMs: 5_000 },
    { outcome: 'again', inMs: 30_000 },
    { outcome: 'again', inMs: 120_000 },
    { outcome: 'givenUp' },
  ]);
});

test('a model is left alone for as long as it asks, within bounds', async () => {
  const asking = (retryAfterMs: number) => failing(new ModelError('unavailable', 'busy', { retryAfterMs }));
  assert.deepEqual(await attempt(0, asking(60_000)), { outcome: 'again', inMs: 60_000 });
  assert.deepEqual(await attempt(0, asking(86_400_000)), { outcome: 'again', inMs: 600_000 });
});

test('what a model refuses, or a call has no budget for, is given up at once', async () => {
  for (const kind of ['refused', 'spent'] as const) {
    assert.deepEqual(await attempt(0, failing(new ModelError(kind, 'no'))), { outcome: 'givenUp' });
  }
});

test('an error nobody foresaw is tried again, and does not go on for ever', async () => {
  assert.equal((await attempt(0, failing(new TypeError('surprise')))).outcome, 'again');
  assert.equal((await attempt(3, failing(new TypeError('surprise')))).outcome, 'givenUp');
});

test('what a model writes can be stored', () => {
  assert.equal(storableText(' a\u0000b\ud800 '), 'ab\ufffd');
});
