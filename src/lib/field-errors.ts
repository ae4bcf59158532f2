import { ApiError, type ErrorCode } from './errors.ts';

/** One mistake in a request: where, its code, and what is wrong in a sentence. */
export type FieldError = { readonly param: string; readonly code: ErrorCode; readonly message: string };

/** Returns the mistake with the message of its code, unless another is given. */
export function fieldError(param: string, code: ErrorCode, message = new ApiError(code).message): FieldError {
  return { param, code, message };
}

/** Throws one error for all mistakes, if there are any: its code, param and message are those of the first. */
export function refuseFields(mistakes: readonly FieldError[]): void {
  const [first] = mistakes;
  if (first !== undefined) throw new ApiError(first.code, first);
}
