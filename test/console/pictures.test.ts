/** The pictures of docs/screenshots/ and the pages of the console. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { LOOKS, pictureOf } from './support/pictures.ts';
import { PLACES } from './support/places.ts';

test('each page of the router is a place', () => {
  const router = readFileSync('packages/console/src/app/pages.ts', 'utf8');
  assert.equal(PLACES.length, router.match(/\bload: \(\) => import\(/g)?.length);
});

test('each page has a picture in each look, and each picture shows a page: `npm run pictures` takes them', () => {
  const expected = PLACES.flatMap((place) => LOOKS.map(({ name }) => pictureOf(place, name)));
  assert.deepEqual(readdirSync('docs/screenshots').sort(), expected.sort());
});
