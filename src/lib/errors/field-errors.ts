import { ApiError, type ErrorCode, type FieldError } from './errors.ts';

/** Returns a mistake; by default with the message of its code. */
export function fieldError(param: string, code: ErrorCode, message = new ApiError(code).message): FieldError {
  return { param, code, message };
}

/**
 * Throws one error for all mistakes, with the code, param and message of the first. Throws nothing if there are none.
 */
export function refuseFields(mistakes: readonly FieldError[]): void {
  const [first] = mistakes;
  if (first !== undefined) throw new ApiError(first.code, { ...first, fields: mistakes });
}
