import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A temporary folder for one test file. `remove` deletes it. */
export type Scratch = { readonly path: string; remove(): void };

/**
 * Makes a folder that every user may enter. An install by root runs PostgreSQL as another user. If that user cannot
 * enter the folder, the cluster goes to a system folder and stays there.
 */
export function makeScratch(purpose: string): Scratch {
  const path = mkdtempSync(join(tmpdir(), `dialplane-${purpose}-`));
  chmodSync(path, 0o755);
  // A server that is stopping may still write there.
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }) };
}
