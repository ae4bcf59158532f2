import { test } from 'node:test';
import { runSmallChaos } from '../crash/chaos.ts';
import { startWireFarSide } from '../crash/wire-far-side.ts';

test('30 live texts and 8 live calls on a bad network, from a process killed 3 times, happen once each', async (t) => {
  for (const figure of await runSmallChaos(startWireFarSide, 1)) t.diagnostic(figure);
});
