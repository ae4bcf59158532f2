import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { packagesWithoutHash } from './check-lock.ts';

test('a package without a SHA-512 is found, also one for another system; folders of the repository need none', () => {
  const packages = {
    '': {},
    'packages/sdk': {},
    'node_modules/@dialplane/sdk': { link: true },
    'node_modules/good': { integrity: 'sha512-AAAA' },
    'node_modules/old': { integrity: 'sha1-AAAA' },
    'node_modules/other-system': { link: false },
    'packages/sdk/node_modules/inner': {},
  };
  assert.deepEqual(packagesWithoutHash({ packages }), [
    'node_modules/old',
    'node_modules/other-system',
    'packages/sdk/node_modules/inner',
  ]);
});

test('every package of this repository has its hash', () => {
  const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));
  assert.deepEqual(packagesWithoutHash(lock), []);
});
