import { Ajv, type FuncKeywordDefinition } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { ApiError, type ErrorCode } from '../../lib/errors.ts';
import { explain, type Failure } from './explain.ts';

/**
 * A plus sign in a query means a space (WHATWG URL, 5.1). A space before the digits of a number, which may follow the
 * colon of an id, is read as the plus sign that was meant.
 */
const PLUS_MAY_BE_SPACE: FuncKeywordDefinition = {
  keyword: 'plusMayBeSpace',
  type: 'string',
  before: 'pattern',
  modifying: true,
  errors: false,
  validate: (_: unknown, text: string, __?: unknown, place?: Place) => {
    if (place !== undefined) place.parentData[place.parentDataProperty] = text.replace(/(^|:) (?=[1-9])/, '$1+');
    return true;
  },
};

/** The position of a judged value. */
type Place = { parentData: Record<string | number, unknown>; parentDataProperty: string | number };

// Nothing is coerced or dropped: values are judged as the caller sent them.
const ajv = createAjv();

function createAjv(): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    useDefaults: true,
    strict: false,
    discriminator: true,
  });
  addFormats.default(ajv);
  ajv.addKeyword('errorCode');
  ajv.addKeyword('missingCode');
  ajv.addKeyword('unknownCode');
  ajv.addKeyword('form');
  ajv.addKeyword(PLUS_MAY_BE_SPACE);
  return ajv;
}

/** Compiles route schemas; a request that does not match is refused with an ApiError that says why. */
export const validatorCompiler: FastifySchemaCompiler<RequestSchema> = ({ schema, httpPart }) => {
  const validate = ajv.compile(schema);
  return (value: unknown) => {
    const judged = readValue(schema, httpPart, value);
    const failures = validate(judged) ? [] : ofMeantShape((validate.errors ?? []) as Failure[]);
    const blank = httpPart === 'body' && isObject(judged) ? blankFields(schema, judged) : [];
    const isGood = failures.length === 0 && blank.length === 0;
    if (httpPart === 'params') return isGood ? { value: searchable(judged) } : { error: new ApiError('not_found') };
    if (!isGood) return { error: toApiError(schema, failures, blank) };
    const unstorable = findUnstorable(judged);
    return unstorable === undefined ? { value: judged } : { error: unstorableError(schema, unstorable) };
  };
};

/** Reads an empty body as an empty object, so that the refusal lists the missing fields. */
function readValue(schema: RequestSchema, httpPart: string | undefined, value: unknown): unknown {
  if (httpPart === 'body') return value ?? {};
  return httpPart === 'querystring' ? withTypes(schema, value as Query) : value;
}

type Query = Readonly<Record<string, string | string[]>>;
const DECIMAL = /^-?\d{1,15}$/;

/** Query strings are text on the wire: reads their integers, in decimal digits only, and their flags. */
function withTypes({ properties = {} }: RequestSchema, query: Query): Record<string, unknown> {
  const read = (name: string, value: string | string[]) => {
    const type = properties[name]?.type;
    if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
    return type === 'integer' && typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, read(name, value)]));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Makes the parameters of a path safe to look up. The database refuses NUL; the replacement character occurs in no id,
 * so the resource is not found, with its own code.
 */
function searchable(params: unknown): Record<string, string> {
  const entries = Object.entries(params as Record<string, string>);
  return Object.fromEntries(entries.map(([name, id]) => [name, id.toWellFormed().replaceAll('\0', '\ufffd')]));
}

type RequestSchema = {
  readonly type?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, RequestSchema>>;
  readonly items?: RequestSchema;
  /** Shapes that one field of the value distinguishes. */
  readonly oneOf?: readonly RequestSchema[];
  readonly errorCode?: ErrorCode;
  readonly missingCode?: ErrorCode;
  readonly unknownCode?: ErrorCode;
};

/**
 * Drops the failures within an object of a wrong type: the type is the mistake, and an object of that type has other
 * fields.
 */
function ofMeantShape(failures: readonly Failure[]): readonly Failure[] {
  const types = failures.filter(({ keyword, data }) => keyword === 'const' && !isBlank(data));
  return failures.filter((failure) =>
    types.every((type) => failure === type || !isWithin(failure.instancePath, parentOf(type.instancePath))),
  );
}

function parentOf(instancePath: string): string {
  return instancePath.slice(0, instancePath.lastIndexOf('/'));
}

function isWithin(instancePath: string, parent: string): boolean {
  return instancePath === parent || instancePath.startsWith(`${parent}/`);
}

/**
 * Returns the one error to report: missing fields before unknown fields, unknown fields before wrong fields. A field
 * with a code of its own is refused with that code, also if something within it is absent or wrong.
 */
function toApiError(schema: RequestSchema, failures: readonly Failure[], blank: readonly Missing[]): ApiError {
  const missing = missingFields(schema, failures, blank);
  if (missing.length > 0) return missingError(missing);
  const unknown = failures.find((failure) => failure.keyword === 'additionalProperties');
  if (unknown !== undefined) {
    const param = pathOf([...segments(unknown.instancePath), String(unknown.params['additionalProperty'])]);
    return new ApiError('invalid_body', { param, message: `"${param}" is not a field of this request.` });
  }
  return wrongFieldError(schema, failures);
}

type Missing = { param: string; code: ErrorCode | undefined; blank: boolean };

/** Returns the required fields that are absent, null or blank. */
function missingFields(
  schema: RequestSchema,
  failures: readonly Failure[],
  blank: readonly Missing[],
): readonly Missing[] {
  const missing = new Map(blank.map((field) => [field.param, field]));
  for (const failure of failures) {
    const path = segments(failure.instancePath);
    if (failure.keyword === 'required') path.push(String(failure.params['missingProperty']));
    else if (!isBlank(failure.data)) continue;
    const field = neededField(schema, path);
    if (field === undefined || codeAround(schema, path.slice(0, -1)) !== undefined) continue;
    const param = pathOf(path);
    const blank = failure.keyword !== 'required' && failure.data !== null;
    missing.set(param, { param, code: field.missingCode, blank });
  }
  return [...missing.values()];
}

/** Returns the required fields that have only white space, which their schema may accept. */
function blankFields(schema: RequestSchema, body: object): Missing[] {
  return Object.entries(body).flatMap(([param, value]) => {
    const field = neededField(schema, [param]);
    if (field === undefined || typeof value !== 'string' || !isBlank(value)) return [];
    return [{ param, code: field.missingCode, blank: true }];
  });
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/**
 * Returns the schema of the field at the path if the field must not be blank: its parent requires it, or it has a
 * `missingCode`, so that an update may leave it out but not empty it.
 */
function neededField(schema: RequestSchema, path: readonly string[]): RequestSchema | undefined {
  let parents = [schema];
  for (const name of path.slice(0, -1)) parents = parents.flatMap(alternatives).flatMap((each) => childOf(each, name));
  const name = path.at(-1) ?? '';
  for (const parent of parents.flatMap(alternatives)) {
    const [field] = childOf(parent, name);
    if (field !== undefined && (parent.required?.includes(name) || field.missingCode !== undefined)) return field;
  }
  return undefined;
}

function alternatives(schema: RequestSchema): readonly RequestSchema[] {
  return schema.oneOf ?? [schema];
}

/** Returns the parent's schema for the name, if any. */
function childOf(parent: RequestSchema, name: string): RequestSchema[] {
  const child = parent.properties?.[name] ?? parent.items;
  return child === undefined ? [] : [child];
}

/** Returns the code of the innermost field on the path that has one. */
function codeAround(schema: RequestSchema, path: readonly string[]): ErrorCode | undefined {
  let code: ErrorCode | undefined;
  let field: RequestSchema | undefined = schema;
  for (const name of path) {
    field = field?.properties?.[name] ?? field?.items;
    code = field?.errorCode ?? code;
  }
  return code;
}

function missingError(missing: readonly Missing[]): ApiError {
  const [only] = missing;
  if (missing.length === 1 && only?.code !== undefined) return new ApiError(only.code, { param: only.param });
  const sentences = [
    { what: 'absent', fields: missing.filter(({ blank }) => !blank) },
    { what: 'blank', fields: missing.filter(({ blank }) => blank) },
  ].filter(({ fields }) => fields.length > 0);
  return new ApiError('missing_fields', {
    param: only?.param as string,
    message: sentences
      .map(({ what, fields }) => `Required and ${what}: ${fields.map(({ param }) => param).join(', ')}.`)
      .join(' '),
  });
}

function wrongFieldError(schema: RequestSchema, failures: readonly Failure[]): ApiError {
  const first = failures[0];
  if (first === undefined) return new ApiError('invalid_body');
  const param = pathOf([...segments(first.instancePath), ...tagOf(first)]);
  const atField = failures.filter((failure) => failure.instancePath === first.instancePath);
  for (const failure of atField) {
    const code = failure.parentSchema?.['errorCode'] as ErrorCode | undefined;
    if (code !== undefined) return new ApiError(code, { param });
  }
  const around = codeAround(schema, segments(first.instancePath));
  if (around !== undefined) return new ApiError(around, { param });
  if (param !== '') return new ApiError('invalid_body', { param, message: `"${param}" ${explain(atField)}.` });
  const why = first.keyword === 'type' ? 'must be a JSON object' : explain(atField);
  return new ApiError('invalid_body', { message: `The request ${why}.` });
}

/** Returns the field that selects the shape of the value, if the selection failed. */
function tagOf({ keyword, params }: Failure): string[] {
  return keyword === 'discriminator' ? [String(params['tag'])] : [];
}

/**
 * Returns the path of the first text that cannot be stored and returned unchanged (NUL, or half of a surrogate pair),
 * or of a field named __proto__, which copies of the object would lose.
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

function unstorableError(schema: RequestSchema, path: readonly string[]): ApiError {
  const param = pathOf(path);
  const code = schema.properties?.[param]?.unknownCode ?? codeAround(schema, path);
  if (code !== undefined) return new ApiError(code, { param });
  const what = path.at(-1) === '__proto__' ? 'is not a name to use' : 'holds NUL or half of a surrogate pair';
  return new ApiError('invalid_body', { param, message: `"${param}" ${what}.` });
}

/** Splits `/sample_messages/1` into a list of names. */
function segments(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Joins names to a path as in `param`: `sample_messages[1]`. */
function pathOf(path: readonly string[]): string {
  return path.reduce((text, name) => {
    if (/^\d+$/.test(name)) return `${text}[${name}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
