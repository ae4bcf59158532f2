import { test } from 'node:test';
import { runChaos } from '../crash/chaos.ts';
import { startWireFarSide } from '../crash/wire-far-side.ts';

test('100 live texts and 12 live calls on a bad network, from a process killed 6 times, happen once each', async (t) => {
  const plan = {
    texts: 100,
    calls: 12,
    beginWithinMs: 20_000,
    kills: 6,
    runsForMs: 2_000,
    workerSettings: { leaseMs: 2_000, pollMs: 200 },
    settleWithinMs: 120_000,
    asksEarly: true,
    healedMs: Number.POSITIVE_INFINITY,
    seed: 1,
  };
  for (const figure of await runChaos(plan, startWireFarSide)) t.diagnostic(figure);
});
