/**
 * Returns the value that a table itself has under a name; undefined if it has none. For names that come from outside:
 * `table[name]` also finds what every object inherits, such as `constructor` and `toString`.
 */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
