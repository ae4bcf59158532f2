import { test } from 'node:test';
import { runFullChaos } from './chaos.ts';
import { startWireFarSide } from './wire-far-side.ts';

test('2,000 live texts and 200 live calls on a bad network, from a process killed 26 times, happen once each', () =>
  runFullChaos(startWireFarSide));
