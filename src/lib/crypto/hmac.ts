/**
 * HMAC-SHA-256 (RFC 2104) with a prepared key. For each signature, Node's `createHmac` prepares the key again and makes
 * two objects, which the garbage collector finalizes one by one. A signature from one-shot hashes costs half as much,
 * and a busy sender makes two signatures for each request.
 */
import { hash } from 'node:crypto';

/** Bytes of a block of SHA-256. */
const BLOCK_BYTES = 64;
const DIGEST_BYTES = 32;
const INNER_PAD = 0x36;
const OUTER_PAD = 0x5c;

/** A longer text gets a separate buffer, so that the shared buffer stays small. */
const ROOM_BYTES = 65_536;
/** Bytes that UTF-8 needs at most for one UTF-16 unit of a string. */
const BYTES_PER_UNIT_MAX = 3;

const sharedRoom = Buffer.allocUnsafeSlow(ROOM_BYTES);

/** Returns the HMAC of a text (in UTF-8) and of the bytes that follow it, in `encoding`. */
export type HmacSha256 = (text: string, bytes: Uint8Array, encoding: 'hex' | 'base64' | 'base64url') => string;

/** Prepares a key of any length. */
export function createHmacSha256(key: Buffer | string): HmacSha256 {
  const inner = Buffer.alloc(BLOCK_BYTES, INNER_PAD);
  const outer = Buffer.alloc(BLOCK_BYTES + DIGEST_BYTES, OUTER_PAD);
  blockKey(Buffer.from(key)).forEach((byte, index) => {
    inner.writeUInt8(INNER_PAD ^ byte, index);
    outer.writeUInt8(OUTER_PAD ^ byte, index);
  });
  return (text, bytes, encoding) => {
    const bytesMax = BLOCK_BYTES + text.length * BYTES_PER_UNIT_MAX + bytes.length;
    const room = bytesMax <= ROOM_BYTES ? sharedRoom : Buffer.allocUnsafe(bytesMax);
    room.set(inner);
    const bytesAt = BLOCK_BYTES + room.write(text, BLOCK_BYTES);
    room.set(bytes, bytesAt);
    const end = bytesAt + bytes.length;
    // A latin1 string holds every byte, and Node makes a string faster than a Buffer.
    outer.write(hash('sha256', room.subarray(0, end), 'latin1'), BLOCK_BYTES, 'latin1');
    return hash('sha256', outer, encoding);
  };
}

/** A key longer than a block is replaced by its hash (RFC 2104, 2). */
function blockKey(key: Buffer): Buffer {
  return key.length > BLOCK_BYTES ? hash('sha256', key, 'buffer') : key;
}
