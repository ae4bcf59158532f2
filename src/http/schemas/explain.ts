import type { Failure } from './schema-types.ts';

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  date: 'a date such as 2026-11-20',
  'date-time': 'a moment in RFC 3339, such as 2026-11-20T09:00:00Z',
  email: 'an email address',
  'time-zone': 'an IANA time zone such as America/Phoenix',
  uri: 'a web address such as https://example.com/',
};

/** Describes the failure of a keyword of the schema; `judge.ts` defines the `params` of each keyword. */
const WORDS: Readonly<Record<string, (failure: Failure) => string>> = {
  const: ({ params }) => `must be ${params['allowedValue']}`,
  enum: ({ params }) => `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`,
  discriminator: ({ params }) => `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`,
  type: ({ params }) => `must be ${typesIn(params['type']).join(' or ')}`,
  pattern: ({ schema }) => `must be ${schema.form ?? 'of another form'}`,
  format: ({ schema }) => `must be ${FORMATS[schema.format ?? ''] ?? schema.format}`,
  minLength: ({ params }) => `must have at least ${count(params['limit'] as number, 'character')}`,
  maxLength: ({ params }) => `must have at most ${count(params['limit'] as number, 'character')}`,
  minItems: ({ params }) => `must have at least ${count(params['limit'] as number, 'item')}`,
  maxItems: ({ params }) => `must have at most ${count(params['limit'] as number, 'item')}`,
  uniqueItems: ({ params }) => `must not have the same item twice, as [${params['i']}] and [${params['j']}] are`,
  minProperties: ({ params }) => `must have at least ${count(params['limit'] as number, 'field')}`,
  maxProperties: ({ params }) => `must have at most ${count(params['limit'] as number, 'field')}`,
  minimum: ({ params }) => `must be at least ${params['limit']}`,
  maximum: ({ params }) => `must be at most ${params['limit']}`,
  exclusiveMinimum: ({ params }) => `must be more than ${params['limit']}`,
  exclusiveMaximum: ({ params }) => `must be less than ${params['limit']}`,
};

/**
 * Describes the failure of a value as the second half of a sentence, without the value's name: `must be at least 1`.
 * For a pattern it returns the schema's `form`.
 * @param failures all failures of the value, at least one
 */
export function explain(failures: readonly Failure[]): string {
  const first = failures[0] as Failure;
  const named = (keyword: string) => failures.find((failure) => failure.keyword === keyword);
  // The enum's values tell a caller more than the type, and a pattern's form tells more than a length.
  const why = named('enum') ?? named('pattern') ?? first;
  if (why.keyword === 'type') return `must be ${typesOf(failures).join(' or ')}`;
  const words = WORDS[why.keyword]?.(why) ?? 'is not valid';
  return why.propertyName === undefined ? words : `has a name that ${words}`;
}

/** Returns the accepted types of a value: the type of each shape that it may have. */
function typesOf(failures: readonly Failure[]): readonly string[] {
  const types = failures.filter(({ keyword }) => keyword === 'type').flatMap(({ params }) => typesIn(params['type']));
  return [...new Set(types)];
}

function typesIn(types: unknown): string[] {
  return (types as readonly string[]).map((name) => TYPES[name] ?? name);
}

function count(limit: number, what: string): string {
  return `${limit} ${what}${limit === 1 ? '' : 's'}`;
}
