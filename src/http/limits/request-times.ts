import type { ServerOptions } from 'node:http';

export type RequestTimes = {
  /** How long a request may take to arrive, and how long a new connection may send nothing. */
  readonly arrivalMs: number;
  /** How often connections are checked. A request that is late is ended at most this much later. */
  readonly checkMs: number;
};

export const REQUEST_TIMES: RequestTimes = { arrivalMs: 30_000, checkMs: 1_000 };

/** Returns the settings of Node's server. By default it allows 60 s for headers and checks connections every 30 s. */
export function serverTimes({ arrivalMs, checkMs }: RequestTimes): { requestTimeout: number; http: ServerOptions } {
  return {
    requestTimeout: arrivalMs,
    http: { headersTimeout: arrivalMs, connectionsCheckingInterval: checkMs },
  };
}
