import { lookUp } from '@dialplane/i18n';
import { DialplaneError } from '@dialplane/sdk/resources';
import { type RefObject, useEffect, useState } from 'react';
import { texts } from '../texts/ui.ts';

const t = texts.apiErrors;

export type Mistake = { readonly param: string; readonly code: string; readonly message: string };

/** Returns the mistakes in single fields that an error of the API reports. */
export function mistakesOf(error: unknown): readonly Mistake[] {
  if (!DialplaneError.is(error)) return [];
  if (error.fields.length > 0) return error.fields;
  const { field: param, code, body, message } = error;
  return param === undefined ? [] : [{ param, code, message: body?.message ?? message }];
}

/**
 * Returns an error for empty fields in the form of the API's error. For forms that ask for a confirmation before they
 * are sent.
 */
export function missingFields(values: Readonly<Record<string, string | undefined>>): DialplaneError {
  const message = t.thisIsRequired;
  const fields = Object.keys(values)
    .filter((param) => values[param] === undefined)
    .map((param) => ({ param, code: 'missing_fields' as const, message }));
  return new DialplaneError('missing_fields', message, { body: { code: 'missing_fields', message, fields } as never });
}

/** Codes that do not describe a mistake in a single field. */
const UNSPECIFIC: ReadonlySet<string> = new Set(['invalid_body', 'missing_fields']);

/** Returns the messages of the API's errors that belong to the given fields. */
export function fieldErrors(error: unknown, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const mistake of mistakesOf(error)) {
    const { param } = mistake;
    const name = fieldOf(param, names);
    if (name === undefined) continue;
    const at = messageAtField(mistake);
    const entry = name === param ? at : t.entry(positionOf(param) + 1, at);
    found[name] = found[name] === undefined ? entry : `${found[name]} ${entry}`;
  }
  return found;
}

/** Returns the errors at the given fields, except errors of fields that have changed since. */
export function useFieldErrors(error: unknown, names: readonly string[]) {
  const atFields = fieldErrors(error, names);
  const [changed, setChanged] = useState<{ error: unknown; names: readonly string[] }>({ error, names: [] });
  const changedNames = changed.error === error ? changed.names : [];
  const errors = Object.fromEntries(Object.entries(atFields).filter(([name]) => !changedNames.includes(name)));
  const drop = (name: string) => {
    if (errors[name] !== undefined) setChanged({ error, names: [...changedNames, name] });
  };
  return { errors, drop, isShownAtFields: Object.keys(atFields).length > 0 };
}

/** Moves the focus to the first field with an error. */
export function useFocusOnError(form: RefObject<HTMLElement | null>, error: unknown): void {
  useEffect(() => {
    if (error === null || error === undefined) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus();
  }, [form, error]);
}

/** A list may have one field for all its entries, such as `phone_numbers` for `phone_numbers[1]`. */
export function fieldOf(param: string, names: readonly string[]): string | undefined {
  return [param, param.replace(/\[\d+\]$/, '')].find((name) => names.includes(name));
}

const positionOf = (param: string) => Number(/\[(\d+)\]$/.exec(param)?.[1]);

/** The API's message begins with the field's name, which the label next to it already shows. */
export function messageAtField({ code, message }: Mistake): string {
  const rest = message.replace(/^"[\w.[\]]+" /, '');
  if (/^is required and (absent|blank)\.$/.test(rest)) return t.thisIsRequired;
  const known = UNSPECIFIC.has(code) ? undefined : lookUp(texts.refusals, code);
  if (known !== undefined) return known;
  return rest === message ? message : t.it(rest);
}
