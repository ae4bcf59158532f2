import type { Cipher } from '../../lib/crypto/cipher.ts';

/** Encrypts the credentials of a connection, which are texts by name. */
export function sealCredentials(
  cipher: Cipher,
  connectionId: string,
  credentials: Readonly<Record<string, string>>,
): Buffer {
  return cipher.encrypt(JSON.stringify(credentials), credentialsContext(connectionId));
}

/** Decrypts the credentials of a connection. Throws if the secret that encrypted them is gone. */
export function openCredentials(
  cipher: Cipher,
  { id, credentials }: { readonly id: string; readonly credentials: Buffer },
): Readonly<Record<string, string>> {
  return JSON.parse(cipher.decrypt(credentials, credentialsContext(id)).toString());
}

/** Returns the text that binds encrypted credentials to their connection. */
export function credentialsContext(connectionId: string): string {
  return `carrier_credentials:${connectionId}`;
}
