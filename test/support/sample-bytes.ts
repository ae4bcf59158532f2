import { createCipheriv } from 'node:crypto';

/** Returns bytes without a pattern, the same in every run: the start of a fixed AES-CTR key stream. */
export function sampleBytes(length: number): Buffer {
  return createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(length));
}
