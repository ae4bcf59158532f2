/** What a handshake of a media socket says of itself. */
import type { IncomingMessage } from 'node:http';
import { FORWARDED_HEADER } from './relay.ts';

/** True for a handshake that another node has passed on: it must not be once more. */
export function isForwarded({ headers }: IncomingMessage): boolean {
  return headers[FORWARDED_HEADER] !== undefined;
}

export function pathOf(request: IncomingMessage): string {
  return (request.url ?? '').split('?', 1)[0] as string;
}

/** From the query, the Authorization header, or the header that Telnyx sends it in. */
export function tokenOf({ url, headers }: IncomingMessage): string {
  const fromQuery = new URLSearchParams(url?.split('?', 2)[1]).get('token');
  const [, bearer] = /^Bearer (\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const fromTelnyx = headers['x-telnyx-streaming-auth-token'];
  return fromQuery || bearer || (typeof fromTelnyx === 'string' ? fromTelnyx : '');
}
