/** Forms of texts, and their words: no refusal mentions a pattern or a validator. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonSchema } from '../../src/http/openapi/types.ts';
import { document, keyedRoutes } from './document.ts';
import { fixtureOf } from './fixtures.ts';
import { assertEnvelope, send } from './requests.ts';
import { useWorlds } from './world.ts';

const { home: world } = await useWorlds();

/** Each form refuses one of these texts. A blank text in a required field is absent, not wrong. */
const FORMLESS = ['\u0007', 'a\u0000', ' '];

for (const route of keyedRoutes) {
  for (const [field, { pattern, form }] of patternsIn(route.body?.properties ?? {})) {
    test(`${route.name} names the form of ${field}`, async () => {
      assert.ok(form, `${pattern} has no x-form`);
      const request = await fixtureOf(route).make(world);
      const formless = FORMLESS.find((text) => !new RegExp(pattern as string).test(text));
      const reply = await send(world, route, { ...request, body: { ...request.body, [field]: formless } });
      assert.equal(reply.status, 400);
      assertEnvelope(reply);
      if (reply.body.error.code !== 'invalid_body') return;
      assert.equal(reply.body.error.message, `"${field}" must be ${form}.`);
    });
  }
}

/** The fields of the body that have a form, with the form in words. */
function patternsIn(properties: Readonly<Record<string, JsonSchema>>) {
  return Object.entries(properties).flatMap(([field, schema]) => {
    const kinds = [schema, ...((schema['anyOf'] ?? []) as JsonSchema[])];
    const { pattern, 'x-form': form } = kinds.find((each) => each['pattern'] !== undefined) ?? {};
    return pattern === undefined ? [] : [[field, { pattern, form }] as const];
  });
}

test('every pattern in the document has its form in words', () => {
  const wordless: string[] = [];
  const walk = (value: unknown, path: string) => {
    if (typeof value !== 'object' || value === null) return;
    if (typeof (value as JsonSchema)['pattern'] === 'string' && !('x-form' in value)) wordless.push(path);
    for (const [name, inner] of Object.entries(value)) walk(inner, `${path}/${name}`);
  };
  walk(document.paths, '');
  assert.deepEqual(wordless, []);
});
