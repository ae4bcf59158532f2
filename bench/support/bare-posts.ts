import { Pool } from 'undici';
import type { LastRequest } from './receiver.ts';

/** What a client sets itself. */
const OWN_HEADERS = new Set(['host', 'connection', 'content-length']);

export type BarePosts = {
  /** Posts so many requests; how many were answered a second. */
  post(count: number): Promise<number>;
  close(): Promise<void>;
};

/**
 * Posts the very requests that the product sends, headers and signatures included, with nothing but a pool: they are
 * made beforehand after one that the receiver got, each about another resource.
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
