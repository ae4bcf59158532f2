import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTimeZone } from '../time/zones.ts';
import areaCodeZones from './area-code-zones.json' with { type: 'json' };
import { AREA_CODE_COUNTRY } from './nanp.ts';
import { zonesOfNumber } from './number-zones.ts';

const zonesOf = (areaCode: number | string) => zonesOfNumber(`+1${areaCode}5550143`);

const ZONES_OF_COUNTRY = 10;

test('every geographic area code of the United States and of Canada has its zones, and not those of its country', () => {
  const wrong = [...AREA_CODE_COUNTRY.keys()].filter((code) => {
    const zones = zonesOf(code);
    return zones.length === 0 || zones.length >= ZONES_OF_COUNTRY;
  });
  assert.deepEqual(wrong, []);
});

test('the table of zones has the geographic area codes of the United States and of Canada and no others', () => {
  const codes = [...new Set(Object.values(areaCodeZones).flat().map(String))];
  assert.deepEqual(codes.toSorted(), [...AREA_CODE_COUNTRY.keys()].map(String).toSorted());
  assert.deepEqual(
    Object.keys(areaCodeZones).filter((zone) => !isTimeZone(zone)),
    [],
  );
  for (const [zone, all] of Object.entries(areaCodeZones)) assert.equal(new Set(all).size, all.length, zone);
});

/** Codes of one area. The first one is the oldest. */
const OVERLAYS = [
  [208, 986],
  [209, 350],
  [212, 332, 646],
  [213, 323, 738],
  [217, 447],
  [250, 236, 257, 672, 778],
  [270, 364],
  [306, 474, 639],
  [309, 861],
  [313, 679],
  [318, 457],
  [334, 483],
  [407, 689],
  [416, 387, 437, 647],
  [418, 273, 367, 581],
  [423, 729],
  [440, 436],
  [507, 924],
  [530, 837],
  [541, 458],
  [559, 357],
  [618, 730],
  [662, 471],
  [709, 879],
  [713, 281, 346, 621, 832],
  [716, 624],
  [718, 347, 465, 917, 929],
  [812, 930],
  [850, 448],
  [912, 565],
] as const;

test('an overlay has the zones of the code that it overlays', () => {
  for (const [first, ...others] of OVERLAYS) {
    for (const code of others) assert.deepEqual(zonesOf(code), zonesOf(first), `${code} and ${first}`);
  }
});

test('the zones of the newest area codes are those of their places', () => {
  assert.deepEqual(zonesOf(837), ['America/Los_Angeles']);
  assert.deepEqual(zonesOf(471), ['America/Chicago']);
  assert.deepEqual(zonesOf(565), ['America/New_York']);
  assert.deepEqual(zonesOf(273), ['America/Halifax', 'America/Toronto']);
  assert.deepEqual(zonesOf(474), ['America/Regina']);
});

test('a number without a place has all zones of the United States and of Canada', () => {
  for (const number of ['+18005550143', '+18335550143', '+15005550006', '+19995550143']) {
    const zones = zonesOfNumber(number);
    for (const zone of ['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu', 'America/St_Johns'])
      assert.ok(zones.includes(zone), `${number} ${zone}`);
  }
});

test('a foreign number has the zones of its country, also within +1', () => {
  assert.deepEqual(zonesOfNumber('+18765550143'), ['America/Jamaica']);
  assert.ok(zonesOfNumber('+442079460143').includes('Europe/London'));
  assert.ok(!zonesOfNumber('+442079460143').includes('America/New_York'));
  assert.ok(zonesOfNumber('+61255501430').includes('Australia/Perth'));
  assert.deepEqual(zonesOfNumber('+88361234567890'), [], 'a number of no country');
});
