import type { Api } from './types.ts';

/** JSON replies hold customers' data: no cache keeps them, and no browser takes them for another type. */
export const JSON_HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Adds `JSON_HEADERS` to every reply in JSON. */
export function protectJson(app: Api): void {
  app.addHook('onSend', (_request, reply, _payload, done) => {
    const type = reply.getHeader('content-type');
    if (typeof type === 'string' && type.startsWith('application/json')) reply.headers(JSON_HEADERS);
    done();
  });
}
