import type { Document, JsonSchema, Operation } from './types.ts';

/** Our own keywords for validation; the published document omits them. */
const OWN_KEYWORDS = new Set([
  'errorCode',
  'missingCode',
  'lengthCode',
  'unknownCode',
  'plusMayBeSpace',
  'requiredUnless',
  'discriminator',
  '$id',
  '~kind',
  '~optional',
]);

/** The keyword with the name of a schema that is published once, among the components. */
const COMPONENT = 'x-component';

/** Our own keywords for readers, with their published names. */
const PUBLISHED_AS: Readonly<Record<string, string>> = { form: 'x-form', component: COMPONENT };

/** Returns a schema as it is published. */
export function publishedSchema(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(publishedSchema);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !OWN_KEYWORDS.has(name));
  return {
    ...typeOfValues(value),
    ...Object.fromEntries(kept.map(([name, inner]) => [PUBLISHED_AS[name] ?? name, publishedSchema(inner)])),
  };
}

/** Returns the type of an `enum` of texts. Without it, clients have no type for the enum. */
function typeOfValues(schema: { enum?: unknown; type?: unknown }): { type: 'string' } | undefined {
  const { enum: values, type } = schema;
  const areTexts = Array.isArray(values) && values.every((value) => typeof value === 'string');
  return areTexts && type === undefined ? { type: 'string' } : undefined;
}

/**
 * Replaces schemas inside a value by references, if they name their component.
 * @param components receives those schemas by their names
 */
export function referToComponents(value: unknown, components: Map<string, JsonSchema>): unknown {
  const refer = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(refer);
    if (typeof inner !== 'object' || inner === null) return inner;
    const { [COMPONENT]: name, ...schema } = within(inner, refer);
    if (typeof name !== 'string') return schema;
    components.set(name, schema);
    return reference('schemas', name);
  };
  return refer(value);
}

/**
 * Names every resource schema in `responses` by the word in its `object` field, so that a client has one type for it. A
 * variant with more fields, such as the only reply with a secret, is named after the first additional field.
 * @returns the schemas by name, and a function that replaces them by references
 */
export function nameResources(responses: unknown): {
  schemas: Record<string, JsonSchema>;
  refer(value: unknown): unknown;
} {
  const variants = new Map<string, Map<string, JsonSchema>>();
  collect(responses, (schema, word) => {
    const known = variants.get(word) ?? new Map<string, JsonSchema>();
    variants.set(word, known.set(JSON.stringify(schema), schema));
  });
  const names = new Map<string, string>();
  const schemas: Record<string, JsonSchema> = {};
  for (const [word, known] of variants) {
    const [base, ...others] = [...known.values()].sort((a, b) => fieldsOf(a).length - fieldsOf(b).length);
    for (const schema of [base as JsonSchema, ...others]) {
      const extra = fieldsOf(schema).find((field) => !fieldsOf(base as JsonSchema).includes(field));
      if (schema !== base && extra === undefined) continue;
      const name = extra === undefined ? pascal(word) : `${pascal(word)}With${pascal(extra)}`;
      if (name in schemas) continue;
      schemas[name] = schema;
      names.set(JSON.stringify(schema), name);
    }
  }
  const sorted = Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1));
  const refer = (value: unknown) => replace(value, names);
  // A resource may contain another one, so the named schemas have references too.
  return { schemas: Object.fromEntries(sorted.map(([name, schema]) => [name, within(schema, refer)])), refer };
}

function collect(value: unknown, found: (schema: JsonSchema, word: string) => void): void {
  if (typeof value !== 'object' || value === null) return;
  const word = resourceWord(value);
  if (word !== undefined) found(value as JsonSchema, word);
  for (const inner of Object.values(value)) collect(inner, found);
}

/** Returns the only value that the schema's `object` field may have. */
function resourceWord(schema: object): string | undefined {
  const { properties } = schema as { properties?: { object?: { const?: string; enum?: string[] } } };
  const field = properties?.object;
  return field?.const ?? (field?.enum?.length === 1 ? field.enum[0] : undefined);
}

function fieldsOf(schema: JsonSchema): string[] {
  return Object.keys((schema['properties'] ?? {}) as object);
}

function replace(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((item) => replace(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const name = resourceWord(value) === undefined ? undefined : names.get(JSON.stringify(value));
  return name === undefined ? within(value, (inner) => replace(inner, names)) : reference('schemas', name);
}

function within(value: object, change: (inner: unknown) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, change(inner)]));
}

type Components = Document['components'];
type ApiSecurity = NonNullable<Operation['security']>;

/** Returns the components that a document refers to, directly or indirectly. */
export function usedComponents(all: Components, document: object, security: ApiSecurity): Components {
  const used = new Set(security.flatMap(Object.keys).map((name) => `securitySchemes/${name}`));
  const collectFrom = (value: object) => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/([^"]+)"/g)) {
      const [kind = '', key = ''] = (name as string).split('/');
      const component = all[kind]?.[key];
      if (used.has(name as string) || component === undefined) continue;
      used.add(name as string);
      collectFrom(component as object);
    }
  };
  collectFrom(document);
  const kept = Object.entries(all).map(([kind, parts]) => {
    return [kind, Object.fromEntries(Object.entries(parts).filter(([key]) => used.has(`${kind}/${key}`)))] as const;
  });
  return Object.fromEntries(kept.filter(([, parts]) => Object.keys(parts).length > 0));
}

export function reference(kind: string, name: string): { $ref: string } {
  return { $ref: `#/components/${kind}/${name}` };
}

export function pascal(word: string): string {
  return word.replaceAll(/(?:^|[_.])([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
