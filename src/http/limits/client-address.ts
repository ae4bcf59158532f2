import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/** Returns the client's address as reported by the trusted proxies; if it is unreadable, the address that connected. */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
