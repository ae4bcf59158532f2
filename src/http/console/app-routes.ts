/** The app of the console: its files, and its page, which is served for every address below /console. */

import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Settings } from '../../context.ts';
import { ApiError } from '../../lib/errors/errors.ts';
import { html } from '../../lib/http/html.ts';
import { withoutSlash } from '../../lib/http/without-slash.ts';
import { isKnown } from '../edge/etag.ts';
import type { RoutePlugin } from '../edge/types.ts';
import { type AppFile, isFileName, openAppFiles } from './app-files.ts';

export type ConsoleApp = {
  /** The folder of the built app. */
  readonly folder: string;
  /** Returns a sentence that says why there is no build yet. `isBuilding` is true if a build will be there soon. */
  missing(): { readonly isBuilding: boolean; readonly text: string };
};

const hidden = { schema: { hide: true } } as const;

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

/** A page that waits for the build reloads itself at this interval. */
const RELOAD_S = 2;

/** Returns the routes of the app: /console and everything below it that is not the console's API. */
export function consoleAppRoutes({ folder, missing }: ConsoleApp): RoutePlugin {
  return (app, { settings }) => {
    const files = openAppFiles(folder);
    const base = `${prefixOf(settings.publicUrl)}/console/`;

    const sendIndex = async (reply: FastifyReply) => {
      const index = await files.index();
      const nonce = randomBytes(16).toString('base64');
      reply.headers({ ...HEADERS, 'content-security-policy': writePolicy(settings, nonce) });
      reply.type('text/html; charset=utf-8');
      if (index === undefined) return sendMissing(reply, missing(), nonce);
      const markup = index.replace('<!--base-->', `<base href="${base}">`).replaceAll('__CSP_NONCE__', nonce);
      return reply.headers({ 'cache-control': 'no-cache', 'permissions-policy': 'microphone=(self)' }).send(markup);
    };

    app.get('/console', hidden, async (_request, reply) => sendIndex(reply));
    app.get<{ Params: { '*': string } }>('/console/*', hidden, async (request, reply) => {
      const path = request.params['*'];
      if (path === 'api' || path.startsWith('api/')) throw new ApiError('not_found');
      const file = await files.find(path);
      if (file !== undefined) return sendFile(request, reply, { file, isHashed: path.startsWith('assets/') });
      // With index.html as the reply, a browser would use the page as the missing script or style.
      if (path.startsWith('assets/') || isFileName(path)) throw new ApiError('not_found');
      return await sendIndex(reply);
    });
  };
}

/** Returns the path of the public address, without a slash at its end. */
function prefixOf(publicUrl: string): string {
  return withoutSlash(new URL(publicUrl).pathname);
}

/** The sources that the page may load: everything from this server, and style elements with the page's nonce. */
function writePolicy({ publicUrl, mediaUrl }: Pick<Settings, 'publicUrl' | 'mediaUrl'>, nonce: string): string {
  const sockets = new Set([publicUrl.replace(/^http/, 'ws'), mediaUrl].map((url) => originOf(url)));
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self' ${[...sockets].join(' ')}`,
    "worker-src 'self' blob:",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Returns the origin of a ws: or wss: address, as the URL standard defines it. */
function originOf(url: string): string {
  return new URL(url).origin;
}

type Sent = { readonly file: AppFile; readonly isHashed: boolean };

function sendFile(request: FastifyRequest, reply: FastifyReply, { file, isHashed }: Sent): FastifyReply {
  const { type, content, gzipped, etag } = file;
  reply.headers({
    ...HEADERS,
    // A hashed file gets a new name when its content changes.
    'cache-control': isHashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    vary: 'accept-encoding',
    etag,
  });
  if (isKnown(request, etag)) return reply.code(304).send();
  const takesGzip = /\bgzip\b(?!;q=0(\.0*)?(,|$))/.test(request.headers['accept-encoding']?.toString() ?? '');
  reply.type(type);
  if (gzipped === undefined || !takesGzip) return reply.send(content);
  return reply.header('content-encoding', 'gzip').send(gzipped);
}

function sendMissing(
  reply: FastifyReply,
  { isBuilding, text }: ReturnType<ConsoleApp['missing']>,
  nonce: string,
): FastifyReply {
  reply.headers({ 'cache-control': 'no-store', 'retry-after': String(RELOAD_S) });
  const { markup } = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${isBuilding ? html`<meta http-equiv="refresh" content="${RELOAD_S}">` : html``}
<title>Dialplane</title>
<style nonce="${nonce}">body { font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 20vh auto; padding: 0 1rem }</style>
</head>
<body>
<h1>Dialplane</h1>
<p role="status">${text}</p>
</body>
</html>
`;
  return reply.code(503).send(markup);
}
