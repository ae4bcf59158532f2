/** The files that pages load. All of them come from this server. */
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { fastify } from 'fastify';
import { etagOf } from '../edge/etag.ts';

export type Asset = { readonly type: string; readonly gzipped: Buffer; readonly etag: string };

const zip = promisify(gzip);

const CSS = 'text/css; charset=utf-8';
const SCRIPT = 'text/javascript; charset=utf-8';

const browserFile = (file: string) => readFile(new URL(`browser/${file}`, import.meta.url), 'utf8');
const bundle = (path: string) => readFile(new URL(`../../../packages/${path}`, import.meta.url), 'utf8');
const styles = async (...files: readonly string[]) => (await Promise.all(files.map(browserFile))).join('\n');

const FILES: Readonly<Record<string, { readonly type: string; readonly read: () => Promise<string> }>> = {
  'site.css': { type: CSS, read: () => styles('theme.css', 'frame.css', 'content.css') },
  'frame.css': { type: CSS, read: () => styles('theme.css', 'frame.css') },
  'site.js': { type: SCRIPT, read: () => browserFile('site.js') },
  'reference.js': { type: SCRIPT, read: () => browserFile('reference.js') },
  'softphone.js': { type: SCRIPT, read: () => bundle('softphone/bundle/softphone.js') },
  'inbox.js': { type: SCRIPT, read: () => bundle('embeds/bundle/inbox.js') },
  'phone.js': { type: SCRIPT, read: () => bundle('embeds/bundle/phone.js') },
  'sdk.tgz': { type: 'application/gzip', read: () => bundle('sdk/bundle/sdk.tar') },
  'minisearch.js': { type: SCRIPT, read: () => readFile(new URL(import.meta.resolve('minisearch')), 'utf8') },
  'scalar.js': { type: SCRIPT, read: readScalar },
};

/** Returns a picture by its path from the root of the product. @throws if the product does not have it */
export const readPicture = (file: string) => readFile(new URL(`../../../${file}`, import.meta.url));

const assets = new Map<string, Promise<Asset>>();

/** Returns a file by its name; undefined if there is none. */
export function findAsset(name: string): Promise<Asset> | undefined {
  if (!Object.hasOwn(FILES, name)) return undefined;
  const known = assets.get(name);
  if (known !== undefined) return known;
  const asset = load(name);
  assets.set(name, asset);
  asset.catch(() => assets.delete(name));
  return asset;
}

async function load(name: string): Promise<Asset> {
  const { type, read } = FILES[name] as (typeof FILES)[string];
  const gzipped = await zip(await read());
  return { type, gzipped, etag: etagOf(gzipped) };
}

/**
 * Returns the package's script for browsers. It has 4 MB and is part of a plugin, so it is loaded only when a browser
 * requests it.
 */
async function readScalar(): Promise<string> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  await app.register(plugin, { routePrefix: '/', configuration: { url: '/v1/openapi.json' } });
  const { statusCode, body } = await app.inject('/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`the script of the API reference was not found: ${statusCode}`);
  return body;
}
