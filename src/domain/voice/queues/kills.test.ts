import { test } from 'node:test';
import { playQueue } from '../../../../test/crash/queue-kills.ts';
import { useScriptedLine } from '../../../../test/support/voice.ts';

const scripted = await useScriptedLine();

for (const seed of [1, 2]) {
  test(`callers of a queue whose workers are killed are each answered once, in their order (seed ${seed})`, async (t) => {
    const plan = { callers: 25, agents: 3, everyMs: 20_000, talkMs: 55_000, seed };
    for (const figure of await playQueue(scripted, plan)) t.diagnostic(figure);
  });
}
