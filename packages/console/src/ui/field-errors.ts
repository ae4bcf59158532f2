import { createContext, useContext } from 'react';

/** The API's errors at the fields of a form. A field can drop its own error, and report that it has changed. */
export type FieldErrors = {
  readonly errors: Readonly<Record<string, string>>;
  readonly drop: (name: string) => void;
  readonly touch: () => void;
};

export const FieldErrorsContext = createContext<FieldErrors>({
  errors: {},
  drop: () => undefined,
  touch: () => undefined,
});

/**
 * Returns the error of a field, and a function for its changes. The first change removes the error. If the error
 * disappeared when the focus leaves the field, the page would move under a pointer that is about to press a button.
 */
export function useFieldError(name: string | undefined): { error: string | undefined; change: () => void } {
  const { errors, drop, touch } = useContext(FieldErrorsContext);
  return {
    error: name === undefined ? undefined : errors[name],
    change: () => {
      touch();
      if (name !== undefined) drop(name);
    },
  };
}
