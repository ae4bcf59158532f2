import type { ApiError, ErrorCode, FieldError } from '../../lib/errors/errors.ts';
import { FIELDS_MAX } from '../schemas/findings.ts';
import type { ErrorEnvelope } from '../schemas/schemas.ts';

/** The most bytes of an error reply. */
export const ERROR_BYTES_MAX = 16 * 1024;

/** Bounds for names and sentences in an error reply. These may contain parts of the caller's request. */
const PARAM_CHARS_MAX = 200;
const MESSAGE_CHARS_MAX = 1_000;
const FIELD_MESSAGE_CHARS_MAX = 500;

/** The most bytes of `fields`. The other half of the reply is for the other members, escaped and in UTF-8. */
const FIELDS_BYTES_MAX = ERROR_BYTES_MAX / 2;

type RequestPlace = { publicUrl: string; requestId: string };

/** Returns the body of an error reply. */
export function toEnvelope(error: ApiError, place: RequestPlace): ErrorEnvelope {
  // Client code often passes on the error without the envelope, so the error has the request id too.
  return { error: toInnerError(error, place), request_id: place.requestId };
}

/** Returns the `error` member of the envelope. Cuts long texts, and leaves out mistakes beyond the bounds. */
export function toInnerError(
  { code, message, param, fields, details }: ApiError,
  { publicUrl, requestId }: RequestPlace,
): ErrorEnvelope['error'] & { code: ErrorCode } {
  return {
    code,
    message: cut(message, MESSAGE_CHARS_MAX),
    docs_url: `${publicUrl}/docs/errors/${code}`,
    ...(param !== undefined && { param: cut(param, PARAM_CHARS_MAX) }),
    ...(fields.length > 0 && { fields: boundFields(fields) }),
    request_id: requestId,
    ...details,
  };
}

function boundFields(fields: readonly FieldError[]): FieldError[] {
  const bounded: FieldError[] = [];
  let bytes = 0;
  for (const { param, code, message } of fields.slice(0, FIELDS_MAX)) {
    const field = { param: cut(param, PARAM_CHARS_MAX), code, message: cut(message, FIELD_MESSAGE_CHARS_MAX) };
    bytes += Buffer.byteLength(JSON.stringify(field));
    if (bytes > FIELDS_BYTES_MAX) break;
    bounded.push(field);
  }
  return bounded;
}

/** Cuts a text to a number of UTF-16 units, without half of a surrogate pair at its end. */
function cut(text: string, unitsMax: number): string {
  if (text.length <= unitsMax) return text;
  const start = text.slice(0, unitsMax - 1);
  return `${start.isWellFormed() ? start : start.slice(0, -1)}…`;
}
