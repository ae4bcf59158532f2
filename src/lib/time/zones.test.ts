import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone } from './zones.ts';

test('canonical zone names and IANA links are time zones', () => {
  const names = [
    'America/Phoenix',
    'America/Argentina/Buenos_Aires',
    'US/Arizona',
    'Europe/Kyiv',
    'Asia/Calcutta',
    'UTC',
  ];
  for (const name of [...names, 'Etc/GMT+5', 'EST5EDT', 'America/Port-au-Prince'])
    assert.equal(isTimeZone(name), true, name);
});

test('every zone that the runtime lists is accepted', () => {
  assert.deepEqual(
    Intl.supportedValuesOf('timeZone').filter((name) => !isTimeZone(name)),
    [],
  );
});

test('an offset is not a time zone', () => {
  for (const name of ['+05:00', '-07:00', '+0500', '+05', 'Z', 'UTC+5', 'GMT-7'])
    assert.equal(isTimeZone(name), false, name);
});

test('an abbreviation that is not an IANA name is not a time zone', () => {
  for (const name of ['PST', 'CST', 'IST', 'BST', 'AST', 'JST']) assert.equal(isTimeZone(name), false, name);
});

test('unknown, empty, padded and differently cased names are not time zones', () => {
  const names = [
    '',
    ' ',
    'Mars/Olympus',
    'America/Phoenix ',
    'america/phoenix',
    'US/Pacific-New',
    'America/',
    '../UTC',
  ];
  for (const name of names) assert.equal(isTimeZone(name), false, name);
});

test('a timestamp with a zone is not a time zone', () => {
  for (const name of ['2026-01-01T00:00Z', '2026-01-01T00:00[America/Phoenix]'])
    assert.equal(isTimeZone(name), false, name);
});
