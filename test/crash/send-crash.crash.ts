import { test } from 'node:test';
import { newSeed } from './new-seed.ts';
import { runSendCrash } from './send-crash.ts';

test('a process killed five times among 10,000 sends loses nothing it acknowledged and does nothing twice', async () => {
  const plan = {
    sends: 10_000,
    kills: 5,
    workerSettings: {},
    refusalsMax: 2,
    settleWithinMs: 240_000,
    seed: newSeed(),
  };
  const figures = await runSendCrash(plan);
  for (const figure of figures) console.log(figure);
});
