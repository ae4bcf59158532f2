/** The frame of every page: navigation, search, the headings of the page. */
import type { FastifyReply } from 'fastify';
import { type Html, html } from '../../lib/http/html.ts';
import { etagOf, isKnown } from '../edge/etag.ts';
import type { Passage } from './markdown.ts';
import { SITE_PAGES, SITE_SECTIONS, type SitePage } from './site-map.ts';

/** Pages load only files of this server, submit nothing, and cannot be framed. */
const PAGE_POLICY = [
  ...["default-src 'none'", "style-src 'self'", "script-src 'self'", "connect-src 'self'", "img-src 'self' data:"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

export const PAGE_HEADERS = {
  'content-security-policy': PAGE_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'public, max-age=300',
} as const;

export type PageParts = {
  readonly title: string;
  readonly content: Html;
  /** The page in the navigation. */
  readonly slug?: string;
  /** The headings of the page, for its table of contents. */
  readonly passages?: readonly Passage[];
  /** The address of the page as Markdown. */
  readonly markdown?: string;
};

/** Sends a whole page. */
export function sendPage(reply: FastifyReply, status: number, page: PageParts): FastifyReply {
  const { markup } = writePage(page);
  const etag = etagOf(markup);
  reply.headers(PAGE_HEADERS).header('etag', etag).type('text/html; charset=utf-8');
  if (status === 200 && isKnown(reply.request, etag)) return reply.code(304).send();
  return reply.code(status).send(markup);
}

function writePage(page: PageParts): Html {
  const { title, content, slug } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Dialplane</title>
<link rel="stylesheet" href="/docs/assets/site.css">
<link rel="icon" href="data:,">
<script type="module" src="/docs/assets/site.js"></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="name" href="/docs">Dialplane</a>
<search class="search"><input type="search" placeholder="Search" aria-label="Search the documentation" aria-controls="found" autocomplete="off"><ol id="found" hidden></ol></search>
<nav aria-label="Main"><a href="/docs/quickstart">Quickstart</a> <a href="/docs/api">API</a> <a href="/docs/changelog">Changelog</a></nav>
<button class="theme" type="button" hidden>Dark</button>
</header>
<div class="frame">
<details class="navigation"><summary>All pages</summary>${navigation(slug)}</details>
<main id="content">
<h1>${title}</h1>
${content}
${after(page)}
</main>
${contents(page.passages ?? [])}
</div>
</body>
</html>
`;
}

function navigation(current: string | undefined): Html {
  return html`<nav aria-label="Documentation">${SITE_SECTIONS.map(
    ({ title, pages }) => html`<h2>${title}</h2>
<ul>${pages.map((page) => html`<li>${link(page, page.slug === current)}</li>`)}</ul>
`,
  )}</nav>`;
}

function link({ slug, title }: SitePage, isCurrent = false): Html {
  const current: Html = { markup: isCurrent ? ' aria-current="page"' : '' };
  return html`<a href="/docs/${slug}"${current}>${title}</a>`;
}

/** Returns the headings of a page, if it has more than one. */
function contents(passages: readonly Passage[]): Html {
  const shown = passages.filter(({ level }) => level === 2 || level === 3);
  if (shown.length < 2) return html`<aside class="headings"></aside>`;
  const items = shown.map(
    ({ id, heading, level }) => html`<li class="level-${level}"><a href="#${id}">${heading}</a></li>
`,
  );
  return html`<aside class="headings"><nav aria-label="On this page"><h2>On this page</h2><ul>${items}</ul></nav></aside>`;
}

/** Returns links to the pages before and after, and to the page as Markdown. */
function after({ slug, markdown }: PageParts): Html {
  const at = SITE_PAGES.findIndex((page) => page.slug === slug);
  const before = at < 0 ? undefined : SITE_PAGES[at - 1];
  const next = at < 0 ? undefined : SITE_PAGES[at + 1];
  return html`<footer>
${before === undefined ? '' : html`<p class="before">Before: ${link(before)}</p>`}
${next === undefined ? '' : html`<p class="next">Next: ${link(next)}</p>`}
<p>Served by this installation, for the version it runs.${
    markdown === undefined ? '' : html` <a href="${markdown}">This page as Markdown</a>`
  }</p>
</footer>`;
}
