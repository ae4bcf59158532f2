/** FIN and the opcode of text (RFC 6455, 5.2). */
const TEXT_MESSAGE = 0x81;
const LENGTH_OF_16_BITS = 126;
const LENGTH_OF_64_BITS = 127;

/**
 * Returns a whole WebSocket message: one unmasked, uncompressed text frame (RFC 6455, 5.2). Servers do not mask, so the
 * bytes are the same for every socket and are made once a message.
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
