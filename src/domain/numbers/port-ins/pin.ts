import type { Cipher } from '../../../lib/cipher.ts';
import type { Ledger } from '../../../lib/scope.ts';

/** Returns the text that binds a ciphertext to its port-in: it cannot be decrypted in another row. */
function bindingOf({ ledgerId }: Ledger, portInId: string): string {
  return `port_in_pin:${ledgerId}:${portInId}`;
}

export function sealPin(cipher: Cipher, ledger: Ledger, portInId: string, pin: string): Buffer {
  return cipher.encrypt(pin, bindingOf(ledger, portInId));
}

export function openPin(cipher: Cipher, ledger: Ledger, portInId: string, pin: Buffer): string {
  return cipher.decrypt(pin, bindingOf(ledger, portInId)).toString('utf8');
}
