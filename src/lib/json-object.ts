/** Reads JSON from other systems. */

/** Parses JSON: null for an empty text, and undefined for one that is not JSON. */
export function parseJson(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a JSON object; undefined if the text is none. */
export function parseObject(text: string): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}

/** Returns a value of parsed JSON, by the names and indexes on its path; undefined if there is none. */
export function valueAt(value: unknown, ...path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<string | number, unknown>)[name] : undefined),
    value,
  );
}

/** Returns a text of parsed JSON like `valueAt`; undefined if the value is no text. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = valueAt(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** Returns an array of parsed JSON like `valueAt`; an empty one if the value is no array. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAt(value, ...path);
  return Array.isArray(found) ? found : [];
}
