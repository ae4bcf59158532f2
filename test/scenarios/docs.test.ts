/** Runs the examples of the documentation: each page in order, as a reader does, against the running product. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { checkPage, unusedEntries } from '../support/doc-check.ts';
import { blocksOf, docPages, readPage } from '../support/doc-pages.ts';
import { TEST_SECRET, useHarness } from '../support/harness.ts';
import { freePort } from '../support/ports.ts';
import { useReceiver } from '../support/receiver.ts';
import { makeScratch } from '../support/scratch.ts';

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
    it(`${page} shows what a reader gets`, async () => {
      const { id: account_id, test_key, live_key } = await harness.secondAccount();
      const folder = join(scratch.path, page.replaceAll('/', '-'));
      await checkPage(page, { folder, keys: { account_id, test_key, live_key }, env, rewrite });
    });
  }
});

test('the tables of exceptions name blocks that exist', () => {
  assert.deepEqual(unusedEntries(docPages()), []);
});

test('each page whose examples use the variables of the README says so', () => {
  const silent = docPages().filter((page) => {
    const isUsed = blocksOf(page).some(({ language, text }) => language === 'sh' && text.includes('$API'));
    return isUsed && !readPage(page).includes('README](../README.md#your-first-text)');
  });
  assert.deepEqual(silent, []);
});
