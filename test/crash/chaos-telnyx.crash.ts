import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { runChaos } from './chaos.ts';
import { startTelnyxFarSide } from './telnyx-far-side.ts';

test('2,000 texts and 200 calls over a Telnyx that misbehaves, from a process killed 26 times, happen once each', async () => {
  const plan = {
    texts: 2_000,
    calls: 200,
    beginWithinMs: 300_000,
    kills: 26,
    runsForMs: 6_000,
    workerSettings: {},
    settleWithinMs: 300_000,
    asksEarly: false,
    healedMs: 90_000,
    seed: randomInt(1_000_000),
  };
  console.log(`seed ${plan.seed}`);
  for (const figure of await runChaos(plan, startTelnyxFarSide)) console.log(figure);
});
