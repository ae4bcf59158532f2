import { COMPLIANCE_ERRORS } from './compliance.ts';
import { CONSOLE_ERRORS } from './console.ts';
import type { ErrorEntry } from './entry.ts';
import { MESSAGING_ERRORS } from './messaging.ts';
import { NUMBER_ERRORS } from './numbers.ts';
import { REQUEST_ERRORS } from './request.ts';
import { TENANT_ERRORS } from './tenants.ts';
import { VOICE_ERRORS } from './voice.ts';

export { ERROR_GROUPS, type ErrorGroup } from './entry.ts';

/**
 * The error catalogue: every code of an error reply, with its HTTP status, its meaning and what to do about it.
 * `status` and `message` make the reply; `group` and `remedy` make the documentation pages.
 */
export const ERRORS = {
  ...REQUEST_ERRORS,
  ...MESSAGING_ERRORS,
  ...NUMBER_ERRORS,
  ...VOICE_ERRORS,
  ...COMPLIANCE_ERRORS,
  ...TENANT_ERRORS,
  ...CONSOLE_ERRORS,
  insufficient_balance: {
    status: 402,
    group: 'money',
    message: 'The balance of the account is too low.',
    remedy:
      'Ask the operator to credit the account. Registrations and purchases need 20 USD; texts and calls need a balance above 0.',
  },
  internal_error: {
    status: 500,
    group: 'service',
    message: 'Something went wrong on our side.',
    remedy: 'Retry with the same Idempotency-Key. If the error persists, give the operator the request_id.',
  },
  database_unavailable: {
    status: 503,
    group: 'service',
    message: 'The database cannot be reached at the moment.',
    remedy: 'Retry after the seconds in Retry-After.',
  },
  service_paused: {
    status: 503,
    group: 'service',
    message: 'The operator has paused this installation: it answers reads only.',
    remedy: 'Retry after the seconds in Retry-After. Nothing is sent or changed until the operator resumes it.',
  },
  storage_unavailable: {
    status: 503,
    group: 'service',
    message: 'The store of recordings and documents cannot be reached at the moment.',
    remedy: 'Retry after the seconds in Retry-After.',
  },
  carrier_unavailable: {
    status: 503,
    group: 'service',
    message: 'No carrier can do this at the moment.',
    remedy: 'Live keys need a configured carrier; if there is one, retry after the seconds in Retry-After.',
  },
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** The codes of the public API: all but the codes of the console's API. */
export const PUBLIC_CODES = (Object.keys(ERRORS) as ErrorCode[]).filter((code) => !(code in CONSOLE_ERRORS));

/** One mistake in a request: the field, its code, and a sentence about the mistake. */
export type FieldError = { readonly param: string; readonly code: ErrorCode; readonly message: string };

type ApiErrorOptions = {
  /** Path of the offending field, such as `sample_messages[1]`. */
  param?: string;
  /** All mistakes that were found, the one in `param` first. By default `param` with the error's code and message. */
  fields?: readonly FieldError[];
  /** Public sentence in place of the catalogue's. */
  message?: string;
  /** Whole seconds for the Retry-After header. */
  retryAfterS?: number;
  /** Further members of the error object, for codes that document them. */
  details?: Readonly<Record<string, unknown>>;
  /** The cause, for the log only. */
  cause?: unknown;
};

/** A refusal for the caller to read. Any other thrown value becomes `internal_error`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly param: string | undefined;
  /** All mistakes that were found in bad input (400), the one in `param` first. */
  readonly fields: readonly FieldError[];
  readonly retryAfterS: number | undefined;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: ErrorCode, options: ApiErrorOptions = {}) {
    super(options.message ?? ERRORS[code].message, { cause: options.cause });
    this.name = 'ApiError';
    this.code = code;
    this.param = options.param;
    this.fields = options.fields ?? this.#onlyField();
    this.retryAfterS = options.retryAfterS;
    this.details = options.details ?? {};
  }

  /** HTTP status of the code. */
  get status(): number {
    return ERRORS[this.code].status;
  }

  #onlyField(): readonly FieldError[] {
    const { code, param, message, status } = this;
    return status === 400 && param !== undefined ? [{ param, code, message }] : [];
  }
}

/** Returns true for a failure that lasts only while the database is unavailable. */
export function isDatabaseAway(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'database_unavailable';
}
