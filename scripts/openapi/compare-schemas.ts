/** Changes between two versions of a JSON Schema that break callers of the older one. */

export type Schema = { readonly [keyword: string]: unknown };

/** A schema, and the document that its references are in. */
export type Located = { readonly schema: Schema; readonly schemas: Readonly<Record<string, Schema>> };

/** The writer of a schema's values: the caller writes requests, the server writes replies and events. */
export type Writer = 'caller' | 'server';

type Pair = { before: Located; after: Located; writer: Writer; place: string; seen: Set<string> };

/** A larger value of these limits allows more; a smaller value of the next limits allows more. */
const UPPER = ['maxLength', 'maxItems', 'maxProperties', 'maximum', 'exclusiveMaximum'];
const LOWER = ['minLength', 'minItems', 'minProperties', 'minimum', 'exclusiveMinimum'];

/** Returns what breaks callers, a sentence each that begins with the place. */
export function compareSchemas(before: Located, after: Located, writer: Writer, place: string): string[] {
  return compare({ before, after, writer, place, seen: new Set() });
}

function compare({ before: earlier, after: later, writer, place, seen }: Pair): string[] {
  const before = resolve(earlier);
  const after = resolve(later);
  const names = `${earlier.schema['$ref']} ${later.schema['$ref']}`;
  if (seen.has(names) && earlier.schema['$ref'] !== undefined) return [];
  const pair = { before, after, writer, place, seen: new Set(seen).add(names) };
  return [
    ...compareTypes(pair),
    ...compareValues(pair),
    ...compareLimits(pair),
    ...compareFields(pair),
    ...compareInner(pair),
  ];
}

function resolve({ schema, schemas }: Located): Located {
  const name = typeof schema['$ref'] === 'string' ? (schema['$ref'].split('/').at(-1) as string) : undefined;
  if (name === undefined) return { schema, schemas };
  const target = schemas[name];
  if (target === undefined) throw new Error(`the document has no schema ${name}`);
  return { schema: target, schemas };
}

/** A caller's value must still be accepted; a server's value must be one that the caller already knows. */
const breaks = (writer: Writer, isNarrower: boolean, isWider: boolean) => (writer === 'caller' ? isNarrower : isWider);

function compareTypes({ before, after, writer, place }: Pair): string[] {
  const old = typesOf(before);
  const now = typesOf(after);
  if (old.size === 0 && now.size === 0) return [];
  const isNarrower = old.size === 0 || !isSubset(old, now);
  const isWider = now.size === 0 || !isSubset(now, old);
  if (!breaks(writer, now.size > 0 && isNarrower, old.size > 0 && isWider)) return [];
  return [`${place}: the type was ${[...old].join(' or ') || 'any'} and is ${[...now].join(' or ') || 'any'}`];
}

/** The types of a schema, including the types of its alternatives. */
function typesOf(located: Located): Set<string> {
  const { schema, schemas } = resolve(located);
  const types = [schema['type'] ?? []].flat() as string[];
  const shapes = shapesOf(schema).flatMap((shape) => [...typesOf({ schema: shape, schemas })]);
  return new Set([...types, ...shapes]);
}

const shapesOf = (schema: Schema) => [
  ...((schema['anyOf'] ?? []) as Schema[]),
  ...((schema['oneOf'] ?? []) as Schema[]),
];

function isSubset<T>(small: ReadonlySet<T>, large: ReadonlySet<T>): boolean {
  return [...small].every((type) => large.has(type));
}

function compareValues({ before, after, writer, place }: Pair): string[] {
  const old = before.schema['enum'] as unknown[] | undefined;
  const now = after.schema['enum'] as unknown[] | undefined;
  const removed = now === undefined ? [] : (old?.filter((value) => !now.includes(value)) ?? ['any other value']);
  const added = old === undefined ? [] : (now?.filter((value) => !old.includes(value)) ?? ['any other value']);
  if (writer === 'caller') return removed.map((value) => `${place}: ${value} is no longer accepted`);
  return added.map((value) => `${place}: ${value} is a new value`);
}

function compareLimits({ before, after, writer, place }: Pair): string[] {
  if (writer === 'server') return [];
  const limit = (schema: Schema, name: string, none: number) => Number(schema[name] ?? none);
  const found = [
    ...UPPER.filter((name) => limit(after.schema, name, Infinity) < limit(before.schema, name, Infinity)),
    ...LOWER.filter((name) => limit(after.schema, name, -Infinity) > limit(before.schema, name, -Infinity)),
    ...['pattern', 'format', 'uniqueItems'].filter(
      (name) => after.schema[name] !== undefined && after.schema[name] !== before.schema[name],
    ),
  ];
  return found.map((name) => `${place}: ${name} was ${before.schema[name] ?? 'absent'} and is ${after.schema[name]}`);
}

function compareFields({ before, after, writer, place, seen }: Pair): string[] {
  const old = fieldsOf(before.schema);
  const now = fieldsOf(after.schema);
  const required = (schema: Schema, name: string) => ((schema['required'] ?? []) as string[]).includes(name);
  const found = Object.entries(old).flatMap(([name, schema]) => {
    const inner = now[name];
    if (inner === undefined) {
      const isOpen = after.schema['additionalProperties'] !== false;
      return writer === 'caller' && isOpen ? [] : [`${place}.${name} is gone`];
    }
    const isDemanded = required(after.schema, name) && !required(before.schema, name);
    const isOptional = !required(after.schema, name) && required(before.schema, name);
    const changed = compare({
      before: { ...before, schema },
      after: { ...after, schema: inner },
      writer,
      place: `${place}.${name}`,
      seen,
    });
    if (writer === 'caller' && isDemanded) changed.push(`${place}.${name} is required now`);
    if (writer === 'server' && isOptional) changed.push(`${place}.${name} may be absent now`);
    return changed;
  });
  const demanded = Object.keys(now).filter((name) => !(name in old) && required(after.schema, name));
  return writer === 'caller' ? [...found, ...demanded.map((name) => `${place}.${name} is new and required`)] : found;
}

const fieldsOf = (schema: Schema) => (schema['properties'] ?? {}) as Record<string, Schema>;

function compareInner({ before, after, writer, place, seen }: Pair): string[] {
  const inner = (keyword: string, mark: string) => {
    const [old, now] = [before.schema[keyword], after.schema[keyword]];
    if (typeof old !== 'object' || typeof now !== 'object') return [];
    const located = (from: Located, schema: unknown) => ({ ...from, schema: schema as Schema });
    return compare({
      before: located(before, old),
      after: located(after, now),
      writer,
      place: `${place}${mark}`,
      seen,
    });
  };
  return [
    ...inner('items', '[]'),
    ...inner('additionalProperties', '.*'),
    ...compareShapes({ before, after, writer, place, seen }),
  ];
}

/** Compares the alternatives one by one; they keep their order, and new ones come last. */
function compareShapes({ before, after, writer, place, seen }: Pair): string[] {
  const old = shapesOf(before.schema);
  const now = shapesOf(after.schema);
  const found = old.slice(0, now.length).flatMap((schema, index) =>
    compare({
      before: { ...before, schema },
      after: { ...after, schema: now[index] as Schema },
      writer,
      place: `${place}(${index + 1})`,
      seen,
    }),
  );
  if (writer === 'caller' && now.length < old.length)
    found.push(`${place}: ${old.length - now.length} shapes are gone`);
  return found;
}
