/**
 * The files of the built app, read when a browser requests them. A changed index.html marks a new build, so a new build
 * needs no restart.
 */
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { etagOf } from '../edge/etag.ts';

export type AppFile = {
  readonly type: string;
  readonly content: Buffer;
  /** Undefined for types that do not become smaller. */
  readonly gzipped: Buffer | undefined;
  readonly etag: string;
};

export type AppFiles = {
  /** Returns index.html of the latest build; undefined if there is none. */
  index(): Promise<string | undefined>;
  /** Returns a file by its path below the folder; undefined if the build has none. */
  find(path: string): Promise<AppFile | undefined>;
};

const zip = promisify(gzip);

const TEXT_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.wasm': 'application/wasm',
};
const OTHER_TYPES: Readonly<Record<string, string>> = {
  '.ico': 'image/x-icon',
  '.mp3': 'audio/mpeg',
  '.png': 'image/png',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** True if the path ends in the extension of a file of the app. The address of a page has no such extension. */
export function isFileName(path: string): boolean {
  const extension = extname(path);
  return extension in TEXT_TYPES || extension in OTHER_TYPES;
}

type Build = {
  /** Identifies the build. */
  readonly stamp: string;
  readonly index: string;
  /** The paths of the files. Nothing else is served, so a request cannot leave the folder. */
  readonly paths: ReadonlySet<string>;
  readonly files: Map<string, Promise<AppFile>>;
};

/** Opens the folder of a build. It may be created later. */
export function openAppFiles(folder: string): AppFiles {
  const indexPath = join(folder, 'index.html');
  let known: Build | undefined;

  const current = async (): Promise<Build | undefined> => {
    const stamp = await stampOf(indexPath);
    if (stamp === undefined) known = undefined;
    else if (known?.stamp !== stamp) known = await readBuild(folder, stamp);
    return known;
  };

  return {
    index: async () => (await current())?.index,
    find: async (path) => {
      const build = known?.paths.has(path) ? known : await current();
      if (build === undefined || !build.paths.has(path)) return undefined;
      const file = build.files.get(path) ?? readAppFile(folder, path);
      build.files.set(path, file);
      file.catch(() => build.files.delete(path));
      return await file;
    },
  };
}

async function stampOf(path: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Returns undefined if the build is replaced during the read. The next request reads the new build. */
async function readBuild(folder: string, stamp: string): Promise<Build | undefined> {
  try {
    const index = await readFile(join(folder, 'index.html'), 'utf8');
    const entries = await readdir(folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name));
    const paths = files.map((file) => file.slice(folder.length).split(sep).join('/').replace(/^\//, ''));
    return { stamp, index, paths: new Set(paths.filter(isServed)), files: new Map() };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/**
 * Excludes index.html, which is served as a page. Excludes files whose names begin with a dot, such as the build's
 * notes.
 */
function isServed(path: string): boolean {
  return path !== 'index.html' && !path.split('/').some((part) => part.startsWith('.'));
}

async function readAppFile(folder: string, path: string): Promise<AppFile> {
  const extension = extname(path);
  const content = await readFile(join(folder, path));
  const textType = TEXT_TYPES[extension];
  const etag = etagOf(content);
  if (textType !== undefined) return { type: textType, content, gzipped: await zip(content), etag };
  return { type: OTHER_TYPES[extension] ?? 'application/octet-stream', content, gzipped: undefined, etag };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
