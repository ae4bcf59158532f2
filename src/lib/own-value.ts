/**
 * Returns the value that a table itself has under a name, or undefined. For names that come from outside: `table[name]`
 * also finds names that every object inherits, such as `constructor` and `toString`.
 */
export function ownValue<Value>(table: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
