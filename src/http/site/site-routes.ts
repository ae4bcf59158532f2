/**
 * The documentation that every installation serves: guides, search, and files for other programs with all of its text.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { html } from '../../lib/http/html.ts';
import { isKnown } from '../edge/etag.ts';
import type { RoutePlugin } from '../edge/types.ts';
import { type Asset, findAsset, readPicture } from './assets.ts';
import { PAGE_HEADERS, sendPage } from './layout.ts';
import { type Library, openLibrary } from './library.ts';
import { ANCHOR_LEVEL, PICTURE } from './links.ts';
import { writeAll, writeList } from './llms.ts';
import { SITE_SECTIONS } from './site-map.ts';

const hidden = { schema: { hide: true } } as const;

/** The modules that pages of the platform import. */
const FOR_PAGES = {
  '/softphone.js': 'softphone.js',
  '/embeds/inbox.js': 'inbox.js',
  '/embeds/phone.js': 'phone.js',
};

/**
 * /docs/{page}, /docs/{page}.md, /docs/search.json, /docs/assets/{file}, /docs/screenshots/{file}, /softphone.js,
 * /sdk.tgz, /embeds/{element}.js, /llms.txt and /llms-full.txt.
 */
export const siteRoutes: RoutePlugin = (app, { settings }) => {
  const library = openLibrary();
  let passages: Promise<Found[]> | undefined;

  app.get<{ Params: { '*': string } }>('/docs/*', hidden, async (request, reply) => {
    const path = request.params['*'];
    if (path.endsWith('.md')) return await sendMarkdown(reply, library, path.slice(0, -3));
    const page = await library.find(path);
    if (page === undefined) return sendMissing(reply);
    const { title, content, passages: found } = page;
    return sendPage(reply, 200, { title, content, slug: path, passages: found, markdown: `/docs/${path}.md` });
  });
  app.get('/docs/search.json', hidden, async (_request, reply) => {
    reply.headers({ 'cache-control': 'public, max-age=300' });
    passages ??= collectPassages(library).catch((error: unknown) => {
      passages = undefined;
      throw error;
    });
    return await passages;
  });
  app.get<{ Params: { file: string } }>('/docs/assets/:file', hidden, async (request, reply) => {
    const asset = await findAsset(request.params.file);
    if (asset === undefined) return sendMissing(reply);
    return sendAsset(request, reply, asset);
  });
  app.get<{ Params: { file: string } }>('/docs/screenshots/:file', hidden, async (request, reply) =>
    sendPicture(reply, `docs/screenshots/${request.params.file}`),
  );
  for (const [path, file] of Object.entries(FOR_PAGES)) {
    app.get(path, hidden, async (request, reply) => {
      const asset = await findAsset(file);
      if (asset === undefined) return sendMissing(reply);
      // Pages of other origins import it.
      reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      return sendAsset(request, reply, asset);
    });
  }
  app.get('/sdk.tgz', hidden, async (request, reply) => {
    const asset = await findAsset('sdk.tgz');
    if (asset === undefined) return sendMissing(reply);
    const { type, gzipped, etag } = asset;
    return setHeaders(request, reply, etag) ? reply.code(304).send() : reply.type(type).send(gzipped);
  });
  app.get('/llms.txt', hidden, (_request, reply) =>
    reply.type('text/plain; charset=utf-8').send(writeList(settings.publicUrl)),
  );
  app.get('/llms-full.txt', hidden, async (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=300')
      .type('text/plain; charset=utf-8')
      .send(await writeAll(settings.publicUrl, library)),
  );
};

function sendAsset(request: FastifyRequest, reply: FastifyReply, { type, gzipped, etag }: Asset): FastifyReply {
  if (setHeaders(request, reply, etag)) return reply.code(304).send();
  return reply.header('content-encoding', 'gzip').type(type).send(gzipped);
}

/** Sets the headers of a file. Returns true if the client already has the file. */
function setHeaders(request: FastifyRequest, reply: FastifyReply, etag: string): boolean {
  reply.headers({ 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff', etag });
  return isKnown(request, etag);
}

async function sendPicture(reply: FastifyReply, file: string): Promise<FastifyReply> {
  if (!PICTURE.test(file)) return sendMissing(reply);
  try {
    const picture = await readPicture(file);
    return await reply
      .headers({ 'cache-control': 'public, max-age=300', 'x-content-type-options': 'nosniff' })
      .type('image/webp')
      .send(picture);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return sendMissing(reply);
    throw error;
  }
}

function sendMissing(reply: FastifyReply): FastifyReply {
  const content = html`<p>There is no such page. <a href="/docs">The overview</a> leads to all pages, and the search
above looks into them.</p>`;
  return sendPage(reply, 404, { title: 'Page not found', content });
}

async function sendMarkdown(reply: FastifyReply, library: Library, slug: string): Promise<FastifyReply> {
  const page = await library.find(slug);
  if (page === undefined) return sendMissing(reply);
  return reply
    .headers({ ...PAGE_HEADERS, 'content-security-policy': "default-src 'none'" })
    .type('text/markdown; charset=utf-8')
    .send(page.source);
}

type Found = { readonly url: string; readonly title: string; readonly heading: string; readonly text: string };

/**
 * Returns the passages for the search in the browser: each heading of the pages in the navigation and each error code,
 * with the text below it. Each error code has a separate page.
 */
async function collectPassages(library: Library): Promise<Found[]> {
  const found: Found[] = [];
  for (const { slug, title } of SITE_SECTIONS.flatMap(({ pages }) => pages)) {
    const page = await library.find(slug);
    for (const { id, heading, level, text } of page?.passages ?? []) {
      const part = slug === 'errors' && level === ANCHOR_LEVEL ? `/${id}` : `#${id}`;
      found.push({ url: `/docs/${slug}${level === 1 ? '' : part}`, title, heading, text: text.trim() });
    }
  }
  return found;
}
