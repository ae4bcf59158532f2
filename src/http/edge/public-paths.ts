/**
 * The paths that the server serves, for the proxy in front of it. A route outside of these lists cannot be added. The
 * files of `deploy/proxy` and the table of docs/deploying.md follow the lists, and a test compares them.
 */

/** Paths for the public. A path that ends in a slash means all paths below it. */
export const PUBLIC_PATHS = [
  '/',
  '/v1/',
  '/docs',
  '/docs/',
  '/console',
  '/console/',
  '/opt-in/',
  '/opt-out/',
  '/carrier/',
  '/cells/',
  '/embeds/',
  '/softphone.js',
  '/sdk.tgz',
  '/llms.txt',
  '/llms-full.txt',
] as const;

/** Returns a path of the list, or one below it. */
export function examplePath(path: string): string {
  return path.endsWith('/') && path !== '/' ? `${path}example` : path;
}

/** Paths that a proxy does not serve to the public. */
export const INSIDE_PATHS = ['/healthz', '/readyz', '/metrics'] as const;

/** WebSockets of audio, including those of cells. A proxy sends them to gateways, and everything else to the API. */
export const GATEWAY_PATHS = ['/v1/streams/', '/v1/ingest', '/v1/softphone/audio/', '/cell-audio/'] as const;

/** Throws if the path of a route is in no list. */
export function requireListed(path: string): void {
  const isListed = [...PUBLIC_PATHS, ...INSIDE_PATHS].some((listed) =>
    listed.endsWith('/') && listed !== '/' ? path.startsWith(listed) : path === listed,
  );
  if (!isListed) throw new Error(`the route ${path} is in no list of src/http/edge/public-paths.ts`);
}
