/** The pages of the documentation as blocks of code. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** The page whose section "Set up" has the definitions for the examples of all other pages. */
export const QUICKSTART = 'docs/quickstart.md';

export type Block = {
  /** Path from the root of the repository. */
  readonly page: string;
  /** Line of the opening fence, counted from 1. */
  readonly line: number;
  /** The word after the opening fence; empty for drawings and plain text. */
  readonly language: string;
  readonly text: string;
  /** Heading above the block. */
  readonly section: string;
};

/** Returns the paths of all pages except the README, whose commands have a separate test. */
export function docPages(): string[] {
  const names = readdirSync(`${ROOT}docs`, { recursive: true, encoding: 'utf8' });
  const pages = names.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`);
  return ['CONTRIBUTING.md', 'packages/softphone/README.md', ...pages.sort()];
}

/** Returns the paths of the pages in examples/: the list, and the README of each example. */
export function examplePages(): string[] {
  const names = readdirSync(`${ROOT}examples`, { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.md')).map((name) => `examples/${name.replaceAll('\\', '/')}`);
}

export function readPage(page: string): string {
  return readFileSync(`${ROOT}${page}`, 'utf8');
}

/** Returns the fenced blocks of a page in order. */
export function blocksOf(page: string): Block[] {
  const blocks: Block[] = [];
  let section = '';
  let open: { line: number; language: string; lines: string[] } | undefined;
  for (const [index, line] of readPage(page).split('\n').entries()) {
    const [, language] = /^```(\w*)$/.exec(line) ?? [];
    if (open !== undefined && line === '```') {
      blocks.push({ page, section, line: open.line, language: open.language, text: `${open.lines.join('\n')}\n` });
      open = undefined;
    } else if (open !== undefined) open.lines.push(line);
    else if (language !== undefined) open = { line: index + 1, language, lines: [] };
    else if (line.startsWith('#')) section = line.replace(/^#+ /, '');
  }
  return blocks;
}

/** Returns where a block is, for messages. */
export function placeOf({ page, line }: Block): string {
  return `${page}:${line}`;
}

/** Returns the blocks of the quickstart that define what examples use. */
export function setUpBlocks(language: 'sh' | 'ts' | 'python'): Block[] {
  return blocksOf(QUICKSTART).filter((block) => block.section === 'Set up' && block.language === language);
}
