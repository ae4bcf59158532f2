import { DialplaneError } from '@dialplane/sdk/resources';
import type { ReactNode } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { Button } from './button.tsx';
import { ErrorNote } from './error-note.tsx';
import css from './field.module.css';

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

/** A form whose fields have the names of the API's fields, so that the API's errors are shown at the fields. */
export function Form({ submit, onSubmit, error, isPending, fields, onCancel, children }: FormProps) {
  const atFields = fieldErrors(error, fields);
  const isShownAtFields = Object.keys(atFields).length > 0;
  return (
    <AriaForm
      className={css.form ?? ''}
      validationErrors={atFields}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(valuesOf(new FormData(event.currentTarget)));
      }}
    >
      {children}
      {!isShownAtFields && <ErrorNote error={error} />}
      <div className={css.buttons}>
        {onCancel !== undefined && <Button onPress={onCancel}>Cancel</Button>}
        <Button type="submit" kind="primary" isPending={isPending}>
          {submit}
        </Button>
      </div>
    </AriaForm>
  );
}

function valuesOf(data: FormData): FormValues {
  const given = [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return Object.fromEntries(given);
}

/** Returns the messages of the API's errors that belong to the given fields. */
export function fieldErrors(error: unknown, names: readonly string[]): Record<string, string> {
  if (!DialplaneError.is(error)) return {};
  const all =
    error.fields.length > 0
      ? error.fields
      : error.field === undefined
        ? []
        : [{ param: error.field, message: error.body?.message ?? error.message }];
  return Object.fromEntries(
    all.filter(({ param }) => names.includes(param)).map(({ param, message }) => [param, message]),
  );
}
