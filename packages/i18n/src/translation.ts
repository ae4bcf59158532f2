/**
 * The type of a translation of a table of texts: the same keys, and functions of the same values. A table is an object
 * of texts, of functions that return a text, and of groups of both.
 */
export type Translation<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends string
    ? string
    : Table[Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Translation<Table[Key]>;
};

/** Returns the text for a code, such as an error code of the API. Returns undefined if the group has no text for it. */
export function lookUp(group: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(group, code) ? group[code] : undefined;
}
