import { test } from 'node:test';
import { runChaos } from '../crash/chaos.ts';
import { startTelnyxFarSide } from '../crash/telnyx-far-side.ts';

test('30 texts and 8 calls over a Telnyx that misbehaves, from a process killed 3 times, happen once each', async (t) => {
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
    seed: 2,
  };
  for (const figure of await runChaos(plan, () => startTelnyxFarSide({ talkMs: 7_000 }))) t.diagnostic(figure);
});
