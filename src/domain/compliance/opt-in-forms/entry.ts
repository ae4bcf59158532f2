import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../../lib/errors.ts';
import type { Entered } from './submit-form.ts';

/**
 * What a browser sent of the form. Fields of other names are let go. Where the browser says that another site sent
 * it, the person has not seen our text, and there is no consent to it.
 */
export function readForm(body: unknown, headers: IncomingHttpHeaders): Entered {
  const fields = new URLSearchParams(typeof body === 'string' ? body : '');
  const elsewhere = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'] ?? ''));
  return { phoneNumber: only(fields, 'phone_number'), consent: elsewhere ? undefined : only(fields, 'consent') };
}

/** A field given twice says nothing certain. */
function only(fields: URLSearchParams, name: string): string | undefined {
  const values = fields.getAll(name);
  return values.length === 1 ? values[0] : undefined;
}

const JSON_FIELDS = ['phone_number', 'consent'];

/** What was sent as JSON. Errors: invalid_body (no object, an unknown field, a field that is no text). */
export function readJson(body: unknown): Entered {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new ApiError('invalid_body', { message: 'The request must be a JSON object.' });
  }
  const fields: Readonly<Record<string, unknown>> = { ...body };
  const unknown = Object.keys(fields).find((name) => !JSON_FIELDS.includes(name));
  if (unknown !== undefined) {
    throw new ApiError('invalid_body', { param: unknown, message: `"${unknown}" is not a field of this request.` });
  }
  const { phone_number, consent } = fields;
  if (phone_number !== undefined && typeof phone_number !== 'string') {
    throw new ApiError('invalid_phone', { param: 'phone_number' });
  }
  return { phoneNumber: phone_number, consent: typeof consent === 'string' ? consent : undefined };
}
