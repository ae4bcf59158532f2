import { Ajv, type ErrorObject } from 'ajv';
import addFormats from 'ajv-formats';
import type { FastifySchemaCompiler } from 'fastify';
import { ApiError, type ErrorCode } from '../lib/errors.ts';

// Nothing is coerced or dropped in bodies: what the caller sent is what is judged. Query strings are text on the
// wire, so numbers and booleans in them are.
const strict = createAjv(false);
const coercing = createAjv(true);

function createAjv(coerceTypes: boolean): Ajv {
  const ajv = new Ajv({
    allErrors: true,
    verbose: true,
    coerceTypes,
    useDefaults: true,
    strict: false,
    discriminator: true,
  });
  addFormats.default(ajv);
  ajv.addKeyword('errorCode');
  ajv.addKeyword('missingCode');
  return ajv;
}

/** Compiles route schemas; a request that does not match throws the ApiError that says why. */
export const validatorCompiler: FastifySchemaCompiler<RequestSchema> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'body' ? strict : coercing).compile(schema);
  return (value: unknown) => {
    // An empty body is judged as an empty object, so that the caller is told which fields it lacks.
    const judged = httpPart === 'body' && value == null ? {} : value;
    const failures = validate(judged) ? [] : ((validate.errors ?? []) as Failure[]);
    const blank = httpPart === 'body' ? blankFields(schema, judged as object) : [];
    const isGood = failures.length === 0 && blank.length === 0;
    const unstorable = isGood ? findUnstorable(judged) : undefined;
    if (isGood && unstorable === undefined) return { value: judged };
    // No resource has an id of that form, whatever is wrong with it.
    if (httpPart === 'params') return { error: new ApiError('not_found') };
    return { error: unstorable === undefined ? toApiError(schema, failures, blank) : unstorableError(unstorable) };
  };
};

type RequestSchema = {
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, RequestSchema>>;
  readonly items?: RequestSchema;
  /** Shapes that a field of the value tells apart. */
  readonly oneOf?: readonly RequestSchema[];
  readonly errorCode?: ErrorCode;
};

/** An error of Ajv in verbose mode: with the schema it broke and the value that broke it. */
type Failure = ErrorObject & { parentSchema?: Readonly<Record<string, unknown>>; data?: unknown };

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

/** Required fields that are absent, null or blank. */
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
    const field = requiredField(schema, path);
    if (field === undefined || codeAround(schema, path.slice(0, -1)) !== undefined) continue;
    const param = pathOf(path);
    const blank = failure.keyword !== 'required' && failure.data !== null;
    missing.set(param, { param, code: (field as { missingCode?: ErrorCode }).missingCode, blank });
  }
  return [...missing.values()];
}

/** Required fields that hold nothing but white space, which their schema may let through. */
function blankFields(schema: RequestSchema, body: object): Missing[] {
  return Object.entries(body).flatMap(([param, value]) => {
    const field = requiredField(schema, [param]) as { missingCode?: ErrorCode } | undefined;
    if (field === undefined || typeof value !== 'string' || !isBlank(value)) return [];
    return [{ param, code: field.missingCode, blank: true }];
  });
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}

/** The schema of the field at the path, if its parent requires it. */
function requiredField(schema: RequestSchema, path: readonly string[]): RequestSchema | undefined {
  let parents = [schema];
  for (const name of path.slice(0, -1)) parents = parents.flatMap(alternatives).flatMap((each) => childOf(each, name));
  const field = path.at(-1) ?? '';
  const parent = parents.flatMap(alternatives).find(({ required }) => required?.includes(field));
  return parent && childOf(parent, field)[0];
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
  if (param === '') return new ApiError('invalid_body', { message: 'The request must be a JSON object.' });
  const why = atField.find((failure) => failure.keyword === 'enum') ?? first;
  return new ApiError('invalid_body', { param, message: `"${param}" ${explain(why)}.` });
}

/** The field that should have told apart which shape the value has, if that is what failed. */
function tagOf({ keyword, params }: Failure): string[] {
  return keyword === 'discriminator' ? [String(params['tag'])] : [];
}

function explain(failure: Failure): string {
  if (failure.keyword === 'const') return `must be ${failure.params['allowedValue']}`;
  if (failure.keyword === 'discriminator') {
    const shapes = (failure.parentSchema?.['oneOf'] ?? []) as { properties: Record<string, { const: string }> }[];
    return `must be one of ${shapes.map(({ properties }) => properties[failure.params['tag']]?.const).join(', ')}`;
  }
  if (failure.keyword === 'enum') {
    return `must be one of ${(failure.params['allowedValues'] as unknown[]).join(', ')}`;
  }
  if (failure.keyword === 'pattern') return 'does not have the required form';
  return failure.message ?? 'is not valid';
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

function unstorableError(path: readonly string[]): ApiError {
  const param = pathOf(path);
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
