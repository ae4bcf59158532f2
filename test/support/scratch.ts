import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder of one test file. `remove` takes it away again. */
export type Scratch = { readonly path: string; remove(): void };

/**
 * Makes one that everybody may enter: an install below a closed folder is out of reach for the user that runs
 * PostgreSQL in place of root, so its cluster would go to a folder of the system's and stay there.
 */
export function makeScratch(purpose: string): Scratch {
  const path = mkdtempSync(join(tmpdir(), `dialplane-${purpose}-`));
  chmodSync(path, 0o755);
  // A server that is just ending may still write there.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}
