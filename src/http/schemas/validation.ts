import type { FastifySchemaCompiler } from 'fastify';
import { ApiError } from '../../lib/errors/errors.ts';
import { Findings } from './findings.ts';
import { compileJudge } from './judge.ts';
import { codeAround, createBlankSearch, pathOf, toApiError } from './refusal.ts';
import type { Schema } from './schema-types.ts';

/**
 * Compiles route schemas. A request that does not match is refused with an ApiError that says why. Values are judged as
 * the caller sent them: nothing is coerced or dropped.
 */
export const validatorCompiler: FastifySchemaCompiler<Schema> = ({ schema, httpPart }) => {
  const judge = compileJudge(schema);
  const findBlank = createBlankSearch(schema);
  return (value: unknown) => {
    const input = readValue(schema, httpPart, value);
    const findings = new Findings();
    judge(input, findings);
    const blank = httpPart === 'body' && isObject(input) ? findBlank(input) : [];
    const isGood = findings.isGood && blank.length === 0;
    if (httpPart === 'params') return isGood ? { value: searchable(input) } : { error: new ApiError('not_found') };
    if (!isGood) return { error: toApiError(schema, findings.failures, blank) };
    const unstorable = findUnstorable(input);
    return unstorable === undefined ? { value: input } : { error: unstorableError(schema, unstorable) };
  };
};

/** Reads an empty body as an empty object, so that the refusal lists the missing fields. */
function readValue(schema: Schema, httpPart: string | undefined, value: unknown): unknown {
  if (httpPart === 'body') return value ?? {};
  return httpPart === 'querystring' ? withTypes(schema, value as Query) : value;
}

type Query = Readonly<Record<string, string | string[]>>;
const DECIMAL = /^-?\d{1,15}$/;

/** In a query string, values are text. Reads its integers, only in decimal digits, and its flags. */
function withTypes({ properties = {} }: Schema, query: Query): Record<string, unknown> {
  const read = (name: string, value: string | string[]) => {
    const type = properties[name]?.type;
    if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
    return type === 'integer' && typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, read(name, value)]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/**
 * Makes the parameters of a path safe to look up. The database refuses NUL, so a replacement character takes its place.
 * No id has that character, so the lookup replies with the not-found code of the resource.
 */
function searchable(params: unknown): Record<string, string> {
  const entries = Object.entries(params as Record<string, string>);
  return Object.fromEntries(entries.map(([name, id]) => [name, id.toWellFormed().replaceAll('\0', '\ufffd')]));
}

/**
 * Returns the path of the first text that cannot be stored unchanged, because it has NUL or half of a surrogate pair.
 * Also returns the path of a field named __proto__, because copies of the object would lose it.
 */
function findUnstorable(value: unknown): string[] | undefined {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const within = name === '__proto__' ? [] : findUnstorable(inner);
    if (within !== undefined) return [name, ...within];
  }
  return undefined;
}

function unstorableError(schema: Schema, path: readonly string[]): ApiError {
  const param = pathOf(path);
  const code = schema.properties?.[param]?.unknownCode ?? codeAround(schema, path);
  if (code !== undefined) return new ApiError(code, { param });
  const what = path.at(-1) === '__proto__' ? 'is not a name to use' : 'holds NUL or half of a surrogate pair';
  return new ApiError('invalid_body', { param, message: `"${param}" ${what}.` });
}
