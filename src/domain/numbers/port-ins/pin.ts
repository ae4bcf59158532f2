import type { Cipher } from '../../../lib/crypto/cipher.ts';
import type { Ledger } from '../../../lib/scope.ts';

/** Returns the text that binds a ciphertext to its port-in: it cannot be decrypted in another row. */
export function pinContext({ ledgerId }: Pick<Ledger, 'ledgerId'>, portInId: string): string {
  return `port_in_pin:${ledgerId}:${portInId}`;
}

export function sealPin(cipher: Cipher, ledger: Ledger, portInId: string, pin: string): Buffer {
  return cipher.encrypt(pin, pinContext(ledger, portInId));
}

export function openPin(cipher: Cipher, ledger: Ledger, portInId: string, pin: Buffer): string {
  return cipher.decrypt(pin, pinContext(ledger, portInId)).toString('utf8');
}
