import { test } from 'node:test';
import { runFullChaos } from './chaos.ts';
import { startTelnyxFarSide } from './telnyx-far-side.ts';

test('2,000 texts and 200 calls over a Telnyx that misbehaves, from a process killed 26 times, happen once each', () =>
  runFullChaos(() => startTelnyxFarSide()));
