/** The operator's commands for a connection to Telnyx, as its page shows them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ADAPTER_KINDS } from '../../src/server/adapter-kinds.ts';
import { runHere } from '../support/cli-process.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { TEST_SECRET, useHarness } from '../support/harness.ts';
import { makeScratch } from '../support/scratch.ts';
import { startTelnyx } from './telnyx-process.ts';

const telnyx = await startTelnyx({ roundTripMs: 0 });
closeAfterTests(() => telnyx.close());
const harness = await useHarness({ startWorkers: false });
const { path: folder, remove } = makeScratch('telnyx');
after(remove);

const dialplane = (...words: string[]) =>
  runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET }, ADAPTER_KINDS);

/** Adds a connection with these keys, and checks it. */
async function addAndCheck(name: string, { key = telnyx.apiKey, publicKey = telnyx.publicKey } = {}) {
  const secrets = join(folder, name);
  await writeFile(secrets, `key=${key}\npublic_key=${publicKey}\n`);
  const settings = ['--set', 'public_url=https://phone.example.com', '--set', `api_url=${telnyx.url}`];
  const added = await dialplane('carriers', 'add', 'telnyx', name, ...settings, '--secrets-from', secrets);
  assert.equal(added.code, 0, added.err);
  return dialplane('carriers', 'check', name);
}

test('a connection with the keys of the account passes its check, and can be used', async () => {
  const checked = await addAndCheck('main');
  assert.equal(checked.code, 0, checked.out);
  assert.match(checked.out, /https:\/\/phone\.example\.com\/carrier\/telnyx\/ccn_/);
  for (const capability of ['numbers', 'messaging', 'registry', 'e911', 'porting']) {
    assert.equal((await dialplane('carriers', 'use', capability, 'main')).code, 0);
  }
  const setUp = await dialplane('carriers', 'setup', 'main');
  assert.deepEqual([setUp.code, /Telnyx reports to/.test(setUp.out)], [0, true]);
});

test('a check names a key that Telnyx does not know, and a public key that is none, with the next step', async () => {
  const wrongKey = await addAndCheck('wrong-key', { key: 'KEY0' });
  assert.equal(wrongKey.code, 1);
  assert.match(wrongKey.out, /refused.*Make an API key/s);
  const noKey = await addAndCheck('no-public-key', { publicKey: 'none' });
  assert.equal(noKey.code, 1);
  assert.match(noKey.out, /not a public key.*Copy the public key/s);
});
