/**
 * Signatures of webhook deliveries in two schemes: the `Service-Signature` header, and the headers of the Standard
 * Webhooks specification. Receivers can check the latter with existing libraries.
 */
import { randomBytes } from 'node:crypto';
import { createHmacSha256, type HmacSha256 } from '../../../lib/crypto/hmac.ts';

/** A secret prepared for signing in both schemes. */
export type Signer = { readonly service: HmacSha256; readonly standard: HmacSha256 };

export interface DeliveryToSign {
  eventId: string;
  /** The exact bytes that are sent. */
  body: Uint8Array;
  /** One signer for each valid secret, newest first; more than one during the overlap of a rotation. */
  signers: readonly Signer[];
  /** Unix time of this attempt in whole seconds of the wall clock, because receivers compare it with theirs. */
  timestampS: number;
}

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new endpoint secret: `whsec_` and the base64 of 32 random bytes. */
export function makeSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

/** Returns the key of the Standard Webhooks scheme: the decoded base64 of the secret. */
function standardKey(secret: string): Buffer {
  return Buffer.from(secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret, 'base64');
}

/** Prepares a secret: `Service-Signature` uses its whole text as key, `webhook-signature` its decoded bytes. */
export function createSigner(secret: string): Signer {
  return { service: createHmacSha256(secret), standard: createHmacSha256(standardKey(secret)) };
}

/**
 * Returns the headers that authenticate one delivery attempt, with one signature per secret in each scheme.
 * Throws RangeError without signers: a delivery must never leave unsigned.
 */
export function signDelivery({ eventId, body, signers, timestampS }: DeliveryToSign): Record<string, string> {
  if (signers.length === 0) throw new RangeError('a delivery needs at least one secret');
  const timestamp = String(timestampS);
  const serviceCodes = signers.map(({ service }) => `,v1=${service(`${timestamp}.`, body, 'hex')}`);
  const standardCodes = signers.map(({ standard }) => `v1,${standard(`${eventId}.${timestamp}.`, body, 'base64')}`);
  return {
    'Service-Signature': `t=${timestamp}${serviceCodes.join('')}`,
    'webhook-id': eventId,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardCodes.join(' '),
  };
}
