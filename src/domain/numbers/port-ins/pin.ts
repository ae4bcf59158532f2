import type { Cipher } from '../../../lib/cipher.ts';
import type { Ledger } from '../../../lib/scope.ts';

/** Binds a ciphertext to its port-in: moved to another row, it does not open. */
function place({ ledgerId }: Ledger, portInId: string): string {
  return `port_in_pin:${ledgerId}:${portInId}`;
}

export function sealPin(cipher: Cipher, ledger: Ledger, portInId: string, pin: string): Buffer {
  return cipher.encrypt(pin, place(ledger, portInId));
}

export function openPin(cipher: Cipher, ledger: Ledger, portInId: string, pin: Buffer): string {
  return cipher.decrypt(pin, place(ledger, portInId)).toString('utf8');
}
