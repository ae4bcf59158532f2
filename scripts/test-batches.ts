import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

// A process takes a second to load the product, and its first requests run code that is not compiled yet. Files of a
// batch share that. Twelve leave enough batches for the cores to end at about the same time.
const BATCH_FILES = 12;

/** Tests of these folders start programs, and end sooner side by side than one after the other. */
const APART = /^(?:test|scripts|packages|src\/cli|src\/server\/embedded-postgres)\//;

/** What changes the state of the process, or depends on it. */
const CHANGES_PROCESS = /child_process|worker_threads|\bprocess\.(?:env|on|once|kill|memoryUsage)\b|\bmock\./;

/** Files with processes of their own that take a few seconds. */
const QUICK = /^(?:scripts|packages\/(?!sdk\/)|test\/(?:deploy|support))\//;

/** Files with a process each, longest first; batches that share one; quick files with a process each. */
type Plan = { alone: string[]; batches: string[][]; quick: string[] };

/** Plans the processes of a run in the order of their starts. Quick files come last and fill the cores at the end. */
export function planProcesses(files: readonly string[]): Plan {
  const isApart = (file: string) => APART.test(file) || CHANGES_PROCESS.test(readFileSync(file, 'utf8'));
  const apart = files.filter(isApart).sort((a, b) => rank(a) - rank(b));
  const shared = files.filter((file) => !isApart(file));
  const count = Math.ceil(shared.length / BATCH_FILES);
  return {
    alone: apart.filter((file) => !QUICK.test(file)),
    // Neighbours take similar time and are dealt to different batches.
    batches: Array.from({ length: count }, (_, batch) => shared.filter((_, index) => index % count === batch)),
    quick: apart.filter((file) => QUICK.test(file)),
  };
}

/**
 * Returns the place of a file in the order of starts. The tests that start programs, and those of calls in real time,
 * take longest and begin first.
 */
function rank(file: string): number {
  const first = [
    ...['src/cli/', 'test/contract/', 'test/browser/', 'test/scenarios/', 'test/crash/'],
    ...['test/conformance/', 'test/telnyx/'],
  ];
  const index = first.findIndex((folder) => file.startsWith(folder));
  return index === -1 ? first.length : index;
}

/** Writes a program for each batch and returns their paths. */
export function writeBatches(batches: readonly string[][], folder: string): string[] {
  const runner = new URL('test-batch.ts', import.meta.url).href;
  return batches.map((files, index) => {
    const path = join(folder, `batch-${index + 1}.test.ts`);
    const paths = JSON.stringify(files.map((file) => resolve(file)));
    writeFileSync(path, `import { runBatch } from '${runner}';\nawait runBatch(${paths});\n`);
    return path;
  });
}
