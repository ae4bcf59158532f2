import { DialplaneError } from '@dialplane/sdk/resources';
import { type ReactNode, useEffect, useRef } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import css from './field.module.css';
import { Notice } from './notice.tsx';

/** The values of a form by the names of its fields. An empty text is left out. */
export type FormValues = Readonly<Record<string, string | undefined>>;

type FormProps = {
  /** The text of the button that sends the form. */
  submit: string;
  onSubmit: (values: FormValues) => void;
  error: unknown;
  isPending: boolean;
  /** Names of the fields of this form: their errors are shown at them, all other errors below the form. */
  fields: readonly string[];
  onCancel?: () => void;
  children: ReactNode;
};

/**
 * A form whose fields have the names of the API's fields, so that the API's errors are shown at the fields. The API
 * checks all fields at once, so the browser checks none: it would stop at its own first finding.
 */
export function Form({ submit, onSubmit, error, isPending, fields, onCancel, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const atFields = fieldErrors(error, fields);
  const isShownAtFields = Object.keys(atFields).length > 0;
  useEffect(() => {
    if (error === null || error === undefined) return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-invalid] button')?.focus();
  }, [error]);
  return (
    <AriaForm
      ref={form}
      className={css.form ?? ''}
      validationBehavior="aria"
      validationErrors={atFields}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesOf(new FormData(event.currentTarget)));
      }}
    >
      {children}
      {isShownAtFields ? <OtherErrors error={error} fields={fields} /> : <ErrorNote error={error} />}
      <div className={css.buttons}>
        {onCancel !== undefined && <Button onPress={onCancel}>Cancel</Button>}
        <Button type="submit" kind="primary" isPending={isPending}>
          {submit}
        </Button>
      </div>
    </AriaForm>
  );
}

/** Mistakes in what the form has no field for. */
function OtherErrors({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const others = mistakesOf(error).filter(({ param }) => fieldOf(param, fields) === undefined);
  if (others.length === 0) return null;
  return (
    <Notice tone="bad" title="There are further mistakes">
      <ul>
        {others.map(({ param, message }) => (
          <li key={param}>{message}</li>
        ))}
      </ul>
    </Notice>
  );
}

function valuesOf(data: FormData): FormValues {
  const given = [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return Object.fromEntries(given);
}

type Mistake = { readonly param: string; readonly message: string };

function mistakesOf(error: unknown): readonly Mistake[] {
  if (!DialplaneError.is(error)) return [];
  if (error.fields.length > 0) return error.fields;
  return error.field === undefined ? [] : [{ param: error.field, message: error.body?.message ?? error.message }];
}

/** Returns the messages of the API's errors that belong to the given fields. */
export function fieldErrors(error: unknown, names: readonly string[]): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { param, message } of mistakesOf(error)) {
    const name = fieldOf(param, names);
    if (name === undefined) continue;
    const at = messageAtField(message);
    const entry = name === param ? at : `Entry ${positionOf(param) + 1}: ${at}`;
    found[name] = found[name] === undefined ? entry : `${found[name]} ${entry}`;
  }
  return found;
}

/** A list may have one field for all of its entries, such as `phone_numbers` for `phone_numbers[1]`. */
function fieldOf(param: string, names: readonly string[]): string | undefined {
  return [param, param.replace(/\[\d+\]$/, '')].find((name) => names.includes(name));
}

const positionOf = (param: string) => Number(/\[(\d+)\]$/.exec(param)?.[1]);

/** The API's message begins with the field's name, which the label beside it says already. */
function messageAtField(message: string): string {
  const rest = message.replace(/^"[\w.[\]]+" /, '');
  if (/^is required and (absent|blank)\.$/.test(rest)) return 'This is required.';
  return rest === message ? message : `It ${rest}`;
}
