// Imports only the formats. The main module of the package would load ajv.
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { isTimeZone } from '../../lib/time/zones.ts';
import type { Findings } from './findings.ts';
import type { Schema } from './schema-types.ts';

type Test = (value: unknown, findings: Findings) => void;

/** Compiles the keywords of a schema for texts, numbers and fixed values. Values of other types pass. */
export function judgeScalar(schema: Schema): Test {
  const tests = [judgeFixed(schema), judgeNumber(schema), judgeText(schema)].filter((test) => test !== undefined);
  return (value, findings) => {
    for (const test of tests) test(value, findings);
  };
}

function judgeFixed(schema: Schema): Test | undefined {
  const { const: only, enum: allowedValues } = schema;
  if (only === undefined && allowedValues === undefined) return undefined;
  return (value, findings) => {
    if (only !== undefined && value !== only) findings.add('const', schema, value, { allowedValue: only });
    if (allowedValues?.includes(value) === false) findings.add('enum', schema, value, { allowedValues });
  };
}

const LIMITS = [
  ['minimum', (value: number, limit: number) => value >= limit],
  ['maximum', (value: number, limit: number) => value <= limit],
  ['exclusiveMinimum', (value: number, limit: number) => value > limit],
  ['exclusiveMaximum', (value: number, limit: number) => value < limit],
] as const;

function judgeNumber(schema: Schema): Test | undefined {
  const limits = LIMITS.filter(([keyword]) => schema[keyword] !== undefined);
  if (limits.length === 0) return undefined;
  return (value, findings) => {
    if (typeof value !== 'number') return;
    for (const [keyword, isWithin] of limits) {
      const limit = schema[keyword] as number;
      if (!isWithin(value, limit)) findings.add(keyword, schema, value, { limit });
    }
  };
}

function judgeText(schema: Schema): Test | undefined {
  const { maxLength = Number.POSITIVE_INFINITY, minLength = 0 } = schema;
  const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
  const hasFormat = schema.format === undefined ? undefined : testOfFormat(schema.format);
  return (value, findings) => {
    if (typeof value !== 'string') return;
    // The length is checked first, so a pattern is never tested on a text that is too long.
    if (isLonger(value, maxLength)) return findings.add('maxLength', schema, value, { limit: maxLength });
    if (minLength > 0 && !isLonger(value, minLength - 1)) {
      findings.add('minLength', schema, value, { limit: minLength });
    }
    if (pattern?.test(value) === false) findings.add('pattern', schema, value);
    if (hasFormat?.(value) === false) findings.add('format', schema, value);
  };
}

/** Reports whether a text has more than `limit` characters (code points). Reads no more of the text than needed. */
function isLonger(text: string, limit: number): boolean {
  if (text.length <= limit) return false;
  // A character has one or two units.
  if (text.length > 2 * limit) return true;
  let characters = 0;
  for (const _ of text) if (++characters > limit) return true;
  return false;
}

/** Formats that JSON Schema does not name. */
const OWN_FORMATS: Readonly<Record<string, (text: string) => boolean>> = { 'time-zone': isTimeZone };

function testOfFormat(name: string): (text: string) => boolean {
  const ownFormat = OWN_FORMATS[name];
  if (ownFormat !== undefined) return ownFormat;
  const format = fullFormats[name as keyof typeof fullFormats];
  if (format instanceof RegExp) return (text) => format.test(text);
  const validate = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  if (typeof validate === 'function') return (text) => validate(text as never) === true;
  throw new Error(`the format ${name} is not known`);
}
