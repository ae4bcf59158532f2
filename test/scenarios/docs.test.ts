/** Runs the examples of the documentation: each page in order, as a reader does, against the running product. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { checkPage, examplesIn, unusedEntries } from '../support/doc-check.ts';
import { checkTypes, type Language, noPython, runProgram, writeProgram } from '../support/doc-languages.ts';
import { blocksOf, docPages, QUICKSTART, readPage } from '../support/doc-pages.ts';
import { isIgnored } from '../support/doc-shell.ts';
import { verifiedBy } from '../support/doc-verifiers.ts';
import { TEST_SECRET, useHarness } from '../support/harness.ts';
import { freePort } from '../support/ports.ts';
import { missing } from '../support/programs.ts';
import { useReceiver } from '../support/receiver.ts';
import { makeScratch } from '../support/scratch.ts';

const LANGUAGES: readonly Language[] = ['ts', 'python'];
const scratch = makeScratch('docs');
after(() => scratch.remove());
const port = await freePort();
const base = `127.0.0.1:${port}`;
const harness = await useHarness({ port, settings: { publicUrl: `http://${base}`, mediaUrl: `ws://${base}` } });
const receiver = await useReceiver();
const env = { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET };
const rewrite = (text: string) =>
  text.replaceAll('localhost:8080', base).replaceAll('localhost:9000', `127.0.0.1:${receiver.port}`);

describe('what the documentation shows', { concurrency: 3 }, () => {
  for (const page of docPages().filter((each) => blocksOf(each).length > 0)) {
    it(`${page} shows what a reader gets`, { skip: missing('bash') || missing('curl') }, async () => {
      const { id: account_id, test_key, live_key } = await harness.secondAccount();
      const folder = join(scratch.path, page.replaceAll('/', '-'));
      await checkPage(page, { folder, keys: { account_id, test_key, live_key }, env, rewrite });
    });
  }
});

for (const program of ['python3', 'go', 'php', 'ruby'] as const) {
  const skip = missing(program) || missing('bash') || missing('curl');
  test(`the documentation verifies signatures by ${program}`, { skip }, () => assert.ok(verifiedBy.has(program)));
}

describe('what the documentation shows in other languages', { concurrency: 3 }, () => {
  for (const [page, language] of docPages().flatMap((each) => LANGUAGES.map((name) => [each, name] as const))) {
    const blocks = examplesIn(page, language);
    if (blocks.length === 0) continue;
    it(`the ${language} of ${page} runs`, { skip: language === 'python' && noPython }, async () => {
      const { id: account_id, test_key, live_key } = await harness.secondAccount();
      const folder = join(scratch.path, `${page.replaceAll('/', '-')}-${language}`);
      const install = { folder, keys: { account_id, test_key, live_key }, env, rewrite };
      await runProgram({ page, language, blocks }, install);
    });
  }
});

test('the TypeScript of all pages has the types of the client', () => {
  const programs = docPages().flatMap((page) => {
    const blocks = examplesIn(page, 'ts');
    return blocks.length > 0 ? [[page, writeProgram(page, 'ts', blocks)] as const] : [];
  });
  assert.equal(checkTypes(new Map(programs), join(scratch.path, 'types')), '');
});

test('each example with tabs stands in all languages', () => {
  const counts = docPages().map((page) => LANGUAGES.map((language) => examplesIn(page, language).length));
  for (const [index, page] of docPages().entries()) {
    const [typeScript, python] = counts[index] as [number, number];
    assert.equal(typeScript, python, `${page} has ${typeScript} examples in TypeScript and ${python} in Python`);
  }
});

test('git leaves out the data folders of the examples, which have keys', () => {
  const folders = docPages().flatMap((page) => {
    const blocks = blocksOf(page).filter(({ language }) => language === 'sh');
    return blocks.flatMap(({ text }) => [...text.matchAll(/DIALPLANE_DATA=\.\/(\S+)/g)].map(([, name = '']) => name));
  });
  assert.ok(folders.length > 0);
  assert.deepEqual(
    folders.filter((name) => !isIgnored(name)),
    [],
  );
});

test('the tables of exceptions name blocks that exist', () => {
  assert.deepEqual(unusedEntries(docPages()), []);
});

test('each page whose examples use the variables of the quickstart says so', () => {
  const silent = docPages().filter((page) => {
    const isUsed = blocksOf(page).some(({ language, text }) => language === 'sh' && text.includes('$API'));
    return isUsed && page !== QUICKSTART && !readPage(page).includes('[quickstart](quickstart.md#set-up)');
  });
  assert.deepEqual(silent, []);
});
