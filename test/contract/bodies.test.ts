/** Which bodies are read: their media type and their size. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bodyBytesMax, keyedRoutes } from './document.ts';
import { fixtureOf } from './fixtures.ts';
import { assertRefused, effectsIn, send } from './requests.ts';
import { useWorlds } from './world.ts';

const { home: world } = await useWorlds();

const withBody = keyedRoutes.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method));

for (const route of withBody) {
  test(`${route.name} refuses a body over its limit`, async () => {
    const request = await fixtureOf(route).make(world);
    const before = await effectsIn(world);
    const body = JSON.stringify({ name: 'x'.repeat(bodyBytesMax(route)) });
    assertRefused(await send(world, route, request, { body }), 413, 'unreadable_body');
    assert.deepEqual(await effectsIn(world), before);
  });
}

for (const route of withBody.filter(({ takesFile }) => !takesFile)) {
  test(`${route.name} refuses a body of another media type`, async () => {
    const request = await fixtureOf(route).make(world);
    const before = await effectsIn(world);
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'json', '/json']) {
      const options = { body: request.body ?? {}, headers: { 'content-type': type } };
      assertRefused(await send(world, route, request, options), 415, 'unsupported_media_type', 'Content-Type');
    }
    assert.deepEqual(await effectsIn(world), before);
  });
}

test('application/json may have parameters, and a body without a media type is read as JSON', async () => {
  const { key, harness } = world;
  const post = (body: string | Buffer<ArrayBuffer>, type?: string) => {
    const headers = { authorization: `Bearer ${key}`, ...(type !== undefined && { 'content-type': type }) };
    return fetch(`${harness.url}/v1/tenants`, { method: 'POST', headers, body });
  };
  const body = JSON.stringify({ name: 'Typed' });
  for (const type of ['application/json', 'Application/JSON ; charset=utf-8']) {
    assert.equal((await post(body, type)).status, 201, type);
  }
  // No type is sent with bytes.
  assert.equal((await post(Buffer.from(body))).status, 201);
  assert.equal((await post('', 'text/plain')).status, 400);
});
