/**
 * A text that each installation stores encrypted. It reveals a wrong DIALPLANE_SECRET before anything is encrypted with
 * it.
 */
import type { Cipher } from '../../lib/crypto/cipher.ts';

const TEXT = 'dialplane';
export const INSTALLATION_CONTEXT = 'installation';

export function sealText(cipher: Cipher): Buffer {
  return cipher.encrypt(TEXT, INSTALLATION_CONTEXT);
}

/** @throws Error if another secret encrypted it */
export function openSealed(cipher: Cipher, sealed: Buffer): void {
  cipher.decrypt(sealed, INSTALLATION_CONTEXT);
}
