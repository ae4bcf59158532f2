import { DialplaneError, parseJson } from './errors.ts';
import type { Event } from './generated/schemas.ts';

/** The headers of a request, from `fetch` or from Node. */
export type HeadersInput = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The body of a request as it came. */
export type RawBody = string | Uint8Array | ArrayBuffer;

/** One secret or several. Undefined ones are left out, such as unset variables during a rotation of the secret. */
export type Secrets = string | undefined | readonly (string | undefined)[];

export type UnwrapOptions = {
  /** How far the time of the signature may be from now; 300 seconds by default. */
  toleranceSeconds?: number | undefined;
  /** Now, in milliseconds of the Unix time. */
  now?: (() => number) | undefined;
};

const TOLERANCE_SECONDS = 300;
const ALGORITHM = { name: 'HMAC', hash: 'SHA-256' };

/** The signed parts of a delivery: the text before the body, the time, and one signature for each secret. */
type Signed = {
  prefix: string;
  seconds: string;
  signatures: Uint8Array<ArrayBuffer>[];
  keyOf: (secret: string) => Uint8Array<ArrayBuffer>;
};

/**
 * Verifies a delivery and returns its event. Compares in constant time.
 * @param rawBody the body before any parsing: parsed and written again, it may differ
 * @param secrets the secret of the endpoint; during a rotation, also the earlier one
 * @throws DialplaneError `missing_signature`, `invalid_signature`, `expired_signature`: answer 400
 */
export async function unwrap(
  rawBody: RawBody,
  headers: HeadersInput,
  secrets: Secrets,
  options: UnwrapOptions = {},
): Promise<Event> {
  const body = bytesOf(rawBody);
  const signed = standardSignature(headers) ?? serviceSignature(headers);
  if (signed === undefined) {
    throw new DialplaneError('missing_signature', 'The request has neither webhook-signature nor service-signature.');
  }
  if (!(await isSignedByOne(signed, body, secretsOf(secrets)))) {
    throw new DialplaneError('invalid_signature', 'No signature of the request was made with this secret and body.');
  }
  const { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = options;
  if (Math.abs(now() / 1000 - Number(signed.seconds)) > toleranceSeconds) {
    throw new DialplaneError('expired_signature', `The signature is not of the last ${toleranceSeconds} seconds.`);
  }
  const event = parseJson(new TextDecoder().decode(body));
  if (event === undefined) throw new DialplaneError('unexpected_reply', 'The signed body is not JSON.');
  return event as Event;
}

/** Returns the headers of a delivery, as the server would sign it now: to test a receiver. */
export async function sign(rawBody: string, secret: string, options: { id?: string; now?: () => number } = {}) {
  const { id = 'evt_test', now = Date.now } = options;
  const seconds = String(Math.floor(now() / 1000));
  const body = bytesOf(rawBody);
  const mac = (keyBytes: Uint8Array<ArrayBuffer>, prefix: string) => signature(keyBytes, textOf(prefix, body));
  return {
    'service-signature': `t=${seconds},v1=${hexOf(await mac(serviceKey(secret), `${seconds}.`))}`,
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': `v1,${btoa(String.fromCharCode(...(await mac(standardKey(secret), `${id}.${seconds}.`))))}`,
  };
}

async function isSignedByOne(signed: Signed, body: Uint8Array<ArrayBuffer>, secrets: readonly string[]) {
  if (!/^\d+$/.test(signed.seconds)) return false;
  const text = textOf(signed.prefix, body);
  for (const secret of secrets) {
    const key = await importKey(signed.keyOf(secret), 'verify');
    for (const signature of signed.signatures) {
      // The platform's own comparison takes the same time for every wrong signature.
      if (await crypto.subtle.verify(ALGORITHM, key, signature, text)) return true;
    }
  }
  return false;
}

/** The scheme of standardwebhooks.com. */
function standardSignature(headers: HeadersInput): Signed | undefined {
  const [list, id, seconds] = ['webhook-signature', 'webhook-id', 'webhook-timestamp'].map((name) =>
    header(headers, name),
  );
  if (list === undefined || id === undefined || seconds === undefined) return undefined;
  const signatures = list.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? fromBase64(entry.slice(3)) : []));
  return { prefix: `${id}.${seconds}.`, seconds, signatures, keyOf: standardKey };
}

function serviceSignature(headers: HeadersInput): Signed | undefined {
  const parts =
    header(headers, 'service-signature')
      ?.split(',')
      .map((part) => part.split('=')) ?? [];
  const seconds = parts.find(([name]) => name === 't')?.[1];
  if (seconds === undefined) return undefined;
  const signatures = parts.flatMap(([name, value = '']) => (name === 'v1' ? fromHex(value) : []));
  return { prefix: `${seconds}.`, seconds, signatures, keyOf: serviceKey };
}

const serviceKey = (secret: string) => new TextEncoder().encode(secret);

function standardKey(secret: string): Uint8Array<ArrayBuffer> {
  const [key] = fromBase64(secret.replace(/^whsec_/, ''));
  if (key === undefined)
    throw new DialplaneError('invalid_argument', 'A webhook secret begins with whsec_, then base64.');
  return key;
}

function secretsOf(secrets: Secrets): readonly string[] {
  const given = Array.isArray(secrets) ? secrets : [secrets];
  const all = given.filter((secret) => secret !== undefined);
  // With an empty key everybody could sign.
  if (all.length === 0 || !all.every((secret) => typeof secret === 'string' && /^whsec_.{8,}$/.test(secret))) {
    throw new DialplaneError(
      'invalid_argument',
      'The secret of the endpoint is missing, or is not whsec_ and the text after it.',
    );
  }
  return all;
}

function header(headers: HeadersInput, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined;
  const entry = Object.entries(headers).find(([key]) => key.toLowerCase() === name);
  const value: unknown = entry?.[1];
  return Array.isArray(value) ? value.join(',') : (value as string | undefined);
}

function bytesOf(body: RawBody): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return new Uint8Array(body);
  if (body instanceof ArrayBuffer) return new Uint8Array(body);
  throw new DialplaneError('invalid_argument', 'rawBody is no text and no bytes: pass the body before it is parsed.');
}

function textOf(prefix: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const start = new TextEncoder().encode(prefix);
  const text = new Uint8Array(start.length + body.length);
  text.set(start);
  text.set(body, start.length);
  return text;
}

const importKey = (key: Uint8Array<ArrayBuffer>, use: 'sign' | 'verify') =>
  crypto.subtle.importKey('raw', key, ALGORITHM, false, [use]);

const signature = async (key: Uint8Array<ArrayBuffer>, text: Uint8Array<ArrayBuffer>) =>
  new Uint8Array(await crypto.subtle.sign(ALGORITHM, await importKey(key, 'sign'), text));

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Returns a list with the bytes. The list is empty if the text is not base64. */
function fromBase64(text: string): Uint8Array<ArrayBuffer>[] {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return [];
  return [Uint8Array.from(atob(text), (character) => character.charCodeAt(0))];
}

/** Returns a list with the bytes. The list is empty if the text is not hexadecimal. */
function fromHex(text: string): Uint8Array<ArrayBuffer>[] {
  if (!/^(?:[0-9a-f]{2})+$/i.test(text)) return [];
  return [Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))];
}
