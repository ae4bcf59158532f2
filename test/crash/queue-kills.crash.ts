import { test } from 'node:test';
import { useScriptedLine } from '../support/voice.ts';
import { newSeed } from './new-seed.ts';
import { playQueue } from './queue-kills.ts';

const scripted = await useScriptedLine();

test('500 callers and 20 agents of a queue whose workers are killed: each is answered once, in its order', async () => {
  const plan = { callers: 500, agents: 20, everyMs: 10_000, talkMs: 180_000, seed: newSeed() };
  for (const figure of await playQueue(scripted, plan)) console.log(figure);
});
