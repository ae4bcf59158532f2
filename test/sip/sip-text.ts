/** SIP messages and session descriptions as text, for the peers of these tests. */

/** The payload type of keys in RTP (RFC 4733). */
export const TELEPHONE_EVENT = 101;

/** Returns the lines of a header, each with its name. */
export function headersOf(text: string, name: string): readonly string[] {
  return text.split('\r\n').filter((line) => line.toLowerCase().startsWith(`${name.toLowerCase()}:`));
}

/** Returns the text of a header; empty if there is none. */
export function headerOf(text: string, name: string): string {
  const [first = ''] = headersOf(text, name);
  return first.slice(name.length + 1).trim();
}

/** Returns the target address of requests within a dialog, from the header Contact. */
export function targetOf(text: string): string | undefined {
  return /<([^>]+)>/.exec(headerOf(text, 'Contact'))?.[1];
}

/** Returns the address for audio in a session description. */
export function readMedia(text: string) {
  const port = Number(/m=audio (\d+)/.exec(text)?.[1]);
  return { address: /c=IN IP4 (\S+)/.exec(text)?.[1] ?? '', port };
}

/** The direction of audio, from the writer's side (RFC 3264, 5.1). */
export type Direction = 'sendrecv' | 'sendonly' | 'inactive';

/** Describes a session of mu-law and keys. Its audio arrives at a port of loopback. */
export function describeSession(port: number, direction: Direction = 'sendrecv', version = 1): string {
  const session = ['v=0', `o=- 1 ${version} IN IP4 127.0.0.1`, 's=-', 'c=IN IP4 127.0.0.1', 't=0 0'];
  const media = [`m=audio ${port} RTP/AVP 0 ${TELEPHONE_EVENT}`, 'a=rtpmap:0 PCMU/8000'];
  const events = [
    `a=rtpmap:${TELEPHONE_EVENT} telephone-event/8000`,
    `a=fmtp:${TELEPHONE_EVENT} 0-16`,
    `a=${direction}`,
  ];
  return `${[...session, ...media, ...events].join('\r\n')}\r\n`;
}

/** Appends a body of a media type to the lines of a message. */
export function withBody(lines: readonly string[], type: string, body: string): string {
  const typed = body === '' ? [] : [`Content-Type: ${type}`];
  return [...lines, ...typed, `Content-Length: ${body.length}`, '', body].join('\r\n');
}
