import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { useHarness } from '../../../test/support/harness.ts';
import { resolveLink } from './links.ts';
import { renderMarkdown } from './markdown.ts';
import { SITE_PAGES, SITE_SECTIONS } from './site-map.ts';

const harness = await useHarness({ startWorkers: false });
const root = fileURLToPath(new URL('../../../', import.meta.url));

const open = (path: string) => harness.call('GET', path, { key: null });
const render = (source: string) => renderMarkdown(source, (href) => resolveLink('docs/page.md', href));

/** The files in docs, with their paths from the root of the product. */
const files = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.md'))
  .map((file) => `docs/${file}`);

test('each page of the navigation opens, names itself, and is there as Markdown', async () => {
  for (const { slug, title, file } of SITE_PAGES) {
    const { status, body } = await open(`/docs/${slug}`);
    assert.equal(status, 200, slug);
    if (slug !== 'api') assert.ok(body.includes(`aria-current="page">${title}</a>`), `${slug} marks itself`);
    if (file === undefined) continue;
    const markdown = await open(`/docs/${slug}.md`);
    assert.equal(markdown.headers.get('content-type'), 'text/markdown; charset=utf-8');
    assert.equal(markdown.body, readFileSync(`${root}${file}`, 'utf8'));
  }
});

test('every guide of docs is in the navigation', () => {
  const listed = SITE_PAGES.map(({ file }) => file);
  const missing = files.filter((file) => !file.startsWith('docs/decisions/') && !listed.includes(file));
  assert.deepEqual(missing, []);
});

test('each link of each page leads to a page and to a heading of it', async () => {
  const bodies = new Map<string, string>();
  const bodyOf = async (path: string): Promise<string | undefined> => {
    if (!bodies.has(path)) {
      const { status, body } = await open(path);
      bodies.set(path, status === 200 ? String(body) : '');
    }
    return bodies.get(path) || undefined;
  };
  const broken: string[] = [];
  let checked = 0;
  for (const file of [...files, 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md']) {
    const page = resolveLink('README.md', file);
    const body = (await bodyOf(page ?? '')) ?? assert.fail(`${file} has no page`);
    for (const [, href = ''] of body.slice(body.indexOf('<main')).matchAll(/<a href="([^"]+)"/g)) {
      if (/^(https?|mailto):/.test(href)) continue;
      const [path = '', anchor] = href.split('#');
      const target = path === '' ? body : await bodyOf(path);
      checked++;
      if (target === undefined || (anchor && !target.includes(`id="${anchor}"`))) broken.push(`${file}: ${href}`);
    }
  }
  assert.ok(checked > 400, `${checked} links were checked`);
  assert.deepEqual(broken, []);
});

const OTHERS = [
  'nope',
  '..%2Fpackage',
  'files/..%2Fpackage.json',
  'files/deploy%2F..%2Fpackage.json',
  'files/src/main.ts',
];
for (const address of OTHERS.flatMap((path) => [`/docs/${path}`, `/docs/${path}.md`])) {
  test(`${address} is a page that says that there is none`, async () => {
    const { status, body, headers } = await open(address);
    assert.equal(status, 404);
    assert.match(headers.get('content-type') ?? '', /html/);
    assert.match(body, /There is no such page/);
  });
}

test('files of the deployment are shown as they are', async () => {
  const { status, body } = await open('/docs/files/config.example.env');
  assert.equal(status, 200);
  assert.match(body, /DATABASE_URL/);
});

test('the search has every heading of every page, with an address that opens', async () => {
  const { body } = await open('/docs/search.json');
  const urls = new Set(body.map(({ url }: { url: string }) => url.split('#')[0]));
  for (const { slug, file } of SITE_PAGES) if (file !== undefined) assert.ok(urls.has(`/docs/${slug}`), slug);
  const found = body.filter(({ text }: { text: string }) => text.includes('Verify the bytes as they came'));
  assert.deepEqual(
    found.map(({ url, title }: Record<string, string>) => [url, title]),
    [['/docs/webhooks#verifying-a-signature', 'Webhooks']],
  );
});

test('the search has each error code as a heading, and no HTML in its texts', async () => {
  const { body } = await open('/docs/search.json');
  const found = body.find(({ heading }: { heading: string }) => heading === 'recipient_opted_out');
  assert.equal(found?.url, '/docs/errors/recipient_opted_out');
  assert.equal((await open(found.url)).status, 200);
  assert.match(found.text, /^\d{3} \S/);
  const marked = body.filter(({ heading, text }: Record<string, string>) => /<\/?a\b/.test(`${heading}${text}`));
  assert.deepEqual(marked, []);
});

test('llms.txt lists the pages', async () => {
  const { body } = await open('/llms.txt');
  for (const { slug, title } of SITE_PAGES)
    assert.ok(body.includes(`[${title}](`) && body.includes(`/docs/${slug}`), slug);
});

test('llms-full.txt has the pages for users and operators, each below its address', async () => {
  const { status, headers, body } = await open('/llms-full.txt');
  assert.deepEqual([status, headers.get('content-type')], [200, 'text/plain; charset=utf-8']);
  const pages = SITE_SECTIONS.flatMap(({ title, pages }) => pages.map((page) => ({ ...page, section: title })));
  for (const { slug, file, section } of pages.filter((page) => page.file !== undefined)) {
    const isLeftOut = section === 'Changing it' || slug === 'changelog';
    assert.equal(body.includes(`/docs/${slug}.md -->\n\n`), !isLeftOut, slug);
    const source = readFileSync(new URL(`../../../${file}`, import.meta.url), 'utf8').trim();
    assert.equal(body.includes(source), !isLeftOut, slug);
  }
});

test('a page that has not changed is not sent again', async () => {
  const { headers } = await open('/docs/webhooks');
  const again = await harness.call('GET', '/docs/webhooks', {
    key: null,
    headers: { 'if-none-match': headers.get('etag') ?? '' },
  });
  assert.equal(again.status, 304);
});

const SCRIPTS = [
  { path: '/softphone.js', bytesMax: 20_000 },
  { path: '/embeds/inbox.js', bytesMax: 60 * 1024 },
  { path: '/embeds/phone.js', bytesMax: 60 * 1024 },
];

for (const { path, bytesMax } of SCRIPTS) {
  test(`${path} is open to every origin, at most ${bytesMax} bytes compressed, and cached by its ETag`, async () => {
    const { status, headers, body } = await open(path);
    assert.equal(status, 200);
    assert.equal(headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(headers.get('access-control-allow-origin'), '*');
    assert.ok(gzipSync(String(body)).length <= bytesMax);
    const known = { 'if-none-match': headers.get('etag') ?? assert.fail('no ETag') };
    assert.equal((await harness.call('GET', path, { key: null, headers: known })).status, 304);
  });
}

test('/sdk.tgz needs no key, has the same bytes each time and at most 80 KB, and is cached by its ETag', async () => {
  const [first, second] = await Promise.all(
    [1, 2].map(async () => {
      const reply = await fetch(`${harness.url}/sdk.tgz`);
      return { reply, bytes: Buffer.from(await reply.arrayBuffer()) };
    }),
  );
  assert.ok(first !== undefined && second !== undefined);
  assert.equal(first.reply.status, 200);
  assert.equal(first.reply.headers.get('content-type'), 'application/gzip');
  assert.equal(first.reply.headers.get('content-encoding'), null);
  assert.ok(first.bytes.equals(second.bytes));
  assert.ok(first.bytes.length <= 80 * 1024, `${first.bytes.length} bytes`);
  const known = { 'if-none-match': first.reply.headers.get('etag') ?? assert.fail('no ETag') };
  assert.equal((await harness.call('GET', '/sdk.tgz', { key: null, headers: known })).status, 304);
});

test('/softphone.js has the script of the audio thread in it', async () => {
  const { body } = await open('/softphone.js');
  assert.ok(String(body).includes('dialplane-playback'));
});

test('code in several languages becomes tabs, and code of one language does not', () => {
  const tabs = render('# A\n\n```sh\ncurl x\n```\n\n```ts\nconst a = 1;\n```\n').content.markup;
  assert.match(tabs, /<div class="tabs">\n<section class="tab" data-tab="curl">[\s\S]*data-tab="TypeScript"/);
  const two = render('# A\n\n```sh\none\n```\n\n```sh\ntwo\n```\n').content.markup;
  assert.ok(!two.includes('tabs'));
  const reply = render('# A\n\n```sh\none\n```\n\n```json\n{}\n```\n').content.markup;
  assert.ok(!reply.includes('tabs'));
});

test('the pictures of pages are served, are in the npm package, and no other file is served beside them', async () => {
  const { body } = await open('/docs/readme');
  const pictures = [...body.matchAll(/<img src="\/([^"]+)"/g)].map(([, path]) => String(path));
  assert.equal(pictures.length, 3);
  const { files: packed } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { files: string[] };
  for (const path of pictures) {
    const { status, headers } = await open(`/${path}`);
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/webp']);
    assert.ok(
      packed.some((pattern) => posix.matchesGlob(path, pattern)),
      path,
    );
  }
  for (const name of ['none.webp', '..%2f..%2fpackage.json', '%2e%2e%2f..%2fREADME.md']) {
    assert.equal((await open(`/docs/screenshots/${name}`)).status, 404, name);
  }
});

test('markup in Markdown is text, and a link to source code is its text', () => {
  const { markup } = render(
    '# A\n\n<script>alert(1)</script> [the code](../src/main.ts) [a](javascript:alert(1))',
  ).content;
  assert.ok(!markup.includes('<script'));
  assert.ok(markup.includes('the code') && !markup.includes('<a'));
});
