import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../../../test/support/cli-process.ts';
import { until } from '../../../test/support/jobs.ts';

const folder = mkdtempSync(join(tmpdir(), 'open-'));
const opened = join(folder, 'opened');
writeFileSync(
  join(folder, 'xdg-open'),
  `#!/bin/sh\nprintf %s "$1" > '${opened}.draft'\nmv '${opened}.draft' '${opened}'\n`,
);
chmodSync(join(folder, 'xdg-open'), 0o755);
const env = {
  PATH: `${folder}:/usr/bin:/bin`,
  XDG_CONFIG_HOME: folder,
  DIALPLANE_DATA: '/nonexistent',
  DIALPLANE_URL: 'https://phone.example',
  DIALPLANE_KEY: '',
  DIALPLANE_PROFILE: '',
  DISPLAY: '',
  WAYLAND_DISPLAY: '',
};
const isLinux = process.platform === 'linux';

test('a page is opened in the browser of the desktop', { skip: !isLinux && 'it replaces xdg-open' }, async () => {
  const { code, out, err } = await runHere(['open', 'api'], { ...env, DISPLAY: ':0' });
  assert.equal(code, 0, err);
  assert.equal(out, 'Opened https://phone.example/docs/api in the browser.\n');
  await until('the browser is started', () => existsSync(opened));
  assert.equal(readFileSync(opened, 'utf8'), 'https://phone.example/docs/api');
});

test('without a desktop or a program that opens it the address is printed', { skip: !isLinux }, async () => {
  for (const more of [{}, { DISPLAY: ':0', PATH: '/nonexistent' }]) {
    const { code, out } = await runHere(['open', 'docs'], { ...env, ...more });
    assert.deepEqual([code, out], [0, 'https://phone.example/docs\n']);
  }
  const { out } = await runHere(['open', 'errors', '--url', 'http://localhost:1/', '--json'], env);
  assert.deepEqual(JSON.parse(out), { url: 'http://localhost:1/docs/errors', opened: false });
});

test('a page that does not exist is refused with those that do', async () => {
  const { code, err } = await runHere(['open', 'console'], env);
  assert.equal(code, 2);
  assert.match(err, /there is no page "console"; give docs, api, operations, events, errors/);
});
