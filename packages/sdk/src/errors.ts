import type { ApiErrorBody, ApiErrorCode } from './generated/schemas.ts';

/** The codes of errors that the API did not send. */
export type ClientErrorCode =
  /** The options of a call or of the client are wrong; nothing was sent. */
  | 'invalid_argument'
  /** An API key was given to a client in a browser. */
  | 'api_key_in_browser'
  /** The connection could not be made, or broke before the whole reply was read. */
  | 'connection_failed'
  /** The reply did not come within `timeoutMs`. */
  | 'timeout'
  /** The reply is not the API's: a proxy answered, or `baseUrl` is wrong. */
  | 'unexpected_reply'
  /** A webhook has no signature. */
  | 'missing_signature'
  /** No signature of a webhook was made with the secret. */
  | 'invalid_signature'
  /** The signature of a webhook is too old, or its time is in the future. */
  | 'expired_signature'
  /** A socket was refused: the token is not valid. */
  | 'login_refused'
  /** A socket was closed, and is not opened again. */
  | 'disconnected';

/** The code of an error. The API adds codes without notice, so other texts are possible. */
export type ErrorCode = ApiErrorCode | ClientErrorCode | (string & {});

type Details = {
  /** HTTP status, if there was a reply. */
  status?: number | undefined;
  requestId?: string | undefined;
  /** Whole seconds from the header Retry-After, also if it is a date. */
  retryAfterSeconds?: number | undefined;
  /** The error of the reply. */
  body?: ApiErrorBody | undefined;
  cause?: unknown;
};

/** Everything that the SDK throws, except the reason of an AbortSignal. Branch on `code`. */
export class DialplaneError extends Error {
  override readonly name = 'DialplaneError';
  readonly code: ErrorCode;
  /** HTTP status, if there was a reply. */
  readonly status: number | undefined;
  /** The field of the request that is wrong, such as `media_urls[0]`. */
  readonly field: string | undefined;
  /** All wrong fields of the request that the server found, at most 20. */
  readonly fields: NonNullable<ApiErrorBody['fields']>;
  /** Identifies the request in the log of the operator. */
  readonly requestId: string | undefined;
  /** A page about this code. */
  readonly docsUrl: string | undefined;
  /** Seconds until a repeat makes sense, if the server said so. */
  readonly retryAfterSeconds: number | undefined;
  /** The error as the API sent it, with the fields that only some codes have. */
  readonly body: ApiErrorBody | undefined;

  constructor(code: ErrorCode, message: string, { status, requestId, retryAfterSeconds, body, cause }: Details = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.status = status;
    this.field = body?.param;
    this.fields = body?.fields ?? [];
    this.requestId = body?.request_id ?? requestId;
    this.docsUrl = body?.docs_url;
    this.retryAfterSeconds = retryAfterSeconds;
    this.body = body;
  }

  /** Tells whether `error` is a DialplaneError and, if codes are given, has one of them. */
  static is(error: unknown): error is DialplaneError;
  static is<C extends ErrorCode>(error: unknown, ...codes: C[]): error is DialplaneError & { readonly code: C };
  static is(error: unknown, ...codes: ErrorCode[]): error is DialplaneError {
    return error instanceof DialplaneError && (codes.length === 0 || codes.includes(error.code));
  }
}

/** Makes the error of a reply that is no success. `text` is the body of the reply. */
export function errorOfReply(response: Response, text: string): DialplaneError {
  const requestId = response.headers.get('request-id') ?? undefined;
  const details = { status: response.status, requestId, retryAfterSeconds: retryAfter(response) };
  const body = errorBody(text);
  if (body !== undefined) return new DialplaneError(body.code, `${body.code}: ${body.message}`, { ...details, body });
  const location = response.headers.get('location');
  const reason = location === null ? 'without an error of the API' : `with a redirect to ${location}; set baseUrl`;
  return new DialplaneError('unexpected_reply', `The server answered ${response.status} ${reason}.`, details);
}

function errorBody(text: string): ApiErrorBody | undefined {
  const parsed = parseJson(text) as { error?: Partial<ApiErrorBody> } | null | undefined;
  const error = typeof parsed === 'object' ? parsed?.error : undefined;
  return typeof error?.code === 'string' ? (error as ApiErrorBody) : undefined;
}

/** Returns the value of a JSON text, or undefined if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The date forms of RFC 9110 5.6.7. Date.parse alone accepts almost any text, and reads the last form in the local
 * zone.
 */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,6} \d\d:\d\d:\d\d GMT$/;
const ASCTIME_DATE = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/;

/** Returns the time of an HTTP date in epoch milliseconds; NaN for any other text. */
function httpDateMs(text: string): number {
  if (HTTP_DATE.test(text)) return Date.parse(text);
  return ASCTIME_DATE.test(text) ? Date.parse(`${text} GMT`) : Number.NaN;
}

/** Reads Retry-After, which proxies may send as a date. The date is compared with the clock of its sender. */
function retryAfter({ headers }: Response): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const atMs = httpDateMs(value);
  if (Number.isNaN(atMs)) return undefined;
  const sentMs = httpDateMs(headers.get('date') ?? '');
  return Math.max(0, Math.ceil((atMs - (Number.isNaN(sentMs) ? Date.now() : sentMs)) / 1000));
}
