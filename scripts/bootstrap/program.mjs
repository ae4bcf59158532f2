// The program of a checkout as a few large files. Loading its modules one by one takes most of a start: Node looks up
// 1,400 paths, reads the files and keeps their modules. `npm start` therefore builds them together when they have
// changed, with esbuild, in half a second. Without esbuild, or where nothing can be written, the source runs as it is.
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isRecorded } from './installed.mjs';

/** Next to the packages: only a user who can change the code can write there. */
const FOLDER = join('node_modules', '.cache', 'dialplane', 'program');
/** The number of kept builds: a process that runs loads parts of its build later. */
const BUILDS_MAX = 3;
/** A build takes seconds; an older draft was left by a start that was killed. */
const DRAFT_MS_MAX = 3_600_000;

/**
 * Without comments and indentation the process holds 3 MB less of text. Lines stay short, and names are kept, so that a
 * stack trace can be read; with NODE_OPTIONS=--enable-source-maps it has the lines of the source.
 */
const LINE_CHARS = 160;

/**
 * The entries of the build: the program, and the modules that it runs in threads (`threadModule` in
 * src/lib/program.ts).
 */
const ENTRIES = [
  'src/main.ts',
  'src/http/site/render-thread.ts',
  'src/audio/files/convert-thread.ts',
  'src/speech/shipped/speak-thread.ts',
];
/** Packages that are found by their files, or rarely loaded. */
const EXTERNAL = ['@scalar/*', 'pg-native', '@redis/client', 'esbuild'];

/** Runs in each file of a build: gives CommonJS packages their names, and our modules the folder of the build. */
const BANNER = `import { createRequire as createRequireOfBuild } from 'node:module';
const BUILD_URL = import.meta.url;
const require = createRequireOfBuild(BUILD_URL);
const { filename: __filename, dirname: __dirname } = import.meta;`;

/**
 * Returns the entry of the current program. Makes the build if it is missing. Returns the entry of the source if no
 * build can be made.
 */
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
    // The user may not be allowed to write to the checkout. If the source has an error, running the source shows it
    // best.
    process.stderr.write(`dialplane: the program runs from its source: it was not built (${error.message})\n`);
    return source;
  }
}

/** Returns the digest of everything that the build is made of, by the sizes and times of the files. */
function digestOf(root) {
  const hash = createHash('sha256');
  const add = (path) => {
    // A link that leads nowhere is the lock of an editor on a file.
    const found = statSync(join(root, path), { throwIfNoEntry: false });
    if (found !== undefined) hash.update(`${path} ${found.size} ${found.mtimeMs}\n`);
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
  // An install that was killed may have left a part of the package.
  if (!isRecorded(root, 'node_modules/esbuild')) return undefined;
  try {
    const path = createRequire(join(root, 'package.json')).resolve('esbuild');
    return (await import(pathToFileURL(path).href)).default;
  } catch (error) {
    if (error.code === 'MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}

/**
 * Writes the characters beyond ASCII as escapes. An escape means the same in texts and regular expressions, but not in
 * raw texts, so a file with raw texts stays as it is. Node holds the text of a module in memory, with two bytes for
 * each character if one of them is beyond Latin 1.
 */
function inAscii(text) {
  if (text.includes('String.raw')) return text;
  return text.replace(/[^\0-\x7f]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Builds into a separate folder and renames it, so that a build is either complete or absent. */
async function build(esbuild, { root, folder }) {
  const draft = `${folder}.${randomBytes(6).toString('hex')}`;
  mkdirSync(draft, { recursive: true });
  try {
    // Node looks up the module kind of each file, and would read the checkout's package.json for it.
    writeFileSync(join(draft, 'package.json'), '{ "type": "module" }\n');
    const { outputFiles } = await esbuild.build({
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
      minifyWhitespace: true,
      lineLimit: LINE_CHARS,
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'silent',
      write: false,
      plugins: [namePlaces(root, draft), REQUIRED_BUILTINS],
    });
    for (const { path, text } of outputFiles) writeFileSync(path, path.endsWith('.js') ? inAscii(text) : text);
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another start has made the same build at the same time.
    if (!existsSync(join(folder, 'main.js'))) throw error;
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
 * Loads the modules of Node as CommonJS does. An `import` would read every export at once, and some exports load more
 * when they are read: `node:http` would load a client of 16 MB that is not used.
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

/** Removes all builds but the newest, and what killed starts have left. */
function removeOldBuilds(folder) {
  const found = readdirSync(folder).map((name) => {
    return { name, at: statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0 };
  });
  const isDraft = ({ name }) => name.includes('.');
  const builds = found.filter((build) => !isDraft(build)).sort((a, b) => b.at - a.at);
  const abandoned = found.filter((build) => isDraft(build) && Date.now() - build.at > DRAFT_MS_MAX);
  for (const { name } of builds.slice(BUILDS_MAX)) {
    // Renames first, so that no start finds a part of the build if this process is killed.
    const removed = `${name}.${randomBytes(6).toString('hex')}`;
    try {
      renameSync(join(folder, name), join(folder, removed));
    } catch (error) {
      // Another start has renamed it, and removes it.
      if (error.code !== 'ENOENT') throw error;
    }
    rmSync(join(folder, removed), { recursive: true, force: true });
  }
  for (const { name } of abandoned) rmSync(join(folder, name), { recursive: true, force: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  process.stdout.write(`${await findProgram(fileURLToPath(new URL('../..', import.meta.url)))}\n`);
}
