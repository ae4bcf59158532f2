import { test } from 'node:test';
import { runChaos } from '../crash/chaos.ts';
import { startWireFarSide } from '../crash/wire-far-side.ts';

test('30 live texts and 8 live calls on a bad network, from a process killed 3 times, happen once each', async (t) => {
  const plan = {
    texts: 30,
    calls: 8,
    beginWithinMs: 4_000,
    kills: 3,
    runsForMs: 1_000,
    workerSettings: { leaseMs: 2_000, pollMs: 200 },
    settleWithinMs: 120_000,
    isShort: true,
    healedMs: Number.POSITIVE_INFINITY,
    seed: 1,
  };
  for (const figure of await runChaos(plan, startWireFarSide)) t.diagnostic(figure);
});
