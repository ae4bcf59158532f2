import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { createCaller } from '../../../test/support/caller.ts';
import { startCli } from '../../../test/support/cli-process.ts';
import { makeScratch } from '../../../test/support/scratch.ts';
import { readUsers } from '../../server/embedded-postgres/users.ts';
import { planUser } from '../../server/install/privileges.ts';

/** Every Linux system has this user, and nothing uses it. */
const NAME = 'daemon';
const user = readUsers().find(({ name }) => name === NAME);
const { note } = planUser(NAME);
const skip =
  process.getuid?.() !== 0 || user === undefined || note !== undefined ? 'needs root and an open folder' : false;

const scratch = makeScratch('unprivileged');
const folder = join(scratch.path, 'install');
after(() => scratch.remove());

function start() {
  return startCli({ DIALPLANE_DATA: folder, DIALPLANE_USER: NAME, HOST: '0.0.0.0' });
}

test('a process of root becomes the user, which has the files of the install and not those of the database', {
  skip,
}, async () => {
  for (const attempt of ['first', 'second']) {
    const program = start();
    const url = await program.ready();
    const status = readFileSync(`/proc/${program.child.pid}/status`, 'utf8');
    assert.match(status, new RegExp(`^Uid:(\\s+${user?.uid}){4}$`, 'm'), attempt);
    assert.match(status, new RegExp(`^Groups:\\s+${user?.gid}\\s*$`, 'm'), attempt);
    for (const name of ['secret', 'keys.json']) {
      const { uid, mode } = statSync(join(folder, name));
      assert.deepEqual([uid, mode & 0o777], [user?.uid, 0o600], name);
    }
    assert.notEqual(statSync(join(folder, 'postgres', 'data')).uid, user?.uid);
    const call = createCaller(url, JSON.parse(readFileSync(join(folder, 'keys.json'), 'utf8')).test_key);
    assert.equal((await call('POST', '/v1/tenants', { body: { name: attempt } })).status, 201);
    // The install's user cannot signal the database's user. The database must stop in any case.
    assert.equal((await program.ended('SIGTERM')).code, 0, program.text());
    assert.ok(!existsSync(join(folder, 'postgres', 'data', 'postmaster.pid')), 'the database has ended in order');
    assert.match(program.text(), /Warning: HOST is 0\.0\.0\.0.* DIALPLANE_ALLOW_LOCAL_WEBHOOKS=off/);
  }
});

test('a user that is missing, root or the database leaves the process with root, with the reason', { skip }, () => {
  assert.match(planUser('no-such-user').note ?? '', /there is no user "no-such-user".*useradd --system no-such-user/);
  for (const name of ['root', 'nobody']) assert.match(planUser(name).note ?? '', /is not one of its own/);
});
