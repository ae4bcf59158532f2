import { test } from 'node:test';
import { runChaos } from '../crash/chaos.ts';
import { startTelnyxFarSide } from '../crash/telnyx-far-side.ts';

test('100 texts and 12 calls over a Telnyx that misbehaves, from a process killed 6 times, happen once each', async (t) => {
  const plan = {
    texts: 100,
    calls: 12,
    beginWithinMs: 15_000,
    kills: 6,
    runsForMs: 2_000,
    workerSettings: { leaseMs: 2_000, pollMs: 200 },
    settleWithinMs: 120_000,
    asksEarly: true,
    healedMs: Number.POSITIVE_INFINITY,
    seed: 2,
  };
  for (const figure of await runChaos(plan, startTelnyxFarSide)) t.diagnostic(figure);
});
