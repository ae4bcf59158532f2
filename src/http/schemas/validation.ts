import { Ajv, type FuncKeywordDefinition } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { ApiError, type ErrorCode } from '../../lib/errors.ts';
import { explain, type Failure } from './explain.ts';

/**
 * A plus sign of a query means a space (WHATWG URL, 5.1): before the digits of a number, which may follow the colon of
 * an id, it was meant as itself.
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

/** Where a judged value stands. */
type Place = { parentData: Record<string | number, unknown>; parentDataProperty: string | number };

// Nothing is coerced or dropped: what the caller sent is what is judged.
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

/** Compiles route schemas; a request that does not match throws the ApiError that says why. */
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

/** An empty body is judged as an empty object, so that the caller is told which fields it lacks. */
function readValue(schema: RequestSchema, httpPart: string | undefined, value: unknown): unknown {
  if (httpPart === 'body') return value ?? {};
  return httpPart === 'querystring' ? withNumbers(schema, value as Query) : value;
}

type Query = Readonly<Record<string, string | string[]>>;
const DECIMAL = /^-?\d{1,15}$/;

/** Query strings are text on the wire: integers in them are read, in decimal digits alone. */
function withNumbers({ properties = {} }: RequestSchema, query: Query): Record<string, unknown> {
  const read = (name: string, value: string | string[]) => {
    const isNumber = properties[name]?.type === 'integer' && typeof value === 'string' && DECIMAL.test(value);
    return isNumber ? Number(value) : value;
  };
  return Object.fromEntries(Object.entries(query).map(([name, value]) => [name, read(name, value)]));
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Parameters of a path, ready to be looked up. The database takes no NUL; what stands in its place occurs in no id, so
 * that the resource is not found, by its own code.
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
  /** Shapes that a field of the value tells apart. */
  readonly oneOf?: readonly RequestSchema[];
  readonly errorCode?: ErrorCode;
  readonly missingCode?: ErrorCode;
  readonly unknownCode?: ErrorCode;
};

/**
 * Without what is absent, unknown or wrong in an object whose type is another one than its place takes: the type is
 * what is wrong, and an object of that type has other fields.
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
 * The one error to report: missing fields before unknown ones, those before wrong ones. A field with a code of its
 * own answers with it, also for what is absent or wrong within it.
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

/** Fields that are needed and absent, null or blank. */
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

/** Needed fields that hold nothing but white space, which their schema may let through. */
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
 * The schema of the field at the path, if it must not be blank: its parent requires it, or it has a code for that and
 * may be left out, as in an update, but not emptied.
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

/** The schema that the parent has for the name, if any. */
function childOf(parent: RequestSchema, name: string): RequestSchema[] {
  const child = parent.properties?.[name] ?? parent.items;
  return child === undefined ? [] : [child];
}

/** The code of the innermost field on the way to the path that has one of its own. */
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

/** The field that should have told apart which shape the value has, if that is what failed. */
function tagOf({ keyword, params }: Failure): string[] {
  return keyword === 'discriminator' ? [String(params['tag'])] : [];
}

/**
 * The path to the first text that could not be stored and given back as it came (NUL, or half of a surrogate pair), or
 * to a field named __proto__, which copies of the object would lose.
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

/** `/sample_messages/1` as a list of names. */
function segments(instancePath: string): string[] {
  return instancePath
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** `sample_messages[1]`: how `param` names a place in a body. */
function pathOf(path: readonly string[]): string {
  return path.reduce((text, name) => {
    if (/^\d+$/.test(name)) return `${text}[${name}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
