import type { Api } from './types.ts';

/** JSON replies hold customers' data. Caches must not store them, and browsers must not guess another type. */
export const JSON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Adds `JSON_HEADERS` to every reply in JSON. */
export function protectJson(app: Api): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.startsWith('application/json')) reply.headers(JSON_HEADERS);
    done();
  });
}
