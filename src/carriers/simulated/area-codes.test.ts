import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AREA_CODE_COUNTRY } from '../../lib/phone/nanp.ts';
import { AREA_CODES, localityKey } from './area-codes.ts';

test('every area code on sale is one of the United States', () => {
  for (const areaCode of AREA_CODES.keys()) assert.equal(AREA_CODE_COUNTRY.get(areaCode), 'US', areaCode);
  assert.ok(AREA_CODES.size > 350);
});

test('every area code has a two-letter region and distinct cities', () => {
  for (const [areaCode, { region, localities }] of AREA_CODES) {
    assert.match(region, /^[A-Z]{2}$/, areaCode);
    assert.ok(localities.length > 0, areaCode);
    assert.equal(new Set(localities.map(localityKey)).size, localities.length, areaCode);
    for (const locality of localities) assert.match(locality, /^[A-Z][A-Za-z.' -]+$/, areaCode);
  }
});

test('all 50 states and the District of Columbia are served', () => {
  assert.equal(new Set([...AREA_CODES.values()].map(({ region }) => region)).size, 51);
});

test('well known cities have their area codes', () => {
  const known = {
    602: 'AZ Phoenix',
    480: 'AZ Scottsdale',
    520: 'AZ Tucson',
    415: 'CA San Francisco',
    646: 'NY New York',
  };
  for (const [areaCode, place] of Object.entries(known)) {
    const { region, localities } = AREA_CODES.get(areaCode) ?? assert.fail(areaCode);
    assert.ok(
      localities.some((locality) => `${region} ${locality}` === place),
      areaCode,
    );
  }
});
