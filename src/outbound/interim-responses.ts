import type { Socket } from 'node:net';

/** `HTTP/1.` is followed by the minor version, a space and the three digits of the status; these are their offsets. */
const START = Buffer.from('HTTP/1.');
const FIRST_DIGIT_AT = 'HTTP/1.1 '.length;
const LAST_DIGIT_AT = 'HTTP/1.1 10'.length;
const CONTINUE = Buffer.from(' 100');
const INTERIM = Buffer.from(' 1');
const INTERIM_DIGIT = '1'.charCodeAt(0);
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * Lets a connection survive a `100 Continue` that the request did not ask for. A receiver may send interim responses
 * before the final one (RFC 9110 15.2), but undici closes the connection at a 100. The status is rewritten to 102,
 * which has the same length and which undici skips.
 *
 * Reads only the start of each chunk: a status line that the network splits in two is not found.
 */
export function bearContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  socket.read = (size?: number): unknown => {
    const chunk: unknown = size === undefined ? read() : read(size);
    // The first byte rules out nearly every response.
    if (Buffer.isBuffer(chunk) && chunk[FIRST_DIGIT_AT] === INTERIM_DIGIT) renameContinue(chunk);
    return chunk;
  };
}

function renameContinue(chunk: Buffer): void {
  for (let at = 0; isAt(chunk, START, at) && isAt(chunk, INTERIM, at + START.length + 1); ) {
    if (isAt(chunk, CONTINUE, at + START.length + 1)) chunk[at + LAST_DIGIT_AT] = '2'.charCodeAt(0);
    const end = chunk.indexOf(HEAD_END, at);
    if (end === -1) return;
    at = end + HEAD_END.length;
  }
}

function isAt(chunk: Buffer, wanted: Buffer, at: number): boolean {
  const end = at + wanted.length;
  return end <= chunk.length && chunk.compare(wanted, 0, wanted.length, at, end) === 0;
}
