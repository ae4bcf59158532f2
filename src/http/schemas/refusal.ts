/**
 * Makes one error from all mistakes in a request. The code and param come from the first mistake. `fields` lists all
 * mistakes.
 */
import { ApiError, ERRORS, type ErrorCode, type FieldError } from '../../lib/errors/errors.ts';
import { explain } from './explain.ts';
import { FIELDS_MAX } from './findings.ts';
import { type Failure, isBlank, type Schema } from './schema-types.ts';

type Path = readonly string[];
type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the error to report. Missing fields come before unknown fields, and unknown fields before wrong fields. A
 * field with a specific code is refused with that code, even if only something inside it is absent or wrong.
 */
export function toApiError(schema: Schema, failures: readonly Failure[], blank: readonly Missing[]): ApiError {
  const missing = missingFields(schema, failures, blank);
  const wrong = wrongFields(schema, failures, new Set(missing.map(({ param }) => param)));
  const fields = [...missing.map(missingField), ...unknownFields(failures), ...wrong].slice(0, FIELDS_MAX);
  const [first] = fields;
  if (first === undefined) return new ApiError('invalid_body');
  const { param } = first;
  // An id that cannot exist gets the 404 of an unknown id.
  if (ERRORS[first.code].status !== 400) return new ApiError(first.code, { param });
  if (missing.length === 1 && first.code !== 'missing_fields') return new ApiError(first.code, { param, fields });
  if (missing.length > 0) return new ApiError('missing_fields', { param, message: sentence(missing), fields });
  // A mistake that concerns the whole body names no field.
  if (param === '') return new ApiError(first.code, { message: first.message });
  return new ApiError(first.code, { ...first, fields });
}

export type Missing = { param: string; code: ErrorCode | undefined; blank: boolean };

/** Returns the required fields that are absent, null or blank. */
function missingFields(schema: Schema, failures: readonly Failure[], blank: readonly Missing[]): readonly Missing[] {
  const missing = new Map(blank.map((field) => [field.param, field]));
  for (const failure of failures) {
    const path = [...failure.path];
    if (failure.keyword === 'required') path.push(String(failure.params['missingProperty']));
    else if (!isBlank(failure.value)) continue;
    const field = neededField(schema, path);
    if (field === undefined || codeAround(schema, path.slice(0, -1)) !== undefined) continue;
    const param = pathOf(path);
    const blank = failure.keyword !== 'required' && failure.value !== null;
    missing.set(param, { param, code: field.missingCode, blank });
  }
  return [...missing.values()];
}

/**
 * Returns a function that finds required fields with only white space in a body. Their schema may accept white space.
 */
export function createBlankSearch(schema: Schema): (body: Fields) => Missing[] {
  const names = new Set(alternatives(schema).flatMap(({ properties = {} }) => Object.keys(properties)));
  const needed = new Map(
    [...names].flatMap((name) => {
      const field = neededField(schema, [name]);
      return field === undefined ? [] : [[name, field] as const];
    }),
  );
  const isBlankIn = (body: Fields, name: string) => typeof body[name] === 'string' && isBlank(body[name]);
  return (body) => {
    // Most bodies have no blank field. For these bodies this check saves a search through thousands of fields.
    if (![...needed.keys()].some((name) => isBlankIn(body, name))) return [];
    return Object.keys(body).flatMap((param) => {
      const field = needed.get(param);
      return field !== undefined && isBlankIn(body, param) ? [{ param, code: field.missingCode, blank: true }] : [];
    });
  };
}

/**
 * Returns the schema of the field at the path, if the field must not be blank. This is so if its parent requires it, or
 * if it has a `missingCode`: an update may leave such a field out, but not empty it.
 */
function neededField(schema: Schema, path: Path): Schema | undefined {
  let parents: readonly Schema[] = [schema];
  for (const name of path.slice(0, -1))
    parents = parents.flatMap(alternatives).flatMap((parent) => childOf(parent, name));
  const name = path.at(-1) ?? '';
  for (const parent of parents.flatMap(alternatives)) {
    const [field] = childOf(parent, name);
    if (field !== undefined && (parent.required?.includes(name) || field.missingCode !== undefined)) return field;
  }
  return undefined;
}

/** Returns the shapes that a value may have. */
function alternatives(schema: Schema): readonly Schema[] {
  const shapes = schema.oneOf ?? schema.anyOf;
  return shapes === undefined ? [schema] : shapes.flatMap(alternatives);
}

/** Returns the parent's schema for the field of this name, if there is one. */
function childOf(parent: Schema, name: string): Schema[] {
  if (parent.anyOf !== undefined) return parent.anyOf.flatMap((shape) => childOf(shape, name));
  const { properties, additionalProperties: others } = parent;
  if (properties !== undefined && Object.hasOwn(properties, name)) return [properties[name] as Schema];
  if (parent.items !== undefined) return [parent.items];
  return typeof others === 'object' ? [others] : [];
}

/** Returns the `errorCode` of the innermost field on the path that has one. */
export function codeAround(schema: Schema, path: Path): ErrorCode | undefined {
  let code: ErrorCode | undefined;
  let field: Schema | undefined = schema;
  for (const name of path) {
    [field] = field === undefined ? [] : childOf(field, name);
    code = field?.errorCode ?? code;
  }
  return code;
}

function missingField({ param, code = 'missing_fields', blank }: Missing): FieldError {
  return { param, code, message: `"${param}" is required and ${blank ? 'blank' : 'absent'}.` };
}

function sentence(missing: readonly Missing[]): string {
  const sentences = [
    { what: 'absent', fields: missing.filter(({ blank }) => !blank) },
    { what: 'blank', fields: missing.filter(({ blank }) => blank) },
  ].filter(({ fields }) => fields.length > 0);
  return sentences
    .map(({ what, fields }) => `Required and ${what}: ${fields.map(({ param }) => param).join(', ')}.`)
    .join(' ');
}

function unknownFields(failures: readonly Failure[]): FieldError[] {
  return failures.flatMap(({ keyword, path, params }): FieldError[] => {
    if (keyword !== 'additionalProperties') return [];
    const param = pathOf([...path, String(params['additionalProperty'])]);
    return [{ param, code: 'invalid_body', message: `"${param}" is not a field of this request.` }];
  });
}

/** Returns an entry for each field that is neither missing nor unknown. */
function wrongFields(schema: Schema, failures: readonly Failure[], missing: ReadonlySet<string>): FieldError[] {
  const byField = new Map<string, Failure[]>();
  for (const failure of failures) {
    if (failure.keyword === 'additionalProperties') continue;
    const param = pathOf([...failure.path, ...tagOf(failure)]);
    if (missing.has(param) || isMissing(failure, missing)) continue;
    const known = byField.get(param);
    if (known === undefined) byField.set(param, [failure]);
    else known.push(failure);
  }
  return [...byField].map(([param, atField]) => wrongField(schema, param, atField));
}

/** Reports whether the failure is about a field in `missing`. */
function isMissing({ keyword, path, params }: Failure, missing: ReadonlySet<string>): boolean {
  return keyword === 'required' && missing.has(pathOf([...path, String(params['missingProperty'])]));
}

function wrongField(schema: Schema, param: string, atField: readonly Failure[]): FieldError {
  const { path, keyword } = atField[0] as Failure;
  const codes = atField.map(
    ({ keyword, schema }) => (keyword === 'maxLength' && schema.lengthCode) || schema.errorCode,
  );
  const around = codes.find((code) => code !== undefined) ?? codeAround(schema, path);
  if (around !== undefined) return { param, code: around, message: new ApiError(around).message };
  if (param !== '') return { param, code: 'invalid_body', message: `"${param}" ${explain(atField)}.` };
  const why = keyword === 'type' ? 'must be a JSON object' : explain(atField);
  return { param, code: 'invalid_body', message: `The request ${why}.` };
}

/** Returns the field that selects the shape of the value, if its value selects none. */
function tagOf({ keyword, params }: Failure): string[] {
  return keyword === 'discriminator' ? [String(params['tag'])] : [];
}

/** Joins names to a path in the form of `param`: `sample_messages[1]`. */
export function pathOf(path: Path): string {
  return path.reduce((text, name) => {
    if (/^\d+$/.test(name)) return `${text}[${name}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
