import { test } from 'node:test';
import { newSeed } from './new-seed.ts';
import { runQueueProcesses } from './queue-processes.ts';

test('500 callers and 20 agents of a queue whose processes are killed: each is answered once, in its order', async () => {
  const plan = { callers: 500, telephones: 14, webClients: 6, everyMs: 450, talkMs: 7_000, impatient: 0.1 };
  const figures = await runQueueProcesses({ ...plan, killEveryMs: 15_000, seed: newSeed() });
  for (const figure of figures) console.log(figure);
});
