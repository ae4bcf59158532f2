/** Makes the bodies that cost an operation most, from its schema in the OpenAPI document. */
import type { JsonSchema } from '../../src/http/openapi/types.ts';

export const BODY_KINDS = [
  'largest',
  'too long lists',
  'wrong items',
  'all wrong',
  'deep',
  'unknown fields',
  'long texts',
] as const;
export type BodyKind = (typeof BODY_KINDS)[number];

type Wanted = {
  readonly schema: JsonSchema;
  /** A body that the operation accepts. */
  readonly valid: Readonly<Record<string, unknown>>;
  readonly bytesMax: number;
};

/** Returns the body as JSON. */
export function makeBody(kind: BodyKind, { schema, valid, bytesMax }: Wanted): string {
  const fields = Object.entries(propertiesOf(schema));
  const room = Math.floor((bytesMax - 1_000) / Math.max(1, fields.length));
  const ofAll = (make: (field: JsonSchema) => string) =>
    `{${fields.map(([name, field]) => `"${name}":${make(field)}`).join()}}`;
  switch (kind) {
    case 'largest':
      return JSON.stringify({ ...(largest(schema) as object), ...keptOf(schema, valid) }).slice(0, bytesMax);
    case 'too long lists':
      return ofAll(() => `[${repeat('{}', room)}]`);
    case 'wrong items':
      return JSON.stringify({ ...valid, ...Object.fromEntries(fields.map(([name, field]) => [name, wrongIn(field)])) });
    case 'all wrong':
      return ofAll(() => '{"a":[1]}');
    case 'deep':
      return ofAll(() => `${'['.repeat(room / 2 - 50)}${']'.repeat(room / 2 - 50)}`);
    case 'unknown fields':
      return `{${Array.from({ length: Math.floor(bytesMax / 12) }, (_, n) => `"${n.toString(36).padStart(6, '_')}":""`).join()}}`;
    case 'long texts':
      return ofAll(() => JSON.stringify('a'.repeat(room - 50)));
  }
}

/** Returns the valid fields that refer to something or have a special form. All other fields are made larger. */
function keptOf(schema: JsonSchema, valid: Wanted['valid']): object {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    Object.entries(valid).filter(([name, value]) => typeof value === 'string' && !isFreeText(properties[name] ?? {})),
  );
}

function isFreeText(schema: JsonSchema): boolean {
  const form = schema['x-form'];
  return Number(schema['maxLength']) > 255 && (form === undefined || String(form).startsWith('text'));
}

/** Returns the largest value of a schema. A text in it may not match its pattern. */
function largest(schema: JsonSchema, index = 0): unknown {
  const shapes = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (shapes !== undefined) return largest(shapes[0] as JsonSchema, index);
  if (schema['const'] !== undefined) return schema['const'];
  const values = schema['enum'] as unknown[] | undefined;
  if (values !== undefined) return values[index % values.length];
  const [type] = [schema['type']].flat();
  if (type === 'array') {
    return Array.from({ length: Number(schema['maxItems']) }, (_, n) => largest(schema['items'] as JsonSchema, n));
  }
  if (type === 'object') return largestObject(schema, index);
  if (type === 'integer' || type === 'number') return schema['maximum'] ?? 1;
  if (type === 'boolean') return true;
  return type === 'null' ? null : largestText(schema, index);
}

function largestObject(schema: JsonSchema, index: number): object {
  const fields = Object.entries(propertiesOf(schema)).map(([name, field]) => [name, largest(field, index)]);
  const { maxProperties = 0, additionalProperties } = schema as {
    maxProperties?: number;
    additionalProperties: unknown;
  };
  const others = Array.from({ length: maxProperties }, (_, n) => [
    `${n}`.padStart(40, 'n'),
    largest(additionalProperties as JsonSchema),
  ]);
  return Object.fromEntries([...fields, ...others]);
}

const DAY_MS = 86_400_000;

function largestText({ format, maxLength, 'x-form': form }: JsonSchema, index: number): string {
  if (format === 'date') return new Date(index * DAY_MS).toISOString().slice(0, 10);
  if (format === 'date-time') return '2026-11-20T09:00:00Z';
  if (format === 'uri') return `https://example.com/${index}/`.padEnd(Number(maxLength), 'a');
  if (format === 'email') return `${'a'.repeat(Number(maxLength) - 12)}@example.com`;
  if (String(form).includes('E.164')) return `+1602555${String(1_000 + index)}`;
  if (String(form).startsWith('HH:MM')) return '08:00';
  // The text has characters of two bytes, and quotes, because opt-out phrases contain quotes.
  return `${index}’`.padEnd(Math.min(Number(maxLength), 8_192), 'é’ ');
}

/** Returns a wrong value. For a list, returns the largest list, with a mistake in each item. */
function wrongIn(schema: JsonSchema): unknown {
  const shapes = (schema['anyOf'] ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (shapes !== undefined) return wrongIn(shapes[0] as JsonSchema);
  const [type] = [schema['type']].flat();
  const fields = Object.entries(propertiesOf(schema));
  if (type === 'array')
    return Array.from({ length: Number(schema['maxItems']) }, () => wrongIn(schema['items'] as JsonSchema));
  if (type === 'object')
    return Object.fromEntries([...fields.map(([name, field]) => [name, wrongIn(field)]), ['typo', 1]]);
  return type === 'string' ? 5 : 'x';
}

function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  return (schema['properties'] ?? {}) as Record<string, JsonSchema>;
}

function repeat(item: string, bytes: number): string {
  return Array(Math.max(1, Math.floor(bytes / (item.length + 1))))
    .fill(item)
    .join();
}
