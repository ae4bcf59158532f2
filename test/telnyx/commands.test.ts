/** The operator's commands for a connection to Telnyx, as its page shows them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ADAPTER_KINDS } from '../../src/server/parts/adapter-kinds.ts';
import { runHere } from '../support/cli-process.ts';
import { closeAfterTests } from '../support/close-after-tests.ts';
import { TEST_SECRET, useHarness } from '../support/harness.ts';
import { makeScratch } from '../support/scratch.ts';
import { startTelnyx } from './start-telnyx.ts';

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
  for (const capability of ['numbers', 'messaging', 'registry', 'e911', 'porting', 'voice']) {
    assert.equal((await dialplane('carriers', 'use', capability, 'main')).code, 0);
  }
});

test('setup makes what calls need once, connects the numbers that are here, and the check names what is missing', async () => {
  const before = await addAndCheck('calls');
  assert.match(before.out, /no call control application.*node bin\/dialplane\.mjs carriers setup calls/s);
  const first = await dialplane('carriers', 'setup', 'calls');
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /call control application "dialplane ccn_\w+" was made/);
  assert.match(first.out, /outbound voice profile "dialplane ccn_\w+" was made/);
  assert.match((await dialplane('carriers', 'check', 'calls')).out, /call control application \d+/);
  const again = await dialplane('carriers', 'setup', 'calls');
  assert.doesNotMatch(again.out, /was made/);
  const made = await telnyx.control.requests({ operation: 'POST /call_control_applications' });
  assert.equal(made.length, 1);
  const [{ body } = assert.fail()] = made;
  const { webhook_api_version, webhook_event_url } = body as Record<string, string>;
  assert.equal(webhook_api_version, '2');
  assert.match(webhook_event_url ?? '', /^https:\/\/phone\.example\.com\/carrier\/telnyx\/ccn_/);
});

test('a check names a key that Telnyx does not know, and a public key that is none, with the next step', async () => {
  const wrongKey = await addAndCheck('wrong-key', { key: 'KEY0' });
  assert.equal(wrongKey.code, 1);
  assert.match(wrongKey.out, /refused.*Make an API key/s);
  const noKey = await addAndCheck('no-public-key', { publicKey: 'none' });
  assert.equal(noKey.code, 1);
  assert.match(noKey.out, /not a public key.*Copy the public key/s);
});
