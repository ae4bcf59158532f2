/**
 * A whole WebSocket message as it goes over the wire: one unmasked, uncompressed text frame (RFC 6455, 5.2). Servers
 * do not mask, so the bytes are the same for every socket and are made once a message.
 */
export function textFrame(text: string): Buffer {
  const bytes = Buffer.byteLength(text);
  const headerBytes = bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(headerBytes + bytes);
  // FIN and the opcode of text.
  frame[0] = 0x81;
  if (headerBytes === 2) frame[1] = bytes;
  else if (headerBytes === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(bytes, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(bytes), 2);
  }
  frame.write(text, headerBytes);
  return frame;
}
