/** Renders Markdown as pages: headings with anchors, links between the pages, code in colours. */
import GithubSlugger from 'github-slugger';
import MarkdownIt, { type Token } from 'markdown-it';
import type { Html } from '../../lib/http/html.ts';
import { type CodeBlock, canBeTab, writeCode, writeTabs } from './code.ts';
import { ANCHOR_LEVEL } from './links.ts';

/** A heading with the text below it, up to the next heading. */
export type Passage = { readonly id: string; readonly heading: string; readonly level: number; readonly text: string };

export type Rendered = {
  /** The text of the first heading. */
  readonly title: string;
  /** The page below its first heading. */
  readonly content: Html;
  readonly passages: readonly Passage[];
};

/** Returns the address of a link. If it returns undefined, the text stays without a link. */
export type ResolveLink = (href: string) => string | undefined;

const markdown = new MarkdownIt({ html: false, linkify: false });

/** Renders a Markdown file. @param resolveLink called for each link */
export function renderMarkdown(source: string, resolveLink: ResolveLink): Rendered {
  const tokens = groupTabs(markdown.parse(source, {}));
  const slugger = new GithubSlugger();
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') token.attrSet('id', slugger.slug(textOf(tokens[at + 1])));
    if (token.type === 'inline') {
      setLinks(token.children ?? [], resolveLink);
      setAnchor(token.children?.[0]);
    }
  }
  const passages = readPassages(tokens);
  const isTitled = tokens[0]?.type === 'heading_open' && tokens[0].tag === 'h1';
  const body = isTitled ? tokens.slice(3) : tokens;
  return {
    title: passages[0]?.heading ?? '',
    content: { markup: markdown.renderer.render(body, markdown.options, {}) },
    passages,
  };
}

markdown.renderer.rules['fence'] = (tokens, at) => writeCode(blockOf(tokens[at] as Token));
markdown.renderer.rules['code_block'] = (tokens, at) =>
  writeCode({ language: '', code: (tokens[at] as Token).content });
markdown.renderer.rules['tabs'] = (tokens, at) => writeTabs(((tokens[at] as Token).meta as TabsMeta).blocks);
markdown.renderer.rules['anchor'] = (tokens, at) => {
  const { meta, content } = tokens[at] as Token;
  return `<a id="${String(meta?.['id'])}"></a>${markdown.utils.escapeHtml(content)}`;
};
markdown.renderer.rules['table_open'] = () => '<div class="table"><table>\n';
markdown.renderer.rules['table_close'] = () => '</table></div>\n';
markdown.renderer.rules['heading_close'] = (tokens, at) => {
  const token = tokens[at] as Token;
  const id = tokens[at - 2]?.attrGet('id') ?? '';
  return ` <a class="anchor" href="#${id}" aria-label="Link to this heading">#</a></${token.tag}>\n`;
};

function blockOf({ info, content }: Token): CodeBlock {
  return { language: info.trim().split(/\s/, 1)[0] ?? '', code: content };
}

type TabsMeta = { readonly blocks: readonly CodeBlock[] };

/** Joins blocks of code that follow each other directly into one token, if each is in another language. */
function groupTabs(tokens: readonly Token[]): Token[] {
  const grouped: Token[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const run = readRun(tokens, at);
    const first = tokens[at] as Token;
    if (run.length < 2) {
      grouped.push(first);
      continue;
    }
    first.type = 'tabs';
    first.meta = { blocks: run } satisfies TabsMeta;
    grouped.push(first);
    at += run.length - 1;
  }
  return grouped;
}

/** Returns the blocks from a token on that become the tabs of one group. */
function readRun(tokens: readonly Token[], from: number): CodeBlock[] {
  const run: CodeBlock[] = [];
  for (const token of tokens.slice(from)) {
    if (token.type !== 'fence') break;
    const block = blockOf(token);
    if (!canBeTab(block.language) || run.some(({ language }) => language === block.language)) break;
    run.push(block);
  }
  return run;
}

const ANCHOR = /^<a id="([\w-]+)"><\/a>/;

/** Replaces `<a id="…"></a>` at the start of a text by an anchor. Pages contain no other HTML. */
function setAnchor(first: Token | undefined): void {
  const [anchor = '', id] = ANCHOR.exec(first?.content ?? '') ?? [];
  if (first === undefined || id === undefined) return;
  first.type = 'anchor';
  first.meta = { id };
  first.content = first.content.slice(anchor.length);
}

function setLinks(children: readonly Token[], resolveLink: ResolveLink): void {
  let isDropped = false;
  for (const child of children) {
    if (child.type === 'image') child.attrSet('src', resolveLink(String(child.attrGet('src') ?? '')) ?? '');
    if (child.type === 'link_open') {
      const href = resolveLink(String(child.attrGet('href') ?? ''));
      isDropped = href === undefined;
      if (href !== undefined) child.attrSet('href', href);
    }
    if (isDropped && child.type.startsWith('link_')) {
      child.type = 'text';
      child.content = '';
    }
  }
}

/** The text of a token and of its children. */
function textOf(token: Token | undefined): string {
  if (token === undefined) return '';
  if (token.children === null) return token.type === 'softbreak' ? ' ' : token.content;
  return token.children.map(textOf).join('');
}

function readPassages(tokens: readonly Token[]): Passage[] {
  const passages: { id: string; heading: string; level: number; text: string }[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const id = String(token.attrGet('id') ?? '');
      passages.push({ id, heading: textOf(tokens[at + 1]), level: Number(token.tag.slice(1)), text: '' });
    } else if (token.type === 'inline' && tokens[at - 1]?.type !== 'heading_open') {
      const [first] = token.children ?? [];
      const passage = passages.at(-1);
      if (first?.type === 'anchor') {
        passages.push({ id: String(first.meta?.['id']), heading: textOf(token), level: ANCHOR_LEVEL, text: '' });
      } else if (passage !== undefined) passage.text += `${textOf(token)} `;
    }
  }
  return passages;
}
