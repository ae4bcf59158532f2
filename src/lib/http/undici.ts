/// <reference path="./undici-parts.d.ts" />
/**
 * The part of undici that the program uses: pools, agents and requests over HTTP/1.1. The whole package loads 85 more
 * modules, for `fetch`, caches, mocks and WebSockets. They cost a twentieth of a start, and 5 MB.
 */
import type { Dispatcher } from 'undici';
import apiRequest from 'undici/lib/api/api-request.js';
import UndiciDispatcher from 'undici/lib/dispatcher/dispatcher.js';

export { default as buildConnector } from 'undici/lib/core/connect.js';
export { default as Agent } from 'undici/lib/dispatcher/agent.js';
export { default as Pool } from 'undici/lib/dispatcher/pool.js';

// The whole package adds this method to all dispatchers when it is loaded.
Object.assign(UndiciDispatcher.prototype, { request: apiRequest });

type RequestOptions = Omit<Dispatcher.RequestOptions, 'origin' | 'path' | 'method'> & {
  readonly dispatcher: Dispatcher;
  readonly method?: Dispatcher.HttpMethod;
};

/** Sends a request to a URL over a dispatcher. Redirects are not followed. */
export function request(
  url: string | URL,
  { dispatcher, method = 'GET', ...options }: RequestOptions,
): Promise<Dispatcher.ResponseData> {
  const { origin, pathname, search } = new URL(url);
  return dispatcher.request({ ...options, origin, path: `${pathname}${search}`, method });
}
