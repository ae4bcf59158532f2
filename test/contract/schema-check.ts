/** Compares values with schemas of the OpenAPI document. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Json } from '../support/events.ts';

/** Fails unless the value matches the schema. The message begins with `what`. */
type SchemaCheck = (schema: object, value: Json, what: string) => void;

/** Returns a check by the schemas of a document. It compiles each part of the document once. */
export function createSchemaCheck(document: object): SchemaCheck {
  // Code that is not optimized, and calls other schemas instead of repeating them, takes a third of the time to
  // compile.
  const ajv = new Ajv2020({ strict: false, allErrors: true, inlineRefs: false, code: { optimize: false } });
  addFormats.default(ajv);
  // The format of time zones is the product's own.
  ajv.addFormat('time-zone', true);
  ajv.addSchema({ $id: 'document', ...document });
  const compiled = new Map<string, ValidateFunction>();
  return (schema, value, what) => {
    const absolute = JSON.stringify(schema).replaceAll('"#/', '"document#/');
    const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
    compiled.set(absolute, validate);
    assert.ok(validate(value), `${what}: ${JSON.stringify(validate.errors)}\n${JSON.stringify(value)}`);
  };
}
