import { test } from 'node:test';
import { runWireCrash } from './wire-crash.ts';

test('of 120 live texts over a bad network, from a process killed three times, each is sent once', async (t) => {
  const plan = { sends: 120, kills: 3, workerSettings: { leaseMs: 1_500, pollMs: 200 }, settleWithinMs: 60_000 };
  for (const figure of await runWireCrash(plan)) t.diagnostic(figure);
});
