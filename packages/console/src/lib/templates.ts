const VARIABLE = /\{\{\s*([^{}]+?)\s*\}\}/g;

/** Returns a template's text with its values. A variable without a value stays in braces. */
export function filled(body: string, values: Readonly<Record<string, string>>): string {
  return body.replace(VARIABLE, (braces, name: string) => valueNamed(values, name) || braces);
}

/** Returns the value of a variable; an empty text if it has none. A variable may be called `constructor`. */
export function valueNamed(values: Readonly<Record<string, string>>, name: string): string {
  return Object.hasOwn(values, name) ? (values[name] ?? '') : '';
}

/** Returns the names that a template uses, each once. */
export function variablesOf(body: string): readonly string[] {
  return [...new Set([...body.matchAll(VARIABLE)].map(([, name]) => name as string))];
}
