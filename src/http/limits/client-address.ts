import { isIP } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * Returns the client's address, as the trusted proxies report it. If that is unreadable, returns the address that
 * connected.
 */
export function addressOf({ ip, socket }: FastifyRequest): string {
  const address = isIP(ip) === 0 ? (socket.remoteAddress ?? '') : ip;
  return address.replace(/^::ffff:(?=\d+\.)/i, '');
}
