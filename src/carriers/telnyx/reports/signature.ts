/**
 * Telnyx signs its reports with Ed25519 (RFC 8032). The signed text is the time stamp, a bar, and the unchanged body.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { decodeBase64 } from '../../../lib/crypto/base64.ts';
import type { CarrierRequest } from '../../adapter.ts';

/** SubjectPublicKeyInfo of an Ed25519 key (RFC 8410 4), without the 32 bytes of the key. */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** A report is refused if its signature is more than this many seconds old, or in the future. */
const OFF_S_MAX = 300;

/** Reads a public key in the form of Telnyx's portal: 32 bytes in base64. Undefined if the text is not one. */
export function readPublicKey(text: string): KeyObject | undefined {
  const bytes = decodeBase64(text.trim());
  if (bytes?.length !== KEY_BYTES) return undefined;
  return createPublicKey({ key: Buffer.concat([KEY_PREFIX, bytes]), format: 'der', type: 'spki' });
}

/** Returns why a report is refused; undefined if its signature is valid and at most OFF_S_MAX old. */
export function signatureProblem(
  publicKey: KeyObject | undefined,
  { headers, body, now }: CarrierRequest,
): 'wrong_signature' | 'wrong_time' | undefined {
  const signature = decodeBase64(String(headers['telnyx-signature-ed25519'] ?? ''));
  const stamp = String(headers['telnyx-timestamp'] ?? '');
  if (publicKey === undefined || signature?.length !== SIGNATURE_BYTES || !/^\d{1,12}$/.test(stamp)) {
    return 'wrong_signature';
  }
  const signed = Buffer.concat([Buffer.from(`${stamp}|`), body]);
  if (!verify(null, signed, publicKey, signature)) return 'wrong_signature';
  return Math.abs(now.getTime() / 1000 - Number(stamp)) > OFF_S_MAX ? 'wrong_time' : undefined;
}
