import { UsageError } from './command.ts';

/**
 * Returns the fields of lines KEY=VALUE. Skips empty lines and lines that begin with #. Throws UsageError without the
 * line: it may hold a secret.
 */
export function readFields(lines: readonly string[], where: string): Readonly<Record<string, string>> {
  const fields: Record<string, string> = {};
  for (const [index, line] of lines.entries()) {
    const text = line.trim();
    if (text === '' || text.startsWith('#')) continue;
    const [, name, value] = /^([a-z][a-z0-9_]*)\s*=\s*(.*)$/.exec(text) ?? [];
    if (name === undefined || value === undefined) {
      throw new UsageError(`${where}: the ${index + 1}. is not KEY=VALUE, with a KEY of lower-case letters`);
    }
    fields[name] = value;
  }
  return fields;
}
