/** /docs/api: every operation with its fields. Readers can send requests from the page with a test key. */
import { randomBytes } from 'node:crypto';
import { html } from '../../lib/http/html.ts';
import type { RoutePlugin } from '../edge/types.ts';
import { PAGE_HEADERS } from './layout.ts';

export const referencePage: RoutePlugin = (app) => {
  app.get('/docs/api', { schema: { hide: true } }, (_request, reply) => {
    const nonce = randomBytes(16).toString('base64');
    return reply
      .headers({ ...PAGE_HEADERS, 'content-security-policy': policy(nonce), 'cache-control': 'no-cache' })
      .type('text/html; charset=utf-8')
      .send(page(nonce).markup);
  });
};

/** The renderer writes styles into the page and its elements, and loads nothing from other servers. */
function policy(nonce: string): string {
  return [
    ...["default-src 'none'", "style-src 'self' 'unsafe-inline'", `script-src 'self' 'nonce-${nonce}'`],
    ...["connect-src 'self'", "img-src 'self' data: blob:", "font-src 'self' data:", "worker-src 'self' blob:"],
    ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
  ].join('; ');
}

function page(nonce: string) {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta property="csp-nonce" nonce="${nonce}" content="${nonce}">
<title>API reference · Dialplane</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/assets/frame.css">
</head>
<body class="reference">
<header>
<a class="name" href="/docs">Dialplane</a>
<nav aria-label="Main"><a href="/docs/quickstart">Quickstart</a> <a href="/docs/operations">All operations</a> <a href="/v1/openapi.json">OpenAPI</a></nav>
</header>
<div id="reference"><noscript>This page needs JavaScript. <a href="/docs/operations">All operations are listed here.</a></noscript></div>
<script src="/docs/assets/scalar.js"></script>
<script type="module" src="/docs/assets/reference.js"></script>
</body>
</html>
`;
}
