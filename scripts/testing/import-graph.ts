import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { build } from 'esbuild';

/** For each file its imports, and the files and folders that it names by `new URL(…, import.meta.url)`. */
export type ImportGraph = ReadonlyMap<string, ReadonlySet<string>>;

/** A path relative to the file. If it is a template, the part before the first expression. */
const NAMED = /new URL\(\s*['"`](\.[^'"`$]*)/g;

/** Reads the imports of the files, and of the imported files. Paths are relative to the working folder. */
export async function readImports(paths: readonly string[]): Promise<ImportGraph> {
  const { metafile } = await build({
    stdin: { contents: paths.map((path) => `import ${JSON.stringify(`./${path}`)};`).join('\n'), resolveDir: '.' },
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    outfile: 'tests.js',
    logLevel: 'error',
  });
  const graph = new Map<string, Set<string>>();
  for (const [path, { imports }] of Object.entries(metafile.inputs)) {
    if (path === '<stdin>') continue;
    const named = [...readFileSync(path, 'utf8').matchAll(NAMED)].map(([, name = '']) =>
      posix.join(posix.dirname(path), name),
    );
    graph.set(path, new Set([...imports.filter(({ external }) => !external).map((each) => each.path), ...named]));
  }
  return graph;
}
