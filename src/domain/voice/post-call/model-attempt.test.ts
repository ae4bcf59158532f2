import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../../test/support/jobs.ts';
import { ModelError } from '../../../speech/port.ts';
import { attemptModel, storableText } from './model-attempt.ts';

const attempt = (tries: number, work: () => Promise<string>) => attemptModel({ tries, log: silentLog, what: {} }, work);
const failing = (error: Error) => () => Promise.reject(error);

test('an unavailable model is retried three times with growing delays, and then the job fails', async () => {
  const away = failing(new ModelError('unavailable', 'away'));
  const outcomes = await Promise.all([0, 1, 2, 3].map((tries) => attempt(tries, away)));
  assert.deepEqual(outcomes, [
    { outcome: 'again', inMs: 5_000 },
    { outcome: 'again', inMs: 30_000 },
    { outcome: 'again', inMs: 120_000 },
    { outcome: 'givenUp' },
  ]);
});

test('a model is not called before its requested delay is over, up to a limit', async () => {
  const asking = (retryAfterMs: number) => failing(new ModelError('unavailable', 'busy', { retryAfterMs }));
  assert.deepEqual(await attempt(0, asking(60_000)), { outcome: 'again', inMs: 60_000 });
  assert.deepEqual(await attempt(0, asking(86_400_000)), { outcome: 'again', inMs: 600_000 });
});

test('a refusal, or a call without budget, is not retried', async () => {
  for (const kind of ['refused', 'spent'] as const) {
    assert.deepEqual(await attempt(0, failing(new ModelError(kind, 'no'))), { outcome: 'givenUp' });
  }
});

test('an unexpected error is retried, a limited number of times', async () => {
  assert.equal((await attempt(0, failing(new TypeError('surprise')))).outcome, 'again');
  assert.equal((await attempt(3, failing(new TypeError('surprise')))).outcome, 'givenUp');
});

test('any text of a model can be stored', () => {
  assert.equal(storableText(' a\u0000b\ud800 '), 'ab\ufffd');
});
