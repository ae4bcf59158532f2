import { test } from 'node:test';
import { newSeed } from './new-seed.ts';
import { runVoiceCrash } from './voice-crash.ts';

test('a process killed five times during 200 calls ends each of them once, even with short leases', async () => {
  const workerSettings = { leaseMs: 3_000, pollMs: 500 };
  const plan = { calls: 200, beginWithinMs: 8_000, kills: 5, workerSettings, settleWithinMs: 240_000, seed: newSeed() };
  const figures = await runVoiceCrash(plan);
  for (const figure of figures) console.log(figure);
});

test('a process killed five times during 200 calls ends each of them once, with all its results', async () => {
  const plan = {
    calls: 200,
    beginWithinMs: 8_000,
    kills: 5,
    workerSettings: {},
    settleWithinMs: 240_000,
    seed: newSeed(),
  };
  const figures = await runVoiceCrash(plan);
  for (const figure of figures) console.log(figure);
});
