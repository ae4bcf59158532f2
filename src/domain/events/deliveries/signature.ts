/**
 * Signatures of webhook deliveries, in two schemes side by side: the `Service-Signature` header, and the headers of
 * the Standard Webhooks specification, for which receivers find ready-made libraries.
 */
import { createHmac, randomBytes } from 'node:crypto';

export interface DeliveryToSign {
  eventId: string;
  /** The exact bytes that are sent. */
  body: Buffer | string;
  /** Every secret that is valid now, newest first; more than one while a rotation overlaps. */
  secrets: readonly string[];
  /** Unix time of this attempt in whole seconds, of the wall clock: receivers compare it with theirs. */
  timestampS: number;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new endpoint secret: `whsec_` and the base64 of 32 random bytes. */
export function makeSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** The key of the Standard Webhooks scheme: the bytes that the secret's base64 stands for. */
function standardKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
}

/**
 * The headers that authenticate one delivery attempt, with one signature per secret in each scheme.
 *
 * `Service-Signature` is keyed with the whole secret text, `webhook-signature` with its decoded bytes.
 * Throws RangeError without secrets: a delivery must never leave unsigned.
 */
export function signDelivery({ eventId, body, secrets, timestampS }: DeliveryToSign): Record<string, string> {
  if (secrets.length === 0) throw new RangeError('a delivery needs at least one secret');
  const timestamp = String(timestampS);
  let serviceSignature = `t=${timestamp}`;
  let standardSignature = '';
  for (const secret of secrets) {
    const serviceMac = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest('hex');
    serviceSignature += `,v1=${serviceMac}`;
    const standardMac = createHmac('sha256', standardKey(secret))
      .update(`${eventId}.${timestamp}.`)
      .update(body)
      .digest('base64');
    standardSignature += standardSignature === '' ? `v1,${standardMac}` : ` v1,${standardMac}`;
  }
  return {
    'Service-Signature': serviceSignature,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardSignature,
  };
}
