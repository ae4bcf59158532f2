import { fieldError, refuseFields } from '../../../lib/errors/field-errors.ts';

/** Longest name of a template. */
export const TEMPLATE_NAME_CHARS_MAX = 100;

/** Most variables of a template, and of a send. */
export const VARIABLES_MAX = 20;

export const VARIABLE_NAME_CHARS_MAX = 40;

/** Longest value of a variable. */
export const VALUE_CHARS_MAX = 300;

/** A variable: its name in double braces, with or without spaces around it. */
const VARIABLE = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,39})\s*\}\}/g;

/** Returns the names of a template's variables, each once, in the order of their first use. */
export function variablesOf(body: string): string[] {
  return [...new Set(Array.from(body.matchAll(VARIABLE), ([, name]) => name as string))];
}

/**
 * Checks the variables of a template's body. Error: invalid_body, for double braces around anything but a name, and for
 * more variables than VARIABLES_MAX.
 */
export function checkVariables(body: string): void {
  const rest = body.replace(VARIABLE, '');
  if (rest.includes('{{') || rest.includes('}}')) {
    const form = 'a variable is {{name}}: letters, digits and underscores, at most 40, not beginning with a digit.';
    refuseFields([fieldError('body', 'invalid_body', `"body" has double braces around no name; ${form}`)]);
  }
  if (variablesOf(body).length > VARIABLES_MAX) {
    refuseFields([fieldError('body', 'invalid_body', `"body" has more than ${VARIABLES_MAX} variables.`)]);
  }
}

/**
 * Returns the text of a template with its variables filled in. Values are not searched for variables. Values that the
 * template does not use are ignored.
 * Error: missing_variables, which names all that have no value.
 */
export function fillTemplate(body: string, variables: Readonly<Record<string, string>>): string {
  const missing = variablesOf(body).filter((name) => !Object.hasOwn(variables, name));
  if (missing.length > 0) {
    const names = missing.join(', ');
    refuseFields([fieldError('variables', 'missing_variables', `The template needs values for: ${names}.`)]);
  }
  return body.replace(VARIABLE, (_, name: string) => variables[name] as string);
}
