/** Checks JSON of the documentation against the schemas of openapi.json. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { ROOT } from './doc-pages.ts';

type Schema = { properties?: Record<string, { enum?: unknown[] }>; [keyword: string]: unknown };

const document = JSON.parse(readFileSync(`${ROOT}openapi.json`, 'utf8')) as {
  components: { schemas: Record<string, Schema> };
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: Schema } } } } }>;
};
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema({ $id: 'document', ...document } as object);

/** Fails unless a value is an event, an error or a resource of openapi.json and has only described fields. */
export function assertDescribed(value: unknown): void {
  const { object, type, data, ...rest } = value as Record<string, unknown>;
  if (object === undefined && Array.isArray(data)) {
    for (const item of data) assertDescribed(item);
    assert.deepEqual(Object.keys(rest).sort(), 'has_more' in rest ? ['has_more', 'next_cursor'] : []);
    return;
  }
  const names = Object.entries(document.components.schemas).flatMap(([name, { properties }]) =>
    properties?.['object']?.enum?.includes(object) ? [name] : [],
  );
  const { schemas } = document.components;
  const candidates: Schema[] =
    object === 'event'
      ? [eventSchema(type as string)]
      : [...names, ...('error' in rest ? ['Error'] : [])].map((name) => schemas[name] as Schema);
  const problems = candidates.map((schema) => problemsOf(schema, value as object));
  assert.ok(
    problems.some((found) => found.length === 0),
    `${JSON.stringify(value)} is nothing that openapi.json describes: ${problems.flat().join('; ')}`,
  );
}

/** Returns the schema of an event type. Webhooks refer to it. */
function eventSchema(type: string): Schema {
  const { schema } = document.webhooks[type]?.post.requestBody.content['application/json'] ?? {};
  const name = String(schema?.['$ref']).split('/').at(-1);
  const component = document.components.schemas[String(name)];
  assert.ok(component, `openapi.json has no event ${type}`);
  return component;
}

function problemsOf(schema: Schema, value: object): string[] {
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')));
  const valid = validate(value);
  const found = valid ? [] : [ajv.errorsText(validate.errors)];
  const { properties } = schema;
  if (properties === undefined) return found;
  return [...found, ...Object.keys(value).filter((name) => !(name in properties))];
}
