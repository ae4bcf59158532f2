import { randomFillSync } from 'node:crypto';

/** FIN and the opcode of text (RFC 6455, 5.2). */
const TEXT_MESSAGE = 0x81;
const LENGTH_OF_16_BITS = 126;
const LENGTH_OF_64_BITS = 127;

/**
 * Returns a whole WebSocket message: one unmasked, uncompressed text frame (RFC 6455, 5.2). Servers do not mask. So the
 * bytes are the same for every socket, and are made once for each message.
 */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headerBytes = bytes < LENGTH_OF_16_BITS ? 2 : bytes < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerBytes + bytes);
  frame[0] = TEXT_MESSAGE;
  frame[1] = headerBytes === 2 ? bytes : headerBytes === 4 ? LENGTH_OF_16_BITS : LENGTH_OF_64_BITS;
  if (headerBytes === 4) frame.writeUInt16BE(bytes, 2);
  if (headerBytes === 10) frame.writeBigUInt64BE(BigInt(bytes), 2);
  frame.write(text, headerBytes);
  return frame;
}

/** The bit in the length byte that says that there is a mask, and the number of bytes of a mask. */
const MASKED = 0x80;
const MASK_BYTES = 4;

/** Returns a copy of a whole unmasked frame with a random mask. A client must mask its frames (RFC 6455, 5.3). */
export function maskFrame(frame: Buffer): Buffer {
  const length = frame.readUInt8(1);
  const headerBytes = length < LENGTH_OF_16_BITS ? 2 : length === LENGTH_OF_16_BITS ? 4 : 10;
  const masked = Buffer.allocUnsafe(frame.length + MASK_BYTES);
  frame.copy(masked, 0, 0, headerBytes);
  masked[1] = length | MASKED;
  randomFillSync(masked, headerBytes, MASK_BYTES);
  for (let at = headerBytes; at < frame.length; at++) {
    const mask = masked[headerBytes + ((at - headerBytes) % MASK_BYTES)] as number;
    masked[at + MASK_BYTES] = (frame[at] as number) ^ mask;
  }
  return masked;
}
