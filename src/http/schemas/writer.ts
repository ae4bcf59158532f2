/**
 * Writes replies by their schemas. Only fields that a schema names are sent, in the form that the schema states. A
 * schema is compiled in a fifth of a millisecond, so the first request of a route does not wait for it.
 */
import type { Schema } from './schema-types.ts';

/** Returns the JSON of a value. Throws if the schema does not allow the value and cannot convert it. */
type Writer = (value: unknown) => string;

type Fields = Record<string, unknown>;

/** Compiles a schema. Throws for a schema that is not for replies: an unknown type, several types, or oneOf. */
export function compileWriter(schema: Schema): Writer {
  if (schema.const !== undefined) return always(JSON.stringify(schema.const));
  if (schema.anyOf !== undefined) return union(schema.anyOf);
  if (schema.oneOf !== undefined) throw new Error('a reply with oneOf cannot be written: use anyOf');
  const [type, ...others] = [schema.type ?? []].flat().filter((name) => name !== 'null');
  if (others.length > 0) throw new Error('a reply has one type, or one type and null');
  if (type === undefined) return schema.type === undefined ? writeAny : always('null');
  const compile = WRITERS[type];
  if (compile === undefined) throw new Error(`a reply of the type "${type}" cannot be written`);
  const write = compile(schema);
  return schema.type === type ? write : orNull(write);
}

const orNull =
  (write: Writer): Writer =>
  (value) =>
    value === null ? 'null' : write(value);

const WRITERS: Readonly<Record<string, (schema: Schema) => Writer>> = {
  array: list,
  object: fieldsOf,
  string: ({ format }) => (format === 'date-time' ? writeMoment : writeText),
  number: () => (value) => String(readNumber(value)),
  integer: () => (value) => String(Math.trunc(readNumber(value))),
  boolean: () => (value) => (value ? 'true' : 'false'),
};

const always = (json: string) => () => json;

function writeAny(value: unknown): string {
  return JSON.stringify(value) ?? 'null';
}

/** This file checks texts up to this length itself, which is faster than a call of JSON.stringify. */
const SHORT_CHARS = 42;
const QUOTE = 34;
const BACKSLASH = 92;
const SPACE = 32;
const SURROGATES = 0xd800;

function writeText(value: unknown): string {
  const text = typeof value === 'string' ? value : textOf(value);
  if (text.length > SHORT_CHARS) return JSON.stringify(text);
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < SPACE || code === QUOTE || code === BACKSLASH || code >= SURROGATES) return JSON.stringify(text);
  }
  return `"${text}"`;
}

function writeMoment(value: unknown): string {
  return value instanceof Date ? `"${value.toISOString()}"` : writeText(value);
}

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return value === null ? '' : String(value);
}

function readNumber(value: unknown): number {
  const read = Number(value);
  if (Number.isFinite(read)) return read;
  throw new Error(`${value} is not a number that JSON has`);
}

function list({ items }: Schema): Writer {
  const write = items === undefined ? writeAny : compileWriter(items);
  return (value) => {
    if (!Array.isArray(value)) throw new Error('a list is missing in the reply');
    let json = '[';
    for (let index = 0; index < value.length; index++) json += (index === 0 ? '' : ',') + write(value[index]);
    return `${json}]`;
  };
}

type Field = { readonly name: string; readonly write: Writer; readonly isRequired: boolean };

/** Required fields come first, then the optional fields that the value has. */
function fieldsOf(schema: Schema): Writer {
  const { properties = {}, required = [], additionalProperties: others } = schema;
  const fields = Object.entries(properties).map(([name, field]): Field => {
    return { name, write: compileWriter(field), isRequired: required.includes(name) };
  });
  if (others === true && fields.length === 0) return writeFree;
  const writeNamed = generate(fields.sort((a, b) => Number(b.isRequired) - Number(a.isRequired)));
  if (others === undefined || others === false) return (value) => `${writeNamed(value)}}`;
  const writeOther = others === true ? writeAny : compileWriter(others);
  return (value) => {
    let json = writeNamed(value);
    for (const [name, field] of Object.entries(value as object)) {
      if (field === undefined || Object.hasOwn(properties, name)) continue;
      json += `${json === '{' ? '' : ','}${JSON.stringify(name)}:${writeOther(field)}`;
    }
    return `${json}}`;
  };
}

/** Writes an object with any fields. One call for the object is faster than one for each field. */
function writeFree(value: unknown): string {
  if (typeOf(value) !== 'object') throw new Error('an object is missing in the reply');
  return JSON.stringify(value);
}

/**
 * Returns a function that writes the named fields, without the closing brace. It is made from code that names each
 * field. A loop over the names would take twice the time, because the same line would then read fields of all names.
 */
function generate(fields: readonly Field[]): Writer {
  const lines = fields.map(({ name, isRequired }, index) => {
    const key = JSON.stringify(name);
    const start = JSON.stringify(`${index === 0 ? '' : ','}${key}:`);
    const read = `v=${ownValue(key, name)};`;
    if (isRequired) return `${read}if(v===undefined)miss(${key});j+=${start}+w${index}(v);`;
    const late = fields[0]?.isRequired ? start : `(j==='{'?'':',')+${JSON.stringify(`${key}:`)}`;
    return `${read}if(v!==undefined)j+=${late}+w${index}(v);`;
  });
  const code = `return (o)=>{let v,j='{';${lines.join('')}return j}`;
  const names = fields.map((_field, index) => `w${index}`);
  return new Function('miss', ...names, code)(refuseMissing, ...fields.map(({ write }) => write)) as Writer;
}

/**
 * Returns the code that reads a field. Every object inherits `constructor`, `toString` and others. For these names the
 * code checks that the object itself has the field. For other names it does not, because the check takes time.
 */
function ownValue(key: string, name: string): string {
  return name in Object.prototype ? `Object.hasOwn(o,${key})?o[${key}]:undefined` : `o[${key}]`;
}

function refuseMissing(name: string): never {
  throw new Error(`"${name}" is missing in the reply`);
}

type Choice = { readonly fits: (value: unknown) => boolean; readonly write: Writer };

/**
 * Writes a value that may have several shapes, by the first shape that fits. A shape fits by its type and by its fields
 * with a constant value.
 */
function union(schemas: readonly Schema[]): Writer {
  const [only, ...others] = schemas.filter(({ type }) => type !== 'null');
  if (only !== undefined && others.length === 0) return orNull(compileWriter(only));
  const choices: Choice[] = schemas.map((schema) => ({ fits: fitOf(schema), write: compileWriter(schema) }));
  return (value) => {
    for (const { fits, write } of choices) if (fits(value)) return write(value);
    throw new Error('the reply has a value of none of its shapes');
  };
}

function fitOf(schema: Schema): (value: unknown) => boolean {
  const { const: only, enum: values, anyOf, properties = {} } = schema;
  if (only !== undefined) return (value) => value === only;
  if (values !== undefined) return (value) => values.includes(value);
  if (anyOf !== undefined) {
    const fits = anyOf.map(fitOf);
    return (value) => fits.some((fit) => fit(value));
  }
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const tags = Object.entries(properties).filter(([, field]) => field.const !== undefined);
  return (value) => {
    const type = typeOf(value);
    if (types !== undefined && !types.includes(type) && !(type === 'number' && types.includes('integer'))) return false;
    if (type !== 'object') return true;
    return tags.every(([name, tag]) => Object.hasOwn(value as Fields, name) && (value as Fields)[name] === tag.const);
  };
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return value instanceof Date ? 'string' : typeof value;
}
