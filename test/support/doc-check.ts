/** Checks that the commands of a documentation page give the output that the page shows. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { CHECKED, type Entry, NOT_RUN } from './doc-exceptions.ts';
import type { Language } from './doc-languages.ts';
import { type Block, blocksOf, placeOf } from './doc-pages.ts';
import { assertShown, isErrorReply, jsonValuesIn, steady } from './doc-replies.ts';
import { assertDescribed } from './doc-schemas.ts';
import { type Output, runBlocks, type ShellInstall } from './doc-shell.ts';

function entryOf<T extends Entry>(entries: readonly T[], block: Block): T | undefined {
  return entries.find(({ page, starts }) => block.page === page && block.text.startsWith(starts));
}

/** Returns the entries of both tables that match no block of these pages. */
export function unusedEntries(pages: readonly string[]): Entry[] {
  const blocks = pages.flatMap(blocksOf);
  return [...NOT_RUN, ...CHECKED].filter((entry) => !blocks.some((block) => entryOf([entry], block) !== undefined));
}

const isRun = (block: Block) => block.language === 'sh' && entryOf(NOT_RUN, block) === undefined;

const isTab = (block: Block) =>
  ['ts', 'python'].includes(block.language) && entryOf<Entry>([...NOT_RUN, ...CHECKED], block) === undefined;

/**
 * Returns the block that produces the output in this block. It is the previous block of the section, if that is run.
 */
function sourceOf(block: Block, blocks: readonly Block[]): Block | undefined {
  const before = blocks[blocks.indexOf(block) - 1];
  return before !== undefined && before.section === block.section && isRun(before) ? before : undefined;
}

/**
 * Runs the `sh` blocks of a page in order, with the keys of an account that has no other use, and compares. The folder
 * is the reader's; `rewrite` replaces addresses. A `json` block below `sh` shows the last replies of those commands,
 * and a `text` block below `sh` their whole output. Any other reply that is an error fails. Other `json` must be
 * described by openapi.json. `doc-languages.ts` runs the blocks of `ts` and `python`. Any other block must be in a
 * table.
 */
export async function checkPage(page: string, around: ShellInstall): Promise<void> {
  const blocks = blocksOf(page).filter((block) => !isTab(block));
  mkdirSync(around.folder);
  const outputs = await runBlocks(blocks.filter(isRun), around);
  for (const output of outputs) {
    const next = blocks[blocks.indexOf(output.block) + 1];
    const shown = next !== undefined && sourceOf(next, blocks) !== undefined ? next : undefined;
    assertOutput(output, shown, around.rewrite);
  }
  for (const block of blocks) if (!isRun(block)) await assertTrue(block, blocks, around);
}

/** Returns the examples of a page in a language. */
export function examplesIn(page: string, language: Language): Block[] {
  return blocksOf(page).filter((block) => block.language === language && isTab(block));
}

function assertOutput({ block, stdout }: Output, shown: Block | undefined, rewrite: (text: string) => string): void {
  const replies = jsonValuesIn(stdout);
  const wanted = shown?.language === 'json' ? jsonValuesIn(rewrite(shown.text)) : [];
  const place = placeOf(block);
  assert.ok(replies.length >= wanted.length, `${place} prints ${replies.length} replies:\n${stdout}`);
  const others = replies.slice(0, replies.length - wanted.length);
  for (const reply of others) assert.ok(!isErrorReply(reply), `${place}: ${JSON.stringify(reply)}`);
  for (const [index, value] of wanted.entries()) assertShown(value, replies[others.length + index], place);
  if (shown?.language === 'text') assert.equal(steady(stdout).trim(), steady(rewrite(shown.text)).trim(), place);
}

async function assertTrue(block: Block, blocks: readonly Block[], around: ShellInstall): Promise<void> {
  if (entryOf(NOT_RUN, block) !== undefined) return;
  const checked = entryOf(CHECKED, block);
  if (checked !== undefined) {
    await checked.check(block, around);
    return;
  }
  if (['json', 'text'].includes(block.language) && sourceOf(block, blocks) !== undefined) return;
  if (block.language === 'json') {
    const values = jsonValuesIn(block.text);
    assert.ok(values.length > 0, `${placeOf(block)} is not JSON`);
    for (const value of values) assertDescribed(value);
    return;
  }
  assert.ok(block.language === '' && !/^\$ /m.test(block.text), `${placeOf(block)} is neither run nor in a table`);
}
