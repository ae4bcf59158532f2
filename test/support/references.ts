/** References within the OpenAPI document. */
import type { Document } from '../../src/http/openapi/types.ts';

/** Resolves a `$ref` into the components. */
export function resolveReference({ components }: Pick<Document, 'components'>, value: object): object {
  const target = (value as { $ref?: string }).$ref;
  if (target === undefined) return value;
  const [, , kind, name] = target.split('/');
  return components[kind as string]?.[name as string] as object;
}

/** Resolves every `$ref` within a value. */
export function resolveAll(document: Pick<Document, 'components'>, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveAll(document, item));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(resolveReference(document, value));
  return Object.fromEntries(fields.map(([name, inner]) => [name, resolveAll(document, inner)]));
}
