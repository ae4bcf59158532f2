/** The fields of a request as options of a command. */
import type { Field } from '../../src/cli/api/operations.ts';
import { type Document, type Operation, resolve, type Schema } from '../sdk/document.ts';
import { kebab } from '../sdk/names.ts';

/** Returns the query parameters of an operation, then the fields of its body and of its inner objects. */
export function fieldsOf(document: Document, { parameters = [], requestBody }: Operation): Field[] {
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, required, schema, description }) => {
      const described = description === undefined ? schema : { ...schema, description };
      return fieldOf(document, { path: [name], schema: described, isRequired: required === true }, 'query');
    });
  const body = requestBody?.content['application/json']?.schema;
  return body === undefined ? query : [...query, ...bodyFields(document, body, [])];
}

function bodyFields(document: Document, schema: Schema, above: readonly string[]): Field[] {
  const { properties = {}, required = [] } = resolve(document, schema);
  return Object.entries(properties).flatMap(([name, property]) => {
    const path = [...above, name];
    const isRequired = above.length === 0 && required.includes(name);
    const field = fieldOf(document, { path, schema: property, isRequired }, 'body');
    const { inner } = innerOf(document, property);
    return inner?.properties === undefined ? [field] : [field, ...bodyFields(document, inner, path)];
  });
}

type Named = { path: readonly string[]; schema: Schema; isRequired: boolean };

function fieldOf(document: Document, { path, schema, isRequired }: Named, place: Field['in']): Field {
  const { inner, isNullable, description } = innerOf(document, schema);
  const items = inner?.type === 'array' ? innerOf(document, inner.items ?? {}).inner : undefined;
  const one = inner?.type === 'array' ? items : inner;
  const values = one?.enum?.map(String);
  return {
    option: path.map(kebab).join('.'),
    path,
    in: place,
    type: typeOf(document, one),
    ...(inner?.type === 'array' && { isList: true }),
    ...(isNullable && { isNullable: true }),
    ...(isRequired && { isRequired: true }),
    ...(values && { values }),
    ...(description !== undefined && { meaning: description }),
  };
}

function typeOf(document: Document, schema: Schema | undefined): Field['type'] {
  if (schema === undefined) return 'json';
  const { type, properties, additionalProperties, enum: values } = schema;
  if (type === 'string' || values?.every((value) => typeof value === 'string')) return 'text';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'boolean') return 'boolean';
  const isMap = type === 'object' && properties === undefined && typeof additionalProperties === 'object';
  return isMap && resolve(document, additionalProperties).type === 'string' ? 'pairs' : 'json';
}

/**
 * Returns the variant of a schema that is not null; undefined if there are several. If they are a text and an object,
 * it returns the object, whose fields are separate options. The description is the one nearest to the field.
 */
function innerOf(document: Document, schema: Schema): { inner?: Schema; isNullable: boolean; description?: string } {
  const resolved = resolve(document, schema);
  const { anyOf, oneOf, type } = resolved;
  const description = schema.description ?? resolved.description;
  const described = description === undefined ? {} : { description };
  const variants = (anyOf ?? oneOf ?? [resolved]).map((variant) => resolve(document, variant));
  const kept = variants.filter((variant) => variant.type !== 'null');
  const isNullable = kept.length < variants.length || (Array.isArray(type) && type.includes('null'));
  const objects = kept.filter((variant) => variant.type === 'object');
  const isTextOrObject =
    objects.length === 1 && kept.every((variant) => variant.type === 'string' || variant.type === 'object');
  const [only, ...others] = isTextOrObject ? objects : kept;
  if (only === undefined || others.length > 0) return { isNullable, ...described };
  const types = Array.isArray(only.type) ? only.type.filter((type) => type !== 'null') : undefined;
  return { inner: types === undefined ? only : { ...only, type: types[0] as string }, isNullable, ...described };
}
