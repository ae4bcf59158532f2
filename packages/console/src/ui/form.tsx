import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useRef } from 'react';
import { Form as AriaForm } from 'react-aria-components/Form';
import { texts } from '../texts/ui.ts';
import { fieldOf, messageAtField, mistakesOf, useFieldErrors, useFocusOnError } from './api-errors.ts';
import { Button } from './button.tsx';
import { Confirm } from './dialog.tsx';
import { ErrorNote } from './error-note.tsx';
import css from './field.module.css';
import { FieldErrorsContext } from './field-errors.ts';
import { useFormState } from './form-state.ts';
import { Notice } from './notice.tsx';

const t = texts.form;

/** The values of a form by the names of its fields. An empty text is left out. */
export type FormValues = Readonly<Record<string, string | undefined>>;

type FormProps = {
  /** The text of the button that sends the form. */
  submit: string;
  onSubmit: (values: FormValues) => void;
  error: unknown;
  isPending: boolean;
  /**
   * The names of this form's fields. Their errors are shown at the fields; all other errors are shown below the form.
   */
  fields: readonly string[];
  onCancel?: () => void;
  /**
   * True if the form stays after a success, such as settings. Any other form must be changed before it can be sent
   * again.
   */
  stays?: boolean;
  /** True if leaving the page would lose input. By default it is true after any input. */
  isChanged?: boolean;
  children: ReactNode;
};

/**
 * A form whose fields have the names of the API's fields, so that the API's errors are shown at the fields. The API
 * checks all fields at once, so the browser checks none: it would stop at its first finding. A page asks before it
 * drops the person's input; a window is not closed by a click outside.
 */
export function Form({ submit, onSubmit, error, isPending, fields, onCancel, children, ...state }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const { errors, drop, isShownAtFields } = useFieldErrors(error, fields);
  const { isChanged, isOnPage, touch, send } = useFormState({
    error,
    isPending,
    stays: state.stays ?? false,
    isChanged: state.isChanged,
  });
  useFocusOnError(form, error);
  return (
    <>
      <AriaForm
        ref={form}
        className={css.form ?? ''}
        validationBehavior="aria"
        onSubmit={(event) => {
          event.preventDefault();
          if (send()) onSubmit(valuesOf(new FormData(event.currentTarget)));
        }}
      >
        <FieldErrorsContext value={{ errors, drop, touch }}>{children}</FieldErrorsContext>
        {isShownAtFields ? <OtherErrors error={error} fields={fields} /> : <ErrorNote error={error} />}
        <div className={css.buttons}>
          {onCancel !== undefined && (
            <Button isDisabled={isPending} onPress={onCancel}>
              {t.cancel}
            </Button>
          )}
          <Button type="submit" kind="primary" isPending={isPending}>
            {submit}
          </Button>
        </div>
      </AriaForm>
      {isOnPage && <LeaveQuestion isChanged={isChanged} />}
    </>
  );
}

/** The mistakes that have no field in the form. */
function OtherErrors({ error, fields }: { error: unknown; fields: readonly string[] }) {
  const others = mistakesOf(error).filter(({ param }) => fieldOf(param, fields) === undefined);
  if (others.length === 0) return null;
  return (
    <Notice tone="bad" title={t.thereFurtherMistakes}>
      <ul>
        {others.map((mistake) => (
          <li key={mistake.param}>
            <code>{mistake.param}</code>: {messageAtField(mistake)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function valuesOf(data: FormData): FormValues {
  const given = [...data].filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return Object.fromEntries(given);
}

/** Asks for a confirmation before the person leaves the page and loses input. */
function LeaveQuestion({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({ shouldBlockFn: () => isChanged, enableBeforeUnload: isChanged, withResolver: true });
  return (
    <Confirm
      title={texts.leaveQuestion.leaveWithoutSaving}
      isOpen={blocker.status === 'blocked'}
      onClose={() => blocker.reset?.()}
      confirm={texts.leaveQuestion.leave}
      onConfirm={() => blocker.proceed?.()}
      isPending={false}
    >
      {texts.leaveQuestion.whatYouHave}
    </Confirm>
  );
}
