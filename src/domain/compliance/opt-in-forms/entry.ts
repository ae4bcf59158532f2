import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../../lib/errors.ts';
import type { Entered } from './submit-form.ts';

/** The fields of a form, in whichever of the two ways forms are sent. */
export type FormFields = URLSearchParams | FormData;

/** The fields of a form sent as multipart/form-data, files among them. Error: invalid_body. */
export async function readMultipart(body: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    throw new ApiError('invalid_body', { message: 'The body cannot be read as multipart/form-data.', cause });
  }
}

/** Who sent a form: what its headers say, and where the form itself may be reached. */
export type Sender = { readonly headers: IncomingHttpHeaders; readonly host: string; readonly publicUrl: string };

/**
 * What was sent of the form. Fields of other names are let go. Where the browser says that another site sent it, the
 * person has not seen our text, and there is no consent to it.
 */
export function readForm(fields: FormFields, sender: Sender): Entered {
  return {
    phoneNumber: only(fields, 'phone_number'),
    consent: only(fields, 'consent') === 'yes' && !isFromElsewhere(sender),
  };
}

/** A field given twice says nothing certain, and a file nothing at all. */
function only(fields: FormFields, name: string): string | undefined {
  const [value, ...more] = fields.getAll(name);
  return more.length === 0 && typeof value === 'string' ? value : undefined;
}

/** Without either header it was no page that sent it; and `null` is what our own page sends, which has no referrer. */
function isFromElsewhere({ headers, host, publicUrl }: Sender): boolean {
  if (['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'] ?? ''))) return true;
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return false;
  const from = URL.parse(origin);
  if (from === null) return true;
  // Behind a proxy the scheme of the request is not the visitor's, so the host alone is compared.
  const isHost = URL.parse(`${from.protocol}//${host}`)?.host === from.host;
  return !isHost && from.origin !== URL.parse(publicUrl)?.origin;
}

const JSON_FIELDS = ['phone_number', 'consent'];

/** What was sent as JSON. Errors: invalid_body (no object, an unknown field), invalid_phone (a number that is no text). */
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
  return { phoneNumber: phone_number, consent: consent === 'yes' || consent === true };
}
