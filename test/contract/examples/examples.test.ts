/** The examples of the OpenAPI document are requests that the server executes, with the replies that it makes. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { env } from 'node:process';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { EXAMPLES } from '../../../src/http/openapi/examples.ts';
import type { Json } from '../../support/events.ts';
import { document, routes } from '../document.ts';
import { useWorlds } from '../world.ts';
import { recordExamples } from './record.ts';

const FILE = new URL('../../../src/http/openapi/examples.json', import.meta.url);

const recorded = await recordExamples(await useWorlds());
if (env['DIALPLANE_WRITE_EXAMPLES'] === '1') await writeFile(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
const committed: Record<string, Json> = env['DIALPLANE_WRITE_EXAMPLES'] === '1' ? recorded : EXAMPLES;

/** The names and types in a value. Of a list the first item counts. */
function shapeOf(value: Json): Json {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (typeof value !== 'object' || value === null) return value === null ? 'null' : typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

test('every operation has an example', () => {
  assert.deepEqual(
    Object.keys(committed),
    routes.map(({ operation }) => operation.operationId),
  );
});

for (const [id, example] of Object.entries(recorded)) {
  test(`${id} has the request and the reply of its example`, () => {
    assert.deepEqual(shapeOf(committed[id]), shapeOf(example), 'examples are not up to date: npm run gen:examples');
  });
}

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...document } as object);

test('every example fits its schema', () => {
  for (const { name, operation } of routes) {
    for (const body of [operation.requestBody, ...Object.values(operation.responses)]) {
      const { schema, example } = (body as Json)?.content?.['application/json'] ?? {};
      if (example === undefined) continue;
      const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
      assert.ok(validate(example), `${name}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(example)}`);
    }
  }
});
