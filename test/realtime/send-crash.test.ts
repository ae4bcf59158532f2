import { test } from 'node:test';
import { runSendCrash } from '../crash/send-crash.ts';

test('a process killed three times among 400 sends loses nothing it acknowledged and does nothing twice', async (t) => {
  const workerSettings = { leaseMs: 1_500, pollMs: 200 };
  const plan = { sends: 400, kills: 3, workerSettings, refusalsMax: 1, settleWithinMs: 30_000, seed: 1 };
  const figures = await runSendCrash(plan);
  for (const figure of figures) t.diagnostic(figure);
});
