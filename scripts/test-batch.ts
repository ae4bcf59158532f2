import { relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The file whose tests, each one test file, `reportFiles` reports like files with processes of their own. */
export const BATCH_RUNNER = fileURLToPath(import.meta.url);

/**
 * Runs test files one after the other in this process. The tests and hooks of a file become parts of one test with the
 * file's path as its name, so the hooks of one file do not run for another.
 */
export async function runBatch(files: readonly string[]): Promise<void> {
  for (const file of files) {
    await test(relative('.', file), async () => {
      await import(pathToFileURL(file).href);
    });
  }
}
