/** The documentation for language models: a list of the pages (llmstxt.org), and one text with all pages. */
import type { Library } from './library.ts';
import { SITE_SECTIONS, type SitePage } from './site-map.ts';

/**
 * The section that the text of all pages leaves out: pages for developers of the product, and changes of past versions.
 */
const SECTION_LEFT_OUT = 'Changing it';
const PAGE_LEFT_OUT = 'changelog';

const HEAD = `# Dialplane

> A self-hosted business phone service that a software platform embeds for its own customers: numbers, texts, 10DLC,
> calls, voicemail, audio streams, web clients, webhooks and usage, over one JSON API. Test keys run on a simulated
> carrier.
`;

const addressOf = (publicUrl: string, { file, slug }: SitePage) =>
  `${publicUrl}/docs/${slug}${file === undefined ? '' : '.md'}`;

/** Lists the pages as Markdown. */
export function writeList(publicUrl: string): string {
  const sections = SITE_SECTIONS.map(({ title, pages }) => {
    const lines = pages.map((page) => `- [${page.title}](${addressOf(publicUrl, page)})`);
    return `## ${title}\n\n${lines.join('\n')}\n`;
  });
  return `${HEAD}
The OpenAPI document is ${publicUrl}/v1/openapi.json. The pages for users and operators as one text are
${publicUrl}/llms-full.txt.

${sections.join('\n')}`;
}

/** Writes the pages for users and operators one after the other. The address of each page is above it. */
export async function writeAll(publicUrl: string, library: Library): Promise<string> {
  const pages = SITE_SECTIONS.filter(({ title }) => title !== SECTION_LEFT_OUT).flatMap((section) => section.pages);
  const texts: string[] = [];
  for (const page of pages) {
    const found = page.slug === PAGE_LEFT_OUT ? undefined : await library.find(page.slug);
    if (found !== undefined) texts.push(`<!-- ${addressOf(publicUrl, page)} -->\n\n${found.source.trim()}\n`);
  }
  return `${HEAD}\nThe OpenAPI document is ${publicUrl}/v1/openapi.json.\n\n${texts.join('\n\n')}`;
}
