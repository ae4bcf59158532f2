import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SKIPPED_FOLDERS = new Set(['node_modules', 'dist', 'coverage']);
const SOURCE = /\.(ts|tsx|mts|js|mjs)$/;

/** Source texts by path relative to the project, always with forward slashes. */
export type Sources = ReadonlyMap<string, string>;

/** Reads every TypeScript and module file under `root`, without dependencies, build output and dot folders. */
export function readSources(root: string): Sources {
  const sources = new Map<string, string>();
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith('.') && !SKIPPED_FOLDERS.has(entry.name)) visit(path);
      if (entry.isFile() && SOURCE.test(entry.name)) sources.set(path, readFileSync(join(root, path), 'utf8'));
    }
  };
  visit('');
  return sources;
}

/** Returns true for test files and their support, which may import across layers and be longer. */
export function isTestFile(path: string): boolean {
  return /\.(test|crash)\.ts$/.test(path) || /(^|\/)test\//.test(path);
}
