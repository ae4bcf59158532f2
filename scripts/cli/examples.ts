/** The examples of the document as command lines. */
import type { Field } from '../../src/cli/api/operations.ts';
import type { Operation } from '../sdk/document.ts';

/** Returns the words that give an operation the query and the body of its example. */
export function exampleWords({ parameters = [], requestBody }: Operation, fields: readonly Field[]): string[] {
  const required = parameters.filter((parameter) => parameter.in === 'query' && parameter.required === true);
  const query = Object.fromEntries(required.map(({ name, example }) => [name, example]));
  const body = requestBody?.content['application/json']?.example;
  return requestWords({ query, body }, fields);
}

/** Returns the options of the command for a query and a body. Throws if they have a field without an option. */
export function requestWords({ query, body }: { query?: unknown; body?: unknown }, fields: readonly Field[]): string[] {
  const of = (place: Field['in']) => fields.filter((field) => field.in === place);
  return [...wordsOf(query, of('query')), ...wordsOf(body, of('body'))];
}

/** Returns the options for a value: one for each field. An object whose fields have no options gets one option. */
function wordsOf(value: unknown, fields: readonly Field[], above: readonly string[] = []): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, fieldValue]) => {
    const path = [...above, name];
    const field = fields.find((known) => known.path.join('.') === path.join('.'));
    if (field === undefined) throw new Error(`the example has ${path.join('.')}, which is no field`);
    const isObject = field.type === 'json' && !field.isList && typeof fieldValue === 'object' && fieldValue !== null;
    const isSplit = isObject && fields.some((known) => known.path.length > path.length && startsWith(known.path, path));
    return isSplit ? wordsOf(fieldValue, fields, path) : optionWords(field, fieldValue);
  });
}

const startsWith = (path: readonly string[], above: readonly string[]) =>
  above.every((name, index) => path[index] === name);

function optionWords({ option, type, isList }: Field, value: unknown): string[] {
  if (isList && Array.isArray(value)) return value.flatMap((item) => [`--${option}`, textOf(item)]);
  if (type === 'pairs' && typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, text]) => [`--${option}`, `${name}=${text}`]);
  }
  return [`--${option}`, textOf(value)];
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
