import { createHash } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../lib/html.ts';

const STYLE = `
:root { color-scheme: light dark; --text: #1b1f24; --dim: #555d66; --back: #ffffff; --line: #d5dae0; --link: #0b57a4;
  --code: #f2f4f7; }
@media (prefers-color-scheme: dark) { :root { --text: #e6e9ed; --dim: #a3acb6; --back: #14171a; --line: #363c43;
  --link: #86bdf5; --code: #1f2429; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
header, main, footer { max-width: 58rem; margin: 0 auto; padding: 1rem 1.25rem; }
header { border-bottom: 1px solid var(--line); display: flex; gap: 1.5rem; flex-wrap: wrap; align-items: baseline; }
footer { border-top: 1px solid var(--line); color: var(--dim); }
nav ul { list-style: none; display: flex; gap: 1.25rem; margin: 0; padding: 0; flex-wrap: wrap; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--back); padding: .5rem; }
h1 { line-height: 1.2; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); padding-bottom: .25rem; }
code, pre { font-family: ui-monospace, monospace; font-size: .92em; background: var(--code); border-radius: 4px; }
code { padding: .1em .3em; }
pre { padding: .9rem 1rem; overflow-x: auto; }
pre code { padding: 0; }
.table { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
td code { white-space: nowrap; }
dt { font-weight: 600; margin-top: .75rem; }
dd { margin: 0; }
`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** Pages load, run and submit nothing and cannot be framed; the one style sheet is allowed by its digest. */
const PAGE_HEADERS = {
  'content-security-policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=300',
} as const;

const STYLE_ELEMENT: Html = { markup: `<style>${STYLE}</style>` };

/** Sends a whole page. */
export function sendPage(reply: FastifyReply, status: number, title: string, content: Html): FastifyReply {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Dialplane</title>
${STYLE_ELEMENT}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<strong>Dialplane</strong>
<nav aria-label="Documentation"><ul>
<li><a href="/docs">Overview</a></li>
<li><a href="/docs/events">Events</a></li>
<li><a href="/docs/errors">Errors</a></li>
<li><a href="/v1/openapi.json">OpenAPI</a></li>
</ul></nav>
</header>
<main id="content">
<h1>${title}</h1>
${content}
</main>
<footer>Served by this installation, for the version it runs.</footer>
</body>
</html>
`;
  return reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page.markup);
}
