// The program of a checkout as a few large files. Loading its modules one by one takes most of a start: of 1,400 files
// Node looks up each path, reads each file and keeps each module. `npm start` therefore builds them together when they
// have changed, with esbuild, in half a second. Without esbuild, or where nothing can be written, the source runs as
// it is.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Beside the packages: only a user who can change the code can write there. */
const FOLDER = join('node_modules', '.cache', 'dialplane', 'program');
/** Builds that are kept: a process that runs loads parts of its own build later. */
const BUILDS_MAX = 3;

/** What is built: the program, and the modules that it runs in threads (`threadModule` in src/lib/program.ts). */
const ENTRIES = ['src/main.ts', 'src/http/site/render-thread.ts', 'src/audio/files/convert-thread.ts'];
/** Packages that are found by their files, or rarely loaded. */
const EXTERNAL = ['@scalar/*', 'pg-native', '@redis/client', 'esbuild'];

/** In each file of a build: CommonJS packages find their names, and modules of ours the folder of the build. */
const BANNER = `import { createRequire as createRequireOfBuild } from 'node:module';
const BUILD_URL = import.meta.url;
const require = createRequireOfBuild(BUILD_URL);
const { filename: __filename, dirname: __dirname } = import.meta;`;

/** Returns the entry of the program as it is now: of its build, which is made if it is missing, or of its source. */
export async function findProgram(root) {
  const source = join(root, 'src', 'main.ts');
  const folder = join(root, FOLDER, digestOf(root));
  const built = join(folder, 'main.js');
  if (existsSync(built)) return built;
  const esbuild = await loadEsbuild(root);
  if (esbuild === undefined) return source;
  try {
    await build(esbuild, { root, folder });
    return built;
  } catch (error) {
    // A checkout that this user cannot write to. An error of the source is shown best by the source.
    process.stderr.write(`dialplane: the program runs from its source: it was not built (${error.message})\n`);
    return source;
  }
}

/** Returns the digest of everything that the build is made of, by the sizes and times of the files. */
function digestOf(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path} ${size} ${mtimeMs}\n`);
  };
  const addFolder = (folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) addFolder(path);
      else if (/(?<!\.test)\.(ts|json)$/.test(path)) add(path);
    }
  };
  addFolder('src');
  // npm writes its record after the packages.
  for (const path of ['node_modules/.package-lock.json', 'scripts/bootstrap/program.mjs']) add(path);
  return hash.digest('hex').slice(0, 16);
}

async function loadEsbuild(root) {
  try {
    const path = createRequire(join(root, 'package.json')).resolve('esbuild');
    return (await import(pathToFileURL(path).href)).default;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/** Builds into a folder of this process and renames it, so that a build is complete or not there. */
async function build(esbuild, { root, folder }) {
  const draft = `${folder}.${process.pid}`;
  mkdirSync(draft, { recursive: true });
  try {
    await esbuild.build({
      entryPoints: ENTRIES.map((path) => join(root, path)),
      outdir: draft,
      entryNames: '[name]',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node26',
      external: EXTERNAL,
      banner: { js: BANNER },
      define: { BUILT_AT: 'BUILD_URL' },
      legalComments: 'none',
      logLevel: 'silent',
      plugins: [namePlaces(root, draft), REQUIRED_BUILTINS],
    });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start has made the same build at the same time.
    if (!existsSync(folder)) throw error;
  }
  removeOldBuilds(join(root, FOLDER));
}

/** In a build, `import.meta.url` of a module is still the address of its source: files are found from there. */
function namePlaces(root, folder) {
  const source = join(root, 'src');
  return {
    name: 'places of modules',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!path.startsWith(source) || !/\bimport\.meta\.(url|resolve)\b/.test(text)) return undefined;
        const place = JSON.stringify(relative(folder, path).replaceAll('\\', '/'));
        return {
          contents: text.replaceAll('import.meta.url', `new URL(${place}, BUILD_URL).href`),
          loader: 'ts',
        };
      });
    },
  };
}

/**
 * Modules of Node are taken as CommonJS takes them. An `import` reads every export at once, also those that load more
 * when they are read: `node:http` then comes with a client of 16 MB that is not used.
 */
const REQUIRED_BUILTINS = {
  name: 'modules of Node',
  setup: ({ onResolve, onLoad }) => {
    const namespace = 'builtin';
    onResolve({ filter: /^[a-z]/ }, ({ path, kind }) =>
      kind === 'import-statement' && isBuiltin(path) ? { path, namespace } : undefined,
    );
    onLoad({ filter: /./, namespace }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path)});`,
      loader: 'js',
    }));
  },
};

function removeOldBuilds(folder) {
  const builds = readdirSync(folder).map((name) => ({ name, at: statSync(join(folder, name)).mtimeMs }));
  for (const { name } of builds.sort((a, b) => b.at - a.at).slice(BUILDS_MAX)) {
    rmSync(join(folder, name), { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await findProgram(fileURLToPath(new URL('../..', import.meta.url)))}\n`);
}
