/**
 * The type of a table of texts in another language than the one that it is made of: the same keys, and sentences of the
 * same values. A table is an object of texts, of functions that return one, and of groups of both.
 */
export type Translation<Table> = {
  readonly [Key in keyof Table]: Table[Key] extends string
    ? string
    : Table[Key] extends (...values: infer Values) => string
      ? (...values: Values) => string
      : Translation<Table[Key]>;
};

/** Returns the text of a code that comes from elsewhere, and undefined if the group has none for it. */
export function lookUp(group: Readonly<Record<string, string>>, code: string): string | undefined {
  return Object.hasOwn(group, code) ? group[code] : undefined;
}
