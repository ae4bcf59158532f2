import { createContext, useContext } from 'react';

/** The API's errors at the fields of a form, and how a field drops its own. */
export type FieldErrors = {
  readonly errors: Readonly<Record<string, string>>;
  readonly drop: (name: string) => void;
};

export const FieldErrorsContext = createContext<FieldErrors>({ errors: {}, drop: () => undefined });

/**
 * Returns the error of a field, and a function for its changes. The error goes with the first change. If it went when
 * the field is left, the page would move under the pointer that is about to press a button.
 */
export function useFieldError(name: string | undefined): { error: string | undefined; drop: () => void } {
  const { errors, drop } = useContext(FieldErrorsContext);
  if (name === undefined) return { error: undefined, drop: () => undefined };
  return { error: errors[name], drop: () => drop(name) };
}
