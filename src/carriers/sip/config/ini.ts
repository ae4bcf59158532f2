/** The form of Asterisk's configuration files. */

/** A setting of a section. If its value is undefined, it is left out. */
export type Entry = readonly [name: string, value: string | number | undefined];

/**
 * Returns a section. A semicolon in a value is escaped, because it begins a comment. No value may have a line break:
 * the settings reader refuses them.
 */
export function section(name: string, entries: readonly Entry[]): string {
  const lines = entries.flatMap(([key, value]) =>
    value === undefined ? [] : [`${key} = ${escapeComment(String(value))}`],
  );
  return `[${name}]\n${lines.map((line) => `${line}\n`).join('')}`;
}

/** Returns a file of sections. Its first line says where it comes from. */
export function file(...sections: readonly string[]): string {
  return [HEADER, ...sections].join('\n');
}

const HEADER = '; Written by "dialplane carriers setup". A change of this file is lost at the next run.\n';

function escapeComment(value: string): string {
  if (/[\r\n]/.test(value)) throw new Error('a value of a configuration file has a line break');
  return value.replaceAll(';', '\\;');
}
