import { Pool } from 'undici';
import type { LastRequest } from './receiver.ts';

/** Headers that the HTTP client sets itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length']);

export type BarePosts = {
  /** Posts `count` requests. Returns the answers per second. */
  post(count: number): Promise<number>;
  close(): Promise<void>;
};

/**
 * Creates a client that posts the product's requests with a plain pool, including headers and signatures. The requests
 * are made in advance from a request that the receiver got. Each is for a different resource.
 */
export async function createBarePosts(origin: string, path: string, connections: number): Promise<BarePosts> {
  const { headers: seen, body } = (await (await fetch(`${origin}/last`)).json()) as LastRequest;
  const headers = Object.fromEntries(
    Object.entries(seen).flatMap(([name, value]) => (OWN_HEADERS.has(name) ? [] : [[name, String(value)]])),
  );
  const resourceId = /"resource_id":"([^"]*)"/.exec(body)?.[1];
  if (resourceId === undefined) throw new Error(`the receiver got no event: ${body}`);
  const pool = new Pool(origin, { connections });
  return {
    post: async (count) => {
      const bodies = Array.from({ length: count }, (_, n) => {
        return body.replaceAll(resourceId, String(n).padStart(resourceId.length, '0'));
      }).values();
      const postInTurn = async () => {
        for (const each of bodies) {
          const reply = await pool.request({ method: 'POST', path, headers, body: each });
          await reply.body.dump();
        }
      };
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: connections }, postInTurn));
      return count / ((performance.now() - startedAt) / 1000);
    },
    close: () => pool.close(),
  };
}
