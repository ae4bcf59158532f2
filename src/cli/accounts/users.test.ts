/** The commands for the users of the console. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { postToken } from '../../../test/support/console.ts';
import { TEST_SECRET, useHarness } from '../../../test/support/harness.ts';

const harness = await useHarness({ startWorkers: false });
const { publicUrl } = harness.context.settings;
const { id: accountId } = harness.account;

const dialplane = (...words: string[]) =>
  runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET, PUBLIC_URL: publicUrl }, []);

async function succeed(...words: string[]) {
  const { code, out, err } = await dialplane(...words, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

/** Fails unless the command is refused with words that match `about`. */
async function refuse(words: readonly string[], about: RegExp): Promise<void> {
  const { code, err } = await dialplane(...words);
  assert.notEqual(code, 0, words.join(' '));
  assert.match(err, about);
}

const enter = async (url: string) => (await postToken(harness, url.split('#')[1] as string)).body;

test('a user is added, signs in by the printed links, is changed and removed', async () => {
  const added = await succeed('users', 'add', 'Sam@Example.com', '--role', 'support', '--account', accountId);
  assert.deepEqual([added.email, added.role, added.account_id], ['sam@example.com', 'support', accountId]);
  assert.deepEqual((await enter(added.sign_in_url)).user, { id: added.id, email: 'sam@example.com' });
  const { url } = await succeed('console', '--user', 'sam@example.com');
  assert.equal((await enter(url)).role, 'support');
  assert.equal((await succeed('users', 'change', 'sam@example.com', '--role', 'admin')).role, 'admin');
  const listed = await succeed('users', 'list', '--account', accountId);
  assert.deepEqual(
    listed.map(({ email, role }: { email: string; role: string }) => [email, role]),
    [['sam@example.com', 'admin']],
  );
  await succeed('users', 'remove', 'sam@example.com');
  assert.deepEqual(await succeed('users', 'list'), []);
});

test('what cannot be is refused in words', async () => {
  await refuse(['users', 'add', 'sam', '--role', 'viewer'], /EMAIL is "sam"/);
  await refuse(['users', 'add', 'sam@example.com', '--role', 'owner'], /--role is "owner"/);
  await refuse(['users', 'add', 'sam@example.com', '--role', 'viewer'], /needs "account_id"/);
  await refuse(['users', 'add', 'sam@example.com', '--role', 'viewer', '--account', 'acct_x'], /no such account/);
  await refuse(['users', 'change', 'kim@example.com', '--role', 'admin'], /no user kim@example.com/);
  await refuse(['users', 'change', 'kim@example.com'], /--role or --account/);
  await refuse(['users', 'remove', 'kim@example.com'], /no user kim@example.com/);
  await refuse(['console', '--user', 'kim@example.com'], /no user kim@example.com/);
  await refuse(['console', '--user', 'kim@example.com', '--account', accountId], /not both/);
});
