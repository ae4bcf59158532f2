import { test } from 'node:test';
import { runVoiceCrash } from '../crash/voice-crash.ts';

test('a process killed twice during 32 calls ends each of them once, with all its results', async (t) => {
  const workerSettings = { leaseMs: 1_500, pollMs: 200 };
  const plan = { calls: 32, beginWithinMs: 3_000, kills: 2, workerSettings, settleWithinMs: 60_000, seed: 1 };
  const figures = await runVoiceCrash(plan);
  for (const figure of figures) t.diagnostic(figure);
});
