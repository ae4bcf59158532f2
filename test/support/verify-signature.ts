/** The receiver's side of webhook signatures, written from the published description and not from the signing code. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface ReceivedDelivery {
  /** The headers in the form of `node:http`: names in lower case. */
  headers: Record<string, string | string[] | undefined>;
  /** The raw body, before any parsing. */
  body: Buffer | string;
  secret: string;
  /** The receiver's clock, in Unix seconds. */
  nowS: number;
  toleranceS?: number;
}

export type Verdict = 'valid' | 'missing' | 'stale' | 'mismatch';

const TOLERANCE_S = 300;

function isEqual(expected: Buffer, given: Buffer): boolean {
  return expected.length === given.length && timingSafeEqual(expected, given);
}

function isFresh(timestamp: string, delivery: ReceivedDelivery): boolean {
  return Math.abs(delivery.nowS - Number(timestamp)) <= (delivery.toleranceS ?? TOLERANCE_S);
}

/** Checks the `Service-Signature: t=…,v1=…[,v1=…]` header. */
export function verifySignature(delivery: ReceivedDelivery): Verdict {
  const header = delivery.headers['service-signature'];
  if (typeof header !== 'string') return 'missing';
  const fields = header.split(',').map((field) => field.split('='));
  const timestamp = fields.find(([name]) => name === 't')?.[1];
  const signatures = fields.filter(([name]) => name === 'v1').map(([, value]) => value ?? '');
  if (timestamp === undefined || signatures.length === 0) return 'missing';
  const expected = createHmac('sha256', delivery.secret)
    .update(Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(delivery.body)]))
    .digest();
  if (!signatures.some((signature) => isEqual(expected, Buffer.from(signature, 'hex')))) return 'mismatch';
  return isFresh(timestamp, delivery) ? 'valid' : 'stale';
}

/** Checks the `webhook-id`, `webhook-timestamp` and `webhook-signature` headers of Standard Webhooks. */
export function verifyStandardSignature(delivery: ReceivedDelivery): Verdict {
  const id = delivery.headers['webhook-id'];
  const timestamp = delivery.headers['webhook-timestamp'];
  const header = delivery.headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof header !== 'string') return 'missing';
  const key = Buffer.from(delivery.secret.replace(/^whsec_/, ''), 'base64');
  const expected = createHmac('sha256', key)
    .update(Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(delivery.body)]))
    .digest();
  const signatures = header.split(' ').map((entry) => entry.split(','));
  const isSigned = signatures.some(
    ([version, value]) => version === 'v1' && isEqual(expected, Buffer.from(value ?? '', 'base64')),
  );
  if (!isSigned) return 'mismatch';
  return isFresh(timestamp, delivery) ? 'valid' : 'stale';
}
