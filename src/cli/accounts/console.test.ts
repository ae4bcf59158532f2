/** The command that prints a sign-in link. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { postToken } from '../../../test/support/console.ts';
import { TEST_SECRET, useHarness } from '../../../test/support/harness.ts';

const harness = await useHarness({ startWorkers: false });
const { publicUrl } = harness.context.settings;

const dialplane = (...words: string[]) =>
  runHere(words, { DATABASE_URL: harness.databaseUrl, DIALPLANE_SECRET: TEST_SECRET, PUBLIC_URL: publicUrl }, []);

/** Runs the command and signs a browser in by the link that it prints. */
async function signInBy(...words: string[]) {
  const { code, out, err } = await dialplane('console', ...words);
  assert.equal(code, 0, err);
  const [link = ''] = out.split('\n');
  const [page, token = ''] = link.split('#');
  assert.equal(page, `${publicUrl}/console/sign-in`);
  const reply = await postToken(harness, token);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  assert.equal((await postToken(harness, token)).body.error.code, 'invalid_sign_in_link');
  return reply.body;
}

test('the printed link signs one browser in as an operator', async () => {
  const { role, account_id } = await signInBy();
  assert.deepEqual([role, account_id], ['operator', null]);
});

test('with --account the session is of that account alone', async () => {
  const { id } = harness.account;
  const { role, account_id } = await signInBy('--account', id);
  assert.deepEqual([role, account_id], ['account', id]);
});

test('an unknown account gets no link', async () => {
  const { code, out, err } = await dialplane('console', '--account', 'acct_01m7ymjag4e008dtbschwftz34');
  assert.notEqual(code, 0);
  assert.match(err, /acct_01m7ymjag4e008dtbschwftz34/);
  assert.doesNotMatch(out, /#/);
});
