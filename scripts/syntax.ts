/**
 * The only user of the compiler's programmatic interface. TypeScript 7 has no `preProcessFile` or `createSourceFile`;
 * it parses in a separate process and returns the tree. That interface is marked unstable. The version is pinned
 * exactly, and a change can only break the gates, never the product.
 */
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { API } from 'typescript/unstable/sync';
import type { Sources } from './source-files.ts';

const ROOT = '/sources';

/** Parses all `sources` at once, without resolving imports, and calls `visit` with the tree of each file. */
export function parseAll(sources: Sources, visit: (path: string, file: SourceFile) => void): void {
  const texts = new Map([...sources].map(([path, text]) => [`${ROOT}/${path}`, text]));
  const config = `${ROOT}/tsconfig.json`;
  const files = [...texts.keys()];
  const compilerOptions = { noResolve: true, noLib: true, allowJs: true, types: [], jsx: 'preserve', target: 'esnext' };
  texts.set(config, JSON.stringify({ compilerOptions, files }));
  const api = new API({
    cwd: ROOT,
    fs: {
      readFile: (path) => texts.get(path) ?? null,
      fileExists: (path) => texts.has(path),
      directoryExists: (path) => path === ROOT || path.startsWith(`${ROOT}/`),
      getAccessibleEntries: () => ({ files: [], directories: [] }),
      realpath: (path) => path,
    },
  });
  try {
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    for (const path of sources.keys()) {
      const file = project?.program.getSourceFile(`${ROOT}/${path}`);
      if (file === undefined) throw new Error(`The compiler returned no syntax tree for ${path}.`);
      visit(path, file);
    }
  } finally {
    api.close();
  }
}

/** Calls `visit` with `node` and all nodes below it, outermost first. */
export function walk(node: Node, visit: (node: Node) => void): void {
  visit(node);
  node.forEachChild((child) => walk(child, visit));
}

/** Returns the line of `position`, counted from 1. */
export function lineAt(file: SourceFile, position: number): number {
  return file.getLineAndCharacterOfPosition(position).line + 1;
}
