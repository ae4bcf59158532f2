import assert from 'node:assert/strict';
import { test } from 'node:test';
import { areaCodeTable, zoneProblems } from './gen-area-codes.ts';

test('the generator of area codes names those whose zone is not known, and zones of codes that do not exist', () => {
  const zones = { 'America/Phoenix': [602, 480, 555], 'America/Denver': [303] };
  assert.deepEqual(zoneProblems([303, 480, 602], { ...zones, 'America/Phoenix': [602, 480] }), []);
  assert.deepEqual(zoneProblems([303, 480, 602, 924, 387], zones), [
    'src/lib/phone/area-code-zones.json has no zone of 387, 924: add it.',
    'src/lib/phone/area-code-zones.json has 555, which nanp.json lacks.',
  ]);
});

test('the zones of all area codes are known', () => {
  assert.match(areaCodeTable(), /^\{\n {2}"US": \[/);
});
