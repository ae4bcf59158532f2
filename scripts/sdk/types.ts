/** JSON Schema as TypeScript. */
import { componentName, type Schema } from './document.ts';

/** Whether a type describes data of the caller or of the server. */
type Use = 'request' | 'reply';

/** Returns a doc comment, indented, or nothing without a text. */
export function docComment(text: string | undefined, indent = ''): string {
  if (text === undefined || text === '') return '';
  const lines = wrap(text.replaceAll('*/', '*\\/'), 116 - indent.length);
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  return [`${indent}/**`, ...lines.map((line) => `${indent} * ${line}`), `${indent} */`, ''].join('\n');
}

function wrap(text: string, columns: number): string[] {
  const lines: string[] = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) as string;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + word.length < columns) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Returns the declaration of a named type: an interface for an object, an alias for anything else. */
export function declaration(name: string, schema: Schema, use: Use): string {
  const doc = docComment(schema.description);
  const isPlainObject = schema.properties !== undefined && members(schema).length === 0 && schema.type === 'object';
  if (isPlainObject && typeof schema.additionalProperties !== 'object') {
    return `${doc}export interface ${name} ${typeOf(schema, use)}\n`;
  }
  return `${doc}export type ${name} = ${typeOf(schema, use)};\n`;
}

/** Returns the TypeScript type of a schema. Refuses a schema without any fact that a type could express. */
export function typeOf(schema: Schema, use: Use, indent = ''): string {
  const name = componentName(schema);
  if (name !== undefined) return name;
  if (schema.const !== undefined) return literal(schema.const);
  if (schema['x-extensible-enum'] !== undefined) {
    return [...schema['x-extensible-enum'].map(literal), '(string & {})'].join(' | ');
  }
  if (schema.enum !== undefined) return schema.enum.map(literal).join(' | ');
  const parts = [...(hasOwnShape(schema) ? [ownType(schema, use, indent)] : []), ...memberTypes(schema, use, indent)];
  if (parts.length === 0) return 'unknown';
  return parts.length === 1 ? (parts[0] as string) : parts.map((part) => group(part)).join(' & ');
}

const members = (schema: Schema) => [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])];

/**
 * True if the schema itself has a type. A schema with members, such as `anyOf`, needs properties for that: its `type`
 * alone adds nothing.
 */
function hasOwnShape(schema: Schema): boolean {
  if (members(schema).length === 0) return schema.type !== undefined || schema.properties !== undefined;
  return schema.properties !== undefined;
}

function memberTypes(schema: Schema, use: Use, indent: string): string[] {
  const union = (schemas: readonly Schema[]) =>
    [...new Set(schemas.map((variant) => typeOf(variant, use, indent)))].join(' | ');
  return [
    ...(schema.anyOf === undefined ? [] : [union(schema.anyOf)]),
    ...(schema.oneOf === undefined ? [] : [union(schema.oneOf)]),
    ...(schema.allOf ?? []).map((variant) => typeOf(variant, use, indent)),
  ];
}

function ownType(schema: Schema, use: Use, indent: string): string {
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? ['object']);
  return types.map((type) => simpleType(type, schema, use, indent)).join(' | ');
}

function simpleType(type: string, schema: Schema, use: Use, indent: string): string {
  if (type === 'integer') return 'number';
  if (type === 'string' || type === 'number' || type === 'boolean' || type === 'null') return type;
  if (type === 'array') return `${group(typeOf(schema.items ?? {}, use, indent))}[]`;
  if (type === 'object') return objectType(schema, use, indent);
  throw new Error(`the generator does not know the type ${type}`);
}

function objectType(schema: Schema, use: Use, indent: string): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(([name, property]) => {
    const type = typeOf(property, use, inner);
    const key = /^[a-z_$][\w$]*$/i.test(name) ? name : literal(name);
    const field = required.includes(name) ? `${key}: ${type}` : `${key}?: ${optional(type, use)}`;
    return `${docComment(property.description, inner)}${inner}${field};\n`;
  });
  const record =
    typeof additionalProperties === 'object' ? `Record<string, ${typeOf(additionalProperties, use, indent)}>` : '';
  if (fields.length === 0) return record || 'Record<string, unknown>';
  const object = `{\n${fields.join('')}${indent}}`;
  return record === '' ? object : `${object} & ${record}`;
}

/** A caller may write `undefined` for a field that it does not send, also under `exactOptionalPropertyTypes`. */
const optional = (type: string, use: Use) => (use === 'request' && type !== 'unknown' ? `${type} | undefined` : type);

const group = (type: string) => (/ [|&] /.test(type) ? `(${type})` : type);

function literal(value: unknown): string {
  if (typeof value !== 'string') return JSON.stringify(value);
  return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
