import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AREA_CODE_COUNTRY, TOLL_FREE_AREA_CODES } from './nanp.ts';
import { isTollFree, isUsOrCanada } from './phone.ts';

/**
 * Every area code from 200 to 999, one hundred a row: United States, Canada, Toll-free, or a dot for all others. Live
 * traffic may go only to these countries. So this test fails if a new release of libphonenumber's metadata changes the
 * list.
 */
const EXPECTED: readonly string[] = [
  '.UUUCUUUUUU.UUUUUUUUU..UUUCUUU.U..UUC..UU.......UCCUUUU.UC..U.UC...U.UU.UCU.U..U.U.U.....C..........',
  '.UUUUUCUUUU.UUUUUUUUUU.UUUUU.UUUU.U.UU.UUU.C..UU..UUUUC..U..UU.UUC.CCU..........U.C..UUC............',
  '.UUCUUUUUUU.UUUUCUCU...UUU..C.UCU.UUUCC.U.UU.U.UU.C......UU....UUU..CUUUU.CU..UUU..UU...............',
  '.UUUUUCUUUU.UUCUUUUCU.........UU..U....UUU......C..U.....U.U.UUUUU.U..UUUUUU...CUCU.CUUC............',
  '.UUUCUUUUUU.UCUUUUUUUU.UU.U.UUUU....U..CUU...UUC..UU....UU.UUUU....U.UUUC.....UUUUUCU.U..U..........',
  '.UUUUCUUUC..UUUUUUUUU...UUUUUUUUU.U..UU.U.CU...UU....CU..U..U.UU.U...UUUUUUU..CUCUC..UUU............',
  'TUUUUUUCU.U.UUUUUUUCUU...CU.U.UUUT.U.UUUU..UTU.UU.U...UTUUUUUUUUUUTC..U.UC...TUC........T...........',
  '.UCUUCUUUUU.UUUUUUUUU...UU..UUUU..U.UUUUUUCU.U.UUU.UU.U.U..U..........UUUU.U..UUU..UUUU..U..........',
];

test('each of the 800 area codes is classified as expected', () => {
  for (let areaCode = 200; areaCode < 1000; areaCode++) {
    const code = String(areaCode);
    const found = TOLL_FREE_AREA_CODES.has(code) ? 'T' : (AREA_CODE_COUNTRY.get(code)?.charAt(0) ?? '.');
    const expected = EXPECTED[Math.floor(areaCode / 100) - 2]?.charAt(areaCode % 100);
    assert.equal(found, expected, code);
    const number = `+1${code}2345678`;
    assert.deepEqual([isUsOrCanada(number), isTollFree(number)], [expected !== '.', expected === 'T'], code);
  }
});
