/**
 * Encryption at rest.
 *
 * A sealed value is `version (1) | key id (4) | nonce (12) | ciphertext | tag (16)`, AES-256-GCM (NIST SP 800-38D).
 * The header and the context are authenticated with it, so a value cannot be moved to another row or purpose. Keys
 * are derived from the operator's secret by HKDF-SHA256 (RFC 5869), one for each purpose. Nonces are random, which is
 * safe for 2^32 values under a key: rotate the secret long before.
 */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';

export interface Cipher {
  /** Seals a value. `context` names its place, e.g. `webhook_secret:whe_…`, and is needed to open it. */
  encrypt(plaintext: string | Buffer, context: string): Buffer;
  /** Opens a sealed value. Throws if it was altered or sealed under another context, or its key is gone. */
  decrypt(ciphertext: Buffer, context: string): Buffer;
  /** Ids of the keys in hex, the current one first. */
  readonly keyIds: readonly string[];
  /** Derives 32 bytes for a purpose (token signing) from the current secret. Returns the same buffer each time. */
  deriveKey(label: string): Buffer;
  /** Derives the keys of a purpose from every secret, the current one first: sign with the first, verify with any. */
  deriveKeys(label: string): readonly Buffer[];
}

interface SealingKey {
  id: Buffer;
  key: KeyObject;
}

const VERSION = 1;
const KEY_ID_BYTES = 4;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HEADER_BYTES = 1 + KEY_ID_BYTES;
const SECRET_CHARS_MIN = 16;
const ALGORITHM = 'aes-256-gcm';

function derive(secret: string, purpose: string, lengthBytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `dialplane/${purpose}`, lengthBytes));
}

/** SQL for the id in hex of the key that sealed the value in a column. */
export const keyIdSql = (column: string) => `encode(substr(${column}, 2, ${KEY_ID_BYTES}), 'hex')`;

function loadKeys(secrets: readonly string[]): readonly SealingKey[] {
  const keys: SealingKey[] = [];
  for (const secret of new Set(secrets)) {
    if (secret.length < SECRET_CHARS_MIN) {
      throw new RangeError(`an encryption secret needs at least ${SECRET_CHARS_MIN} characters`);
    }
    const id = derive(secret, 'key-id', KEY_ID_BYTES);
    if (keys.some((other) => other.id.equals(id))) throw new RangeError('two encryption secrets have the same key id');
    keys.push({ id, key: createSecretKey(derive(secret, 'at-rest', KEY_BYTES)) });
  }
  return keys;
}

function authenticated(header: Buffer, context: string): Buffer {
  return Buffer.concat([header, Buffer.from(context)]);
}

function seal({ id, key }: SealingKey, plaintext: string | Buffer, context: string): Buffer {
  const header = Buffer.concat([Buffer.of(VERSION), id]);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(authenticated(header, context));
  const sealed = typeof plaintext === 'string' ? cipher.update(plaintext, 'utf8') : cipher.update(plaintext);
  return Buffer.concat([header, nonce, sealed, cipher.final(), cipher.getAuthTag()]);
}

function open(keys: readonly SealingKey[], ciphertext: Buffer, context: string): Buffer {
  if (ciphertext.length < HEADER_BYTES + NONCE_BYTES + TAG_BYTES || ciphertext[0] !== VERSION) {
    throw new Error('not a sealed value');
  }
  const header = ciphertext.subarray(0, HEADER_BYTES);
  const id = header.subarray(1);
  const sealingKey = keys.find((candidate) => candidate.id.equals(id));
  if (!sealingKey) throw new Error(`sealed under a secret that is not configured (key id ${id.toString('hex')})`);
  const nonce = ciphertext.subarray(HEADER_BYTES, HEADER_BYTES + NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, sealingKey.key, nonce, { authTagLength: TAG_BYTES });
  decipher.setAAD(authenticated(header, context));
  decipher.setAuthTag(ciphertext.subarray(-TAG_BYTES));
  const opened = decipher.update(ciphertext.subarray(HEADER_BYTES + NONCE_BYTES, -TAG_BYTES));
  return Buffer.concat([opened, decipher.final()]);
}

/**
 * Makes a cipher. To rotate, put a new secret first: it seals from then on, and every secret opens. Throws RangeError
 * if there is no secret, or if a secret has fewer than 16 characters.
 */
export function createCipher(masterSecret: string | readonly string[]): Cipher {
  const secrets = [...new Set(typeof masterSecret === 'string' ? [masterSecret] : masterSecret)];
  const keys = loadKeys(secrets);
  const current = keys[0];
  if (!current) throw new RangeError('an encryption secret is required');
  const derived = new Map<string, readonly [Buffer, ...Buffer[]]>();
  const deriveAll = (label: string): readonly [Buffer, ...Buffer[]] => {
    let labelKeys = derived.get(label);
    if (!labelKeys) {
      const [first, ...rest] = secrets.map((secret) => derive(secret, `label/${label}`, KEY_BYTES));
      if (!first) throw new RangeError('an encryption secret is required');
      labelKeys = [first, ...rest];
      derived.set(label, labelKeys);
    }
    return labelKeys;
  };
  return {
    encrypt: (plaintext, context) => seal(current, plaintext, context),
    decrypt: (ciphertext, context) => open(keys, ciphertext, context),
    keyIds: keys.map(({ id }) => id.toString('hex')),
    deriveKey: (label) => deriveAll(label)[0],
    deriveKeys: deriveAll,
  };
}
