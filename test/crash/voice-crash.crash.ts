import { test } from 'node:test';
import { runVoiceCrash } from './voice-crash.ts';

test('a process killed five times among 200 calls leaves each of them one end, also where work is taken up again soon', async (t) => {
  const workerSettings = { leaseMs: 3_000, pollMs: 500 };
  const plan = { calls: 200, beginWithinMs: 8_000, kills: 5, workerSettings, settleWithinMs: 240_000 };
  const figures = await runVoiceCrash(plan);
  for (const figure of figures) t.diagnostic(figure);
});

test('a process killed five times among 200 calls at a time ends each of them once, with all that belongs to it', async (t) => {
  const plan = { calls: 200, beginWithinMs: 8_000, kills: 5, workerSettings: {}, settleWithinMs: 240_000 };
  const figures = await runVoiceCrash(plan);
  for (const figure of figures) t.diagnostic(figure);
});
