/** Makes the query and the body of a request from the options of a command. */
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { type Arguments, CommandError, UsageError } from '../command.ts';
import type { Field, Operation } from './operations.ts';

type JsonObject = Record<string, unknown>;

/** Returns the query parameters that were given. */
export function readQuery({ fields }: Operation, args: Arguments): JsonObject {
  const query: JsonObject = {};
  for (const { field, value } of givenFields(fields, 'query', args)) query[field.path[0] as string] = value;
  requireFields(fields, 'query', query);
  return query;
}

/**
 * Returns the body: the JSON of `--data`, with the fields of the other options added. Undefined if the operation has no
 * body, or if its body is optional and was not given.
 */
export async function readBody({ fields, hasBody }: Operation, args: Arguments): Promise<JsonObject | undefined> {
  if (!hasBody) return undefined;
  const data = args.options['data'];
  const body = data === undefined ? {} : await readData(data);
  const given = givenFields(fields, 'body', args);
  // Assigns in the order of the operation's fields: an object before the fields inside it.
  for (const { field, value } of given) {
    assign(body, field, value);
  }
  requireFields(fields, 'body', body);
  return given.length === 0 && data === undefined ? undefined : body;
}

type Given = { readonly field: Field; readonly value: unknown };

function givenFields(fields: readonly Field[], place: Field['in'], { options, lists }: Arguments): Given[] {
  return fields
    .filter((field) => field.in === place)
    .flatMap((field) => {
      const words = lists[field.option] ?? (options[field.option] === undefined ? [] : [options[field.option] ?? '']);
      return words.length === 0 ? [] : [{ field, value: valueIn(field, words) }];
    });
}

function valueIn(field: Field, words: readonly string[]): unknown {
  const [first = ''] = words;
  if (words.length === 1 && field.isNullable && first === 'null') return null;
  if (field.type === 'pairs') return Object.fromEntries(words.map((word) => pairOf(field, word)));
  return field.isList ? words.map((word) => oneValue(field, word)) : oneValue(field, first);
}

function oneValue({ option, type, values }: Field, word: string): unknown {
  if (values !== undefined && !values.includes(word)) {
    throw new UsageError(`--${option} is "${word}"; give one of ${values.join(', ')}`);
  }
  if (type === 'boolean' && word !== 'true' && word !== 'false') {
    throw new UsageError(`--${option} is "${word}"; give true or false`);
  }
  if (type === 'boolean') return word === 'true';
  if (type === 'json') return parseJson(`--${option}`, word);
  if (type !== 'number') return word;
  if (word.trim() === '' || !Number.isFinite(Number(word))) {
    throw new UsageError(`--${option} is "${word}"; give a number`);
  }
  return Number(word);
}

function pairOf({ option }: Field, word: string): [string, string] {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
  if (name === undefined || value === undefined) throw new UsageError(`--${option} is "${word}"; give NAME=TEXT`);
  return [name, value];
}

function assign(body: JsonObject, { path, option }: Field, value: unknown): void {
  let target = body;
  for (const name of path.slice(0, -1)) {
    target[name] ??= {};
    const inner = target[name];
    if (!isObject(inner))
      throw new UsageError(`--${option} sets a field of ${name}, but ${name} in --data is not an object`);
    target = inner;
  }
  target[path.at(-1) as string] = value;
}

/** Requires only outer fields. The server reports missing fields of inner objects. */
function requireFields(fields: readonly Field[], place: Field['in'], given: JsonObject): void {
  const missing = fields.find(
    (field) => field.in === place && field.isRequired && !((field.path[0] as string) in given),
  );
  if (missing !== undefined) throw new UsageError(`--${missing.option} is missing`);
}

async function readData(given: string): Promise<JsonObject> {
  const value = parseJson('--data', await readSource(given));
  if (!isObject(value)) throw new UsageError('--data takes a JSON object');
  return value;
}

async function readSource(given: string): Promise<string> {
  if (given === '-') return await text(process.stdin);
  if (!given.startsWith('@')) return given;
  return await readFile(given.slice(1), 'utf8').catch((error: Error) => {
    throw new CommandError(`${given.slice(1)} cannot be read: ${error.message}`);
  });
}

function parseJson(option: string, word: string): unknown {
  try {
    return JSON.parse(word);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UsageError(`${option} is not JSON: ${error.message}`);
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
