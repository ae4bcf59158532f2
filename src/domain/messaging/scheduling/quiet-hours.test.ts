import assert from 'node:assert/strict';
import { test } from 'node:test';
import { zonesOfNumber } from '../../../lib/phone/number-zones.ts';
import type { QuietHours } from '../../tenants/index.ts';
import { endOfQuiet } from './quiet-hours.ts';

const NIGHT: QuietHours = { start: '21:00', end: '08:00', zone: 'tenant' };
const PHOENIX = ['America/Phoenix'];
const NEW_YORK = ['America/New_York'];

for (const [what, at, hours, zones, end] of [
  ['the evening', '2026-11-20T21:00:00-07:00', NIGHT, PHOENIX, '2026-11-21T08:00:00-07:00'],
  ['the night', '2026-11-20T03:15:00-07:00', NIGHT, PHOENIX, '2026-11-20T08:00:00-07:00'],
  ['the last moment', '2026-11-20T07:59:59.999-07:00', NIGHT, PHOENIX, '2026-11-20T08:00:00-07:00'],
  ['the first moment after', '2026-11-20T08:00:00-07:00', NIGHT, PHOENIX, null],
  ['the last moment before', '2026-11-20T20:59:59.999-07:00', NIGHT, PHOENIX, null],
  [
    'noon',
    '2026-11-20T12:30:00-07:00',
    { ...NIGHT, start: '12:00', end: '13:00' },
    PHOENIX,
    '2026-11-20T13:00:00-07:00',
  ],
  ['after noon', '2026-11-20T13:00:00-07:00', { ...NIGHT, start: '12:00', end: '13:00' }, PHOENIX, null],
  // 2026-03-08: from 2:00 EST the clocks show 3:00 EDT. The night is an hour shorter.
  ['the night of spring', '2026-03-07T22:00:00-05:00', NIGHT, NEW_YORK, '2026-03-08T08:00:00-04:00'],
  [
    'an end that is left out',
    '2026-03-08T00:30:00-05:00',
    { ...NIGHT, end: '02:30' },
    NEW_YORK,
    '2026-03-08T03:30:00-04:00',
  ],
  // 2026-11-01: from 2:00 EDT the clocks show 1:00 EST. The night is an hour longer.
  ['the night of autumn', '2026-10-31T22:00:00-04:00', NIGHT, NEW_YORK, '2026-11-01T08:00:00-05:00'],
  [
    'an end that comes twice',
    '2026-11-01T01:15:00-04:00',
    { ...NIGHT, end: '01:30' },
    NEW_YORK,
    '2026-11-01T01:30:00-04:00',
  ],
  ['its second hour', '2026-11-01T01:15:00-05:00', { ...NIGHT, end: '01:30' }, NEW_YORK, '2026-11-01T01:30:00-05:00'],
] as const) {
  test(`quiet hours: ${what}`, () => {
    const found = endOfQuiet(new Date(at), hours, zones);
    assert.equal(found?.toISOString() ?? null, end && new Date(end).toISOString());
  });
}

test('quiet hours hold while any zone of an area code has them', () => {
  const zones = ['America/Denver', 'America/Chicago'];
  // 20:30 in Denver is 21:30 in Chicago.
  const end = endOfQuiet(new Date('2026-11-20T20:30:00-07:00'), NIGHT, zones);
  // 8:00 in Chicago is 7:00 in Denver, where it is still quiet.
  assert.equal(end?.toISOString(), new Date('2026-11-21T08:00:00-07:00').toISOString());
});

test('a number that may be anywhere in the United States or Canada has its text when it is day in all zones', () => {
  const zones = zonesOfNumber('+18005550143');
  const end = endOfQuiet(new Date('2026-11-20T08:30:00-05:00'), NIGHT, zones);
  assert.equal(end?.toISOString(), '2026-11-20T18:00:00.000Z', '8:00 in Honolulu and in Adak');
  assert.equal(endOfQuiet(new Date('2026-11-20T19:00:00Z'), NIGHT, zones), null);
});

test('zones that never agree still have an end', () => {
  const hours = { ...NIGHT, start: '08:00', end: '07:00' };
  const end = endOfQuiet(new Date('2026-11-20T12:00:00Z'), hours, ['America/Denver', 'America/Chicago']);
  assert.ok(end !== null && end.getTime() < Date.parse('2026-11-24T00:00:00Z'));
});
