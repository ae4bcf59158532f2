/**
 * Judges values by JSON Schemas. Time and memory are linear in the size of the value, and bounded by its schema: the
 * length of an array is tested first, and no item of a longer array is judged.
 */

import { Findings } from './findings.ts';
import { judgeScalar } from './judge-scalar.ts';
import { isBlank, type Schema } from './schema-types.ts';

/** Adds the failures of a value to the findings. May fill in defaults within the value. */
export type Judge = (value: unknown, findings: Findings) => void;

type Fields = Record<string, unknown>;

const KNOWN_KEYWORDS = new Set([
  ...['type', 'const', 'enum', 'anyOf', 'oneOf', 'discriminator'],
  ...['properties', 'required', 'additionalProperties', 'propertyNames', 'maxProperties', 'minProperties'],
  ...['items', 'maxItems', 'minItems', 'uniqueItems', 'maxLength', 'minLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'default'],
  ...['plusMayBeSpace', 'requiredUnless'],
  ...[
    'form',
    'errorCode',
    'missingCode',
    'lengthCode',
    'unknownCode',
    'component',
    'description',
    'examples',
    '$id',
    '~kind',
    '~optional',
  ],
]);

/** Fields that choose a shape get no defaults, because an absent field shows which shape was meant. */
type Options = { readonly fillsDefaults: boolean };

/** Compiles a schema. Throws for an unknown keyword or type, so that no keyword is ignored. */
export function compileJudge(schema: Schema, options: Options = { fillsDefaults: true }): Judge {
  requireKnown(schema);
  if (schema.anyOf !== undefined) return judgeAnyOf(schema.anyOf);
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  const scalar = judgeScalar(schema);
  const array = judgeArray(schema, options);
  const object = judgeObject(schema, options);
  return (value, findings) => {
    if (types !== undefined && !types.some((type) => isOfType(type, value))) {
      findings.add('type', schema, value, { type: types });
      // The enum's values tell a caller more than the type.
      if (schema.enum !== undefined) findings.add('enum', schema, value, { allowedValues: schema.enum });
      return;
    }
    if (Array.isArray(value)) array(value, findings);
    else if (typeof value === 'object' && value !== null) object(value as Fields, findings);
    scalar(value, findings);
  };
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']);

function requireKnown(schema: Schema): void {
  const keyword = Object.keys(schema).find((name) => !KNOWN_KEYWORDS.has(name));
  if (keyword !== undefined) throw new Error(`the schema keyword "${keyword}" is not judged`);
  const type = [schema.type ?? []].flat().find((name) => !TYPES.has(name));
  if (type !== undefined) throw new Error(`the schema type "${type}" is not judged`);
  if (schema.oneOf !== undefined && schema.discriminator === undefined) throw new Error('oneOf needs a discriminator');
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'number':
      return Number.isFinite(value);
    default:
      return typeof value === type;
  }
}

/** Judges a value that may have several shapes. If it fits none, the shapes of the value's type explain the failure. */
function judgeAnyOf(schemas: readonly Schema[]): Judge {
  const judges = schemas.map((schema) => compileJudge(schema, { fillsDefaults: false }));
  return (value, findings) => {
    const failedShapes: Findings[] = [];
    for (const judge of judges) {
      const shapeFindings = new Findings(findings.path);
      judge(value, shapeFindings);
      if (shapeFindings.isGood) return;
      failedShapes.push(shapeFindings);
    }
    const depth = findings.path.length;
    const isOfOtherType = ({ failures }: Findings) =>
      failures.some(({ keyword, path }) => keyword === 'type' && path.length === depth);
    const meant = failedShapes.filter((shapeFindings) => !isOfOtherType(shapeFindings));
    for (const { failures } of meant.length > 0 ? meant : failedShapes) {
      for (const failure of failures) findings.append(failure);
    }
  };
}

function judgeArray(schema: Schema, options: Options): (items: unknown[], findings: Findings) => void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, uniqueItems = false } = schema;
  const judge = schema.items === undefined ? undefined : compileJudge(schema.items, options);
  return (items, findings) => {
    if (items.length > maxItems) return findings.add('maxItems', schema, items, { limit: maxItems });
    if (items.length < minItems) findings.add('minItems', schema, items, { limit: minItems });
    const repeated = uniqueItems ? findRepeated(items) : undefined;
    if (repeated !== undefined) findings.add('uniqueItems', schema, items, repeated);
    if (judge === undefined) return;
    for (const [index, item] of items.entries()) {
      findings.path.push(`${index}`);
      judge(item, findings);
      findings.path.pop();
    }
  };
}

/** Returns the positions of two equal scalars. Arrays and objects are not compared. */
function findRepeated(items: readonly unknown[]): { i: number; j: number } | undefined {
  const positions = new Map<unknown, number>();
  for (const [j, item] of items.entries()) {
    if (typeof item === 'object' && item !== null) continue;
    const i = positions.get(item);
    if (i !== undefined) return { i, j };
    positions.set(item, j);
  }
  return undefined;
}

function judgeObject(schema: Schema, options: Options): (fields: Fields, findings: Findings) => void {
  const judgeSize = judgeNumberOfFields(schema);
  const judgeOwn = judgeFields(schema, options);
  const judgeOthers = judgeOtherFields(schema);
  const judgeShape = schema.discriminator === undefined ? undefined : judgeDiscriminated(schema);
  const tags = Object.entries(schema.properties ?? {}).filter(([, field]) => field.const !== undefined);
  return (fields, findings) => {
    const wrongTags = tags.filter(([name, tag]) => Object.hasOwn(fields, name) && isOtherShape(fields[name], tag));
    // If a tag is wrong, the object may be of another shape with other fields. So only wrong tags are reported.
    for (const [name, tag] of wrongTags) {
      findings.path.push(name);
      findings.add('const', tag, fields[name], { allowedValue: tag.const });
      findings.path.pop();
    }
    if (wrongTags.length > 0 || !judgeSize(fields, findings)) return;
    judgeShape?.(fields, findings);
    judgeOthers(fields, findings);
    judgeOwn(fields, findings);
  };
}

function isOtherShape(value: unknown, tag: Schema): boolean {
  return value !== undefined && value !== tag.const && !isBlank(value);
}

function judgeNumberOfFields(schema: Schema): (fields: Fields, findings: Findings) => boolean {
  const { minProperties = 0, maxProperties = Number.POSITIVE_INFINITY } = schema;
  if (minProperties === 0 && maxProperties === Number.POSITIVE_INFINITY) return () => true;
  return (fields, findings) => {
    const count = Object.keys(fields).length;
    if (count < minProperties) findings.add('minProperties', schema, fields, { limit: minProperties });
    if (count <= maxProperties) return true;
    findings.add('maxProperties', schema, fields, { limit: maxProperties });
    return false;
  };
}

/** Judges the fields that the schema names, in the schema's order. */
function judgeFields(schema: Schema, options: Options): (fields: Fields, findings: Findings) => void {
  const named = Object.entries(schema.properties ?? {}).map(([name, field]) => {
    return { name, field, judge: compileJudge(field, options) };
  });
  const required = schema.required ?? [];
  return (fields, findings) => {
    if (options.fillsDefaults) {
      for (const { name, field } of named) if (!Object.hasOwn(fields, name)) fillDefault(fields, name, field);
    }
    for (const name of required) {
      if (!Object.hasOwn(fields, name)) findings.add('required', schema, fields, { missingProperty: name });
    }
    for (const { name, field, judge } of named) {
      if (isMissed(fields, name, field)) findings.add('required', schema, fields, { missingProperty: name });
      if (!Object.hasOwn(fields, name)) continue;
      if (field.plusMayBeSpace) fields[name] = withPlus(fields[name]);
      findings.path.push(name);
      judge(fields[name], findings);
      findings.path.pop();
    }
  };
}

/** Returns true if a field is absent and the value of another field makes it required. */
function isMissed(fields: Fields, name: string, { requiredUnless }: Schema): boolean {
  if (requiredUnless === undefined || fields[requiredUnless.field] === requiredUnless.value) return false;
  return !Object.hasOwn(fields, name) || fields[name] === null;
}

/** Defines the property, because an assignment to `__proto__` would change the prototype. */
function fillDefault(fields: Fields, name: string, field: Schema): void {
  if (field.default === undefined) return;
  const value = structuredClone(field.default);
  Object.defineProperty(fields, name, { value, writable: true, enumerable: true, configurable: true });
}

/**
 * A plus sign in a query means a space (WHATWG URL, 5.1). So a space before the digits of a number is read as the plus
 * sign that was meant. The number may follow the colon of an id.
 */
function withPlus(value: unknown): unknown {
  return typeof value === 'string' ? value.replace(/(^|:) (?=[1-9])/, '$1+') : value;
}

/** Judges the names and values of fields that the schema does not name. */
function judgeOtherFields(schema: Schema): (fields: Fields, findings: Findings) => void {
  const { properties = {}, additionalProperties: others = true } = schema;
  const judgeName = schema.propertyNames && compileJudge(schema.propertyNames);
  const judgeValue = typeof others === 'object' ? compileJudge(others, { fillsDefaults: false }) : undefined;
  return (fields, findings) => {
    if (others === true && judgeName === undefined) return;
    for (const name of Object.keys(fields)) {
      if (judgeName !== undefined) judgeNameOf(name, judgeName, findings);
      if (Object.hasOwn(properties, name)) continue;
      if (others === false) {
        findings.add('additionalProperties', schema, fields, { additionalProperty: name });
        if (findings.namesNoMoreUnknown && judgeName === undefined) return;
      }
      if (judgeValue === undefined) continue;
      findings.path.push(name);
      judgeValue(fields[name], findings);
      findings.path.pop();
    }
  };
}

function judgeNameOf(name: string, judge: Judge, findings: Findings): void {
  const nameFindings = new Findings(findings.path);
  judge(name, nameFindings);
  for (const failure of nameFindings.failures) findings.append({ ...failure, propertyName: name });
}

/** Judges an object by the shape that its field `discriminator` names. */
function judgeDiscriminated(schema: Schema): (fields: Fields, findings: Findings) => void {
  const tag = schema.discriminator?.propertyName as string;
  const shapes = (schema.oneOf ?? []).map((shape) => ({
    value: shape.properties?.[tag]?.const,
    judge: compileJudge(shape, { fillsDefaults: false }),
  }));
  const allowedValues = shapes.map(({ value }) => value);
  return (fields, findings) => {
    const shape = shapes.find(({ value }) => Object.hasOwn(fields, tag) && value === fields[tag]);
    if (shape !== undefined) return shape.judge(fields, findings);
    findings.add('discriminator', schema, fields, { tag, allowedValues });
  };
}
