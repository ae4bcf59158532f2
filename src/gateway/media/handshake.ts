/** Reads the request of a media socket's handshake. */
import type { IncomingMessage } from 'node:http';

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] as string;
}

/** Returns the token: from the query, the Authorization header, or the header in which Telnyx sends it. */
export function tokenOf({ url, headers }: IncomingMessage): string {
  const fromQuery = new URLSearchParams(url?.split('?', 2)[1]).get('token');
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const fromTelnyx = headers['x-telnyx-streaming-auth-token'];
  return fromQuery || bearer || (typeof fromTelnyx === 'string' ? fromTelnyx : '');
}
