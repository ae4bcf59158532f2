/**
 * Asks Sentinels for the Redis server that takes writes. They watch a primary and its replicas, and make a replica the
 * primary if the primary fails: https://redis.io/docs/latest/develop/reference/sentinel-clients/
 */
import { createClient, type RedisClientType } from '@redis/client';

/** A Redis, or the Sentinels that know where it is. */
export type RedisAddress = {
  /** With Sentinels, its host is their name for the primary. The other parts apply to the Redis servers. */
  readonly url: string;
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  /** The Sentinels' own password. */
  readonly sentinelPassword?: string | undefined;
};

const ANSWER_WITHIN_MS = 1_000;

/**
 * Asks the Sentinels one after the other until one answers.
 * @throws Error with the last answer, if none knows the primary
 */
export async function findPrimary({ url, sentinels, sentinelPassword }: RedisAddress): Promise<{ url: string }> {
  if (sentinels.length === 0) return { url };
  const { hostname: name, protocol } = new URL(url);
  let problem: unknown;
  for (const { host, port } of sentinels) {
    const sentinel = createClient({
      url: `${protocol}//${hostAndPort(host, port)}`,
      socket: { connectTimeout: ANSWER_WITHIN_MS, reconnectStrategy: false },
      commandOptions: { timeout: ANSWER_WITHIN_MS },
      ...(sentinelPassword !== undefined && { password: sentinelPassword }),
    });
    sentinel.on('error', () => undefined);
    try {
      await sentinel.connect();
      const found = await sentinel.sendCommand(['SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name]);
      if (Array.isArray(found)) return { url: withAddress(url, String(found[0]), Number(found[1])) };
      problem = new Error(`the Sentinel at ${host}:${port} knows no primary with the name ${name}`);
    } catch (error) {
      problem = new Error(`the Sentinel at ${host}:${port} cannot be asked: ${(error as Error).message}`);
    } finally {
      if (sentinel.isOpen) sentinel.destroy();
    }
  }
  throw problem;
}

function withAddress(url: string, host: string, port: number): string {
  const address = new URL(url);
  address.host = hostAndPort(host, port);
  return address.href;
}

const hostAndPort = (host: string, port: number) => `${host.includes(':') ? `[${host}]` : host}:${port}`;

/**
 * Checks the role that the server reports: for some time after a change, a Sentinel may still name the former primary.
 * @throws Error if the server is a replica
 */
export async function assertPrimary(client: RedisClientType): Promise<void> {
  const [role] = (await client.sendCommand(['ROLE'])) as unknown as [string];
  if (role !== 'master') throw new Error('the server is a replica');
}
