import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { NO_SESSIONS } from '../../../test/support/no-sessions.ts';
import { createAuthenticator, type KeyDirectory, type KeyHolder } from './authenticate.ts';

const HOLDER: KeyHolder = {
  key_id: 'key_1',
  tenant_id: null,
  ledger_id: 1,
  account_id: 'acct_1',
  mode: 'test',
  account_status: 'active',
  is_paused: false,
  state: 'active',
  moved_to: null,
  expires_at: null,
};

/** An authenticator whose lookups the test resolves. */
function openDirectory() {
  const lookups: PromiseWithResolvers<KeyHolder | undefined>[] = [];
  let end = (_hash: Buffer): void => assert.fail('nobody listens');
  const keys: KeyDirectory = {
    form: /^key$/,
    hash: (key) => Buffer.from(key),
    find: () => {
      const lookup = Promise.withResolvers<KeyHolder | undefined>();
      lookups.push(lookup);
      return lookup.promise;
    },
    findState: async () => undefined,
    onEnded: (listener) => {
      end = listener;
    },
  };
  const { authenticate } = createAuthenticator({ clock: { now: () => 0 } }, { keys, sessions: NO_SESSIONS });
  const ask = () => authenticate({ headers: { authorization: 'Bearer key' }, raw: {} } as FastifyRequest);
  return { lookups, ask, end: () => end(Buffer.from('key')) };
}

test('the result of a lookup is not remembered if the key ended during the lookup', async () => {
  const { lookups, ask, end } = openDirectory();
  const early = ask();
  end();
  lookups[0]?.resolve(HOLDER);
  assert.equal((await early).scope.keyId, 'key_1');
  const late = ask();
  assert.equal(lookups.length, 2);
  lookups[1]?.resolve(undefined);
  await assert.rejects(late, { code: 'invalid_api_key' });
});

test('a request after the end of a key does not share a lookup from before the end', async () => {
  const { lookups, ask, end } = openDirectory();
  const early = ask();
  end();
  const late = ask();
  assert.equal(lookups.length, 2);
  lookups[1]?.resolve(undefined);
  await assert.rejects(late, { code: 'invalid_api_key' });
  lookups[0]?.resolve(HOLDER);
  await early;
  await assert.rejects(ask(), { code: 'invalid_api_key' });
  assert.equal(lookups.length, 2);
});

test('concurrent requests share one lookup of their key, and the result is remembered', async () => {
  const { lookups, ask } = openDirectory();
  const asked = [ask(), ask()];
  lookups[0]?.resolve(HOLDER);
  await Promise.all([...asked, ask()]);
  assert.equal(lookups.length, 1);
});
