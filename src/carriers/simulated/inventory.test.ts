import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDialable, isHighCost, isUsOrCanada } from '../../lib/phone/phone.ts';
import { AREA_CODES } from './area-codes.ts';
import type { AvailableNumber, InventorySearch } from './inventory.ts';
import { describeInventoryNumber, isInventoryNumber, searchInventory } from './inventory.ts';

function search(filters: Partial<InventorySearch> = {}): AvailableNumber[] {
  return searchInventory({ limit: 25, isTaken: () => false, ...filters });
}

function phoneNumbers(filters: Partial<InventorySearch> = {}): string[] {
  return search(filters).map((number) => number.phone_number);
}

/** Returns every inventory number of an area code that contains the digits. Tries all other digits. */
function everyMatch(areaCode: string, contains: string): string[] {
  const matches = new Set<string>();
  const digits = areaCode.padEnd(10, '.');
  for (let at = 0; at + contains.length <= digits.length; at++) {
    const pattern = `${digits.slice(0, at)}${contains}${digits.slice(at + contains.length)}`;
    if (!pattern.startsWith(areaCode)) continue;
    for (const number of fill(pattern)) if (isInventoryNumber(`+1${number}`)) matches.add(`+1${number}`);
  }
  return [...matches].sort();
}

/** Returns every text that matches the pattern. A dot of the pattern is any digit. */
function fill(pattern: string): string[] {
  if (!pattern.includes('.')) return [pattern];
  return [...'0123456789'].flatMap((digit) => fill(pattern.replace('.', digit)));
}

const FILTERS: readonly Partial<InventorySearch>[] = [
  {},
  { areaCode: '480' },
  { areaCode: '605' },
  { locality: 'Springfield' },
  { areaCode: '480', locality: 'Tempe' },
  { contains: '2' },
  { contains: '0000' },
  { contains: '777' },
  { areaCode: '212', contains: '21' },
  { areaCode: '202', contains: '2' },
  { locality: 'Austin', contains: '512' },
];

test('a search returns exactly as many numbers as asked, each once', () => {
  for (const filters of FILTERS) {
    for (const limit of [1, 2, 25, 99, 100]) {
      const found = phoneNumbers({ ...filters, limit });
      assert.equal(found.length, limit, JSON.stringify(filters));
      assert.equal(new Set(found).size, limit, JSON.stringify(filters));
    }
  }
});

test('every number found is in the inventory, dialable in the United States and not premium', () => {
  for (const filters of FILTERS) {
    for (const number of phoneNumbers({ ...filters, limit: 100 })) {
      assert.ok(isDialable(number) && isUsOrCanada(number) && !isHighCost(number, ['1605455']), number);
      assert.doesNotMatch(number, /^\+1...(?:.11|555|958|959|950|976)/);
      assert.ok(isInventoryNumber(number), number);
    }
  }
});

test('the same search returns the same numbers, and a higher limit returns them first', () => {
  for (const filters of FILTERS) {
    assert.deepEqual(search(filters), search(filters));
    assert.deepEqual(search({ ...filters, limit: 100 }).slice(0, 25), search(filters));
  }
});

test('a number is described by itself as in a search', () => {
  for (const found of FILTERS.flatMap((filters) => search(filters))) {
    assert.deepEqual(describeInventoryNumber(found.phone_number), found);
  }
});

test('a search by area code returns its numbers, of many exchanges and all its cities', () => {
  const found = search({ areaCode: '480', limit: 100 });
  assert.ok(found.every((number) => number.phone_number.startsWith('+1480') && number.region === 'AZ'));
  assert.ok(new Set(found.map((number) => number.phone_number.slice(5, 8))).size > 80);
  assert.deepEqual(new Set(found.map((number) => number.locality)), new Set(AREA_CODES.get('480')?.localities));
});

test('an exchange belongs to one city', () => {
  const cityOf = (line: string) => describeInventoryNumber(`+1480234${line}`)?.locality;
  assert.ok(cityOf('0001'));
  for (const line of ['1234', '9999', '0000', '5678']) assert.equal(cityOf(line), cityOf('0001'));
});

test('a search without a place returns numbers from all over the country', () => {
  assert.ok(new Set(search().map((number) => number.region)).size >= 12);
  assert.equal(new Set(phoneNumbers({ limit: 100 }).map((number) => number.slice(2, 5))).size, 100);
});

test('a city is found in every area code that has it, in any spelling', () => {
  const found = search({ locality: 'Springfield', limit: 100 });
  assert.ok(found.every((number) => number.locality === 'Springfield'));
  assert.deepEqual(new Set(found.map((number) => number.region)), new Set(['IL', 'MA', 'MO', 'OH']));
  assert.deepEqual(search({ locality: ' sPRINGfield ' }), search({ locality: 'Springfield' }));
  assert.deepEqual(search({ locality: 'saint louis' }), search({ locality: 'St. Louis' }));
});

test('an unknown city, an area code not in service and malformed digits find nothing', () => {
  const hopeless: Partial<InventorySearch>[] = [
    { locality: 'Atlantis' },
    { locality: '' },
    { areaCode: '480', locality: 'Boston' },
  ];
  hopeless.push({ areaCode: '500' }, { areaCode: '416' }, { areaCode: '876' }, { areaCode: '222' }, { areaCode: '' });
  hopeless.push({ contains: '' }, { contains: '12x' }, { contains: '....' }, { contains: '12345678901' });
  for (const filters of hopeless) assert.deepEqual(search(filters), [], JSON.stringify(filters));
});

test('a number that no subscriber can have is not found by its digits', () => {
  for (const contains of ['4809761234', '4805551234', '4809111234', '4809501234', '6054551234', '4801234567']) {
    assert.deepEqual(search({ contains }), [], contains);
  }
});

test('wanted digits stand anywhere in the number, the area code included', () => {
  for (const contains of ['7', '42', '777', '4802', '60223', '2345678', '80234567']) {
    const found = phoneNumbers({ contains, limit: 100 });
    assert.ok(found.length > 0, contains);
    for (const number of found) assert.ok(number.slice(2).includes(contains), number);
  }
  assert.deepEqual(phoneNumbers({ contains: '4802345678' }), ['+14802345678']);
  assert.ok(phoneNumbers({ areaCode: '480', contains: '4802' }).some((number) => number.startsWith('+14802')));
});

test('a search by digits leaves out no number that has them', () => {
  for (const [areaCode, contains] of [
    ['480', '00000'],
    ['202', '22222'],
    ['605', '05455'],
  ] as const) {
    const found = phoneNumbers({ areaCode, contains, limit: 1_000_000 });
    assert.deepEqual(found.sort(), everyMatch(areaCode, contains));
  }
});

test('a number ending in 0000 is voice-only, any other takes texts too, and a search for 0000 finds one first', () => {
  assert.match(phoneNumbers({ areaCode: '480', contains: '0000', limit: 1 })[0] ?? '', /0000$/);
  for (const number of search({ contains: '0000', limit: 100 })) {
    const voiceOnly = number.phone_number.endsWith('0000');
    assert.deepEqual(number.capabilities, voiceOnly ? ['voice'] : ['sms', 'mms', 'voice']);
  }
  assert.ok(search({ contains: '0000' }).some((number) => number.phone_number.endsWith('0000')));
});

test('a taken number is never returned, and another takes its place', () => {
  for (const filters of FILTERS) {
    const taken = new Set(phoneNumbers({ ...filters, limit: 100 }));
    const found = phoneNumbers({ ...filters, limit: 100, isTaken: (number) => taken.has(number) });
    assert.equal(found.length, 100, JSON.stringify(filters));
    assert.ok(found.every((number) => !taken.has(number)));
  }
});

test('a search whose only match is taken returns nothing', () => {
  const contains = '4802345678';
  assert.deepEqual(phoneNumbers({ contains, isTaken: (number) => number === '+14802345678' }), []);
});

test('magic, toll-free, foreign, service, premium and malformed numbers are not in the inventory', () => {
  const magic = Array.from({ length: 10 }, (_, line) => `+1500555000${line}`);
  const others = ['+18002345678', '+14162345678', '+18762345678', '+447911123456', '+16054551234', '+14809762345'];
  const misshapen = ['+14804112345', '+14805550123', '+1480234567', '4802345678', '+14801234567', '', '+14802345678 '];
  for (const number of [...magic, ...others, ...misshapen]) {
    assert.equal(isInventoryNumber(number), false, number);
    assert.equal(describeInventoryNumber(number), undefined, number);
  }
});

test('a search considers few more numbers than it returns and skips as taken', () => {
  const contains = [...'0123456789', '00', '11', '22', '000', '777', '0000', '4444', '1234', '55555', '234567'];
  const cases = [
    ...FILTERS,
    ...contains.flatMap((digits) => [{ contains: digits }, { contains: digits, areaCode: '202' }]),
  ];
  for (const filters of cases) {
    const taken = new Set(phoneNumbers({ ...filters, limit: 500 }));
    let consideredCount = 0;
    const isTaken = (number: string) => {
      consideredCount++;
      return taken.has(number);
    };
    phoneNumbers({ ...filters, limit: 100, isTaken });
    assert.ok(consideredCount <= 4 * (100 + taken.size), `${JSON.stringify(filters)} considered ${consideredCount}`);
  }
});
