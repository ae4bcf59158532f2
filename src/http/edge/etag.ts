/**
 * Entity tags: a client that already has the current version of a resource does not load it again (RFC 9110, 8.8.3 and
 * 13.1.2).
 */
import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** Returns a strong entity tag of a content. */
export function etagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
}

/** Evaluates If-None-Match by the weak comparison. True if the client already has the content of this tag. */
export function isKnown({ headers }: Pick<FastifyRequest, 'headers'>, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((text) => text.trim().replace(/^W\//, '')) ?? [];
  return known.includes(etag) || known.includes('*');
}
