/** Values of JSON as literals of the languages of samples. */

type Style = {
  readonly text: (value: string) => string;
  readonly key: (name: string) => string;
  /** A literal of an object in one line. */
  readonly object: (fields: string) => string;
  readonly indent: string;
  readonly words: Readonly<Record<string, string>>;
};

const LINE_CHARS_MAX = 80;

function quoted(value: string): string {
  const inner = JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'");
  return `'${inner}'`;
}

export const TYPESCRIPT: Style = {
  text: quoted,
  key: (name) => (/^[A-Za-z_]\w*$/.test(name) ? name : quoted(name)),
  object: (fields) => `{ ${fields} }`,
  indent: '  ',
  words: {},
};

export const PYTHON: Style = {
  text: (value) => JSON.stringify(value),
  key: (name) => JSON.stringify(name),
  object: (fields) => `{${fields}}`,
  indent: '    ',
  words: { true: 'True', false: 'False', null: 'None' },
};

/** Returns a literal. If it is too long for one line, each field or item has a line. */
export function literal(style: Style, value: unknown, depth = 0): string {
  if (typeof value === 'string') return style.text(value);
  if (typeof value !== 'object' || value === null) return style.words[String(value)] ?? String(value);
  const parts = Array.isArray(value)
    ? value.map((item) => literal(style, item, depth + 1))
    : Object.entries(value).map(([name, part]) => `${style.key(name)}: ${literal(style, part, depth + 1)}`);
  if (parts.length === 0) return Array.isArray(value) ? '[]' : '{}';
  const line = Array.isArray(value) ? `[${parts.join(', ')}]` : style.object(parts.join(', '));
  if (line.length + depth * style.indent.length <= LINE_CHARS_MAX && !line.includes('\n')) return line;
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const pad = style.indent.repeat(depth + 1);
  return `${open}\n${parts.map((part) => `${pad}${part},\n`).join('')}${style.indent.repeat(depth)}${close}`;
}

/** Returns a word of a command line, in quotes if the shell would read it otherwise. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`;
}
