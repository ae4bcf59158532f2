import { test } from 'node:test';
import { runSmallChaos } from '../crash/chaos.ts';
import { startTelnyxFarSide } from '../crash/telnyx-far-side.ts';

test('30 texts and 8 calls over a Telnyx that misbehaves, from a process killed 3 times, happen once each', async (t) => {
  for (const figure of await runSmallChaos(() => startTelnyxFarSide({ talkMs: 7_000 }), 2)) t.diagnostic(figure);
});
