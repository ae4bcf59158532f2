import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { FileResult } from './file-result.ts';
import type { TestFile } from './pool.ts';
import weights from './weights.json' with { type: 'json' };

/** The usual files. The others take minutes, start installs and clusters, and have separate processes. */
const USUAL = /\.test\.ts$/;

/** Files that can state their guarantee in real time only: see docs/test-suite.md. */
const REAL_TIME = /^test.realtime./;

/** The line of a test file, with the reason, if it needs a fresh process or leaves its process changed. */
const OWN_PROCESS = /^\/\/ own process: \S/m;

/** The seconds that a file took, for the slowest files. */
const WEIGHTS: Readonly<Record<string, number>> = weights;
const WEIGHTS_FILE = new URL('weights.json', import.meta.url);
const SECONDS_MIN = 2;

/** Returns the files in the order of their starts: the longest first, so that all processes end at about one time. */
export function planFiles(paths: readonly string[], seconds = WEIGHTS): TestFile[] {
  const weight = (path: string) => seconds[path] ?? 0;
  return paths
    .toSorted((a, b) => weight(b) - weight(a))
    .map((path) => ({
      path,
      isShared: USUAL.test(path) && !OWN_PROCESS.test(readFileSync(path, 'utf8')),
      isRealTime: REAL_TIME.test(path),
    }));
}

/** Writes the durations of the files of this run. Keeps the known durations of files that did not run. */
export function keepWeights(results: readonly FileResult[]): void {
  const kept = Object.entries(WEIGHTS).filter(
    ([path]) => existsSync(path) && !results.some((each) => each.path === path),
  );
  const taken = results.map(({ path, durationMs }) => [path, Math.round(durationMs / 1000)] as const);
  const all = [...kept, ...taken.filter(([, seconds]) => seconds >= SECONDS_MIN)].sort(([a], [b]) => (a < b ? -1 : 1));
  writeFileSync(WEIGHTS_FILE, `${JSON.stringify(Object.fromEntries(all), null, 2)}\n`);
}
