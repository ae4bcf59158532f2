import { test } from 'node:test';
import { runCellsCrash } from './cells-crash.ts';
import { newSeed } from './new-seed.ts';

/** For a try: DIALPLANE_CELLS_MINUTES=0.5, and DIALPLANE_CELLS_TEXTS=50 texts a second on a busy machine. */
const MINUTES = Number(process.env['DIALPLANE_CELLS_MINUTES'] ?? 5);
const TEXTS = Number(process.env['DIALPLANE_CELLS_TEXTS'] ?? 200);

test('texts and calls of three cells happen once, and in order, while processes are killed, and a stalled cell costs the others nothing', async () => {
  const figures = await runCellsCrash({
    lastsMs: MINUTES * 60_000,
    textsPerSecond: TEXTS,
    calls: 20,
    runsForMs: 6_000,
    settleWithinMs: 300_000,
    seed: newSeed(),
  });
  for (const figure of figures) console.log(figure);
});
