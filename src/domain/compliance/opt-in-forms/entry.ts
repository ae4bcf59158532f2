import type { IncomingHttpHeaders } from 'node:http';
import { ApiError } from '../../../lib/errors/errors.ts';
import type { Entry } from './submit-form.ts';

/** The fields of a form, sent URL-encoded or as multipart/form-data. */
export type FormFields = URLSearchParams | FormData;

/** Parses a form sent as multipart/form-data, including files. Error: invalid_body. */
export async function readMultipart(body: Buffer, contentType: string): Promise<FormData> {
  try {
    return await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  } catch (cause) {
    throw new ApiError('invalid_body', { message: 'The body cannot be read as multipart/form-data.', cause });
  }
}

/** The headers of a submission, and the host and public URL of the form. */
export type Sender = { readonly headers: IncomingHttpHeaders; readonly host: string; readonly publicUrl: string };

/**
 * Reads the entry from a form; fields with other names are ignored. If the browser reports that another site sent the
 * form, the person has not seen the consent text, so there is no consent.
 */
export function readForm(fields: FormFields, sender: Sender): Entry {
  return {
    phoneNumber: singleValue(fields, 'phone_number'),
    consent: singleValue(fields, 'consent') === 'yes' && !isFromOtherSite(sender),
    shownVersion: singleValue(fields, 'shown_version'),
  };
}

/** Returns the text of a field; undefined for a repeated field, which is ambiguous, and for a file. */
function singleValue(fields: FormFields, name: string): string | undefined {
  const [value, ...more] = fields.getAll(name);
  return more.length === 0 && typeof value === 'string' ? value : undefined;
}

/**
 * Without either header the sender was not a page. The form's page sends the origin `null`, because it has no referrer.
 */
function isFromOtherSite({ headers, host, publicUrl }: Sender): boolean {
  if (['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'] ?? ''))) return true;
  const { origin } = headers;
  if (origin === undefined || origin === 'null') return false;
  const from = URL.parse(origin);
  if (from === null) return true;
  // Behind a proxy the scheme of the request is not the visitor's, so only the host is compared.
  const isHost = URL.parse(`${from.protocol}//${host}`)?.host === from.host;
  return !isHost && from.origin !== URL.parse(publicUrl)?.origin;
}

const JSON_FIELDS = ['phone_number', 'consent'];

/**
 * Reads the entry from JSON. Errors: invalid_body (not an object, an unknown field), invalid_phone (not a string).
 * @param known the fields of the request
 */
export function readJson(body: unknown, known = JSON_FIELDS): Entry {
  if (body !== undefined && (typeof body !== 'object' || body === null || Array.isArray(body))) {
    throw new ApiError('invalid_body', { message: 'The request must be a JSON object.' });
  }
  const fields: Readonly<Record<string, unknown>> = { ...body };
  const unknown = Object.keys(fields).find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ApiError('invalid_body', { param: unknown, message: `"${unknown}" is not a field of this request.` });
  }
  const { phone_number, consent } = fields;
  if (phone_number !== undefined && typeof phone_number !== 'string') {
    throw new ApiError('invalid_phone', { param: 'phone_number' });
  }
  return { phoneNumber: phone_number, consent: consent === 'yes' || consent === true, shownVersion: undefined };
}
