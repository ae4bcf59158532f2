/** The separate listener of the metrics: GET /metrics on loopback, not on the public port. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Context } from '../../context.ts';
import { reasonOf } from '../../lib/errors/reason.ts';

const LOOPBACK = '127.0.0.1';
const CONNECTIONS_MAX = 32;
const REQUEST_MS = 5_000;
/** Interval of Node's checks of connections. Node's default is 30 s. */
const CHECK_MS = 1_000;

export type MetricsListener = {
  /** Null if the port could not be opened. */
  readonly url: string | null;
  close(): Promise<void>;
};

/**
 * Serves the metrics on a loopback port; 0 means any free port. Another process may use the port. In that case
 * `onProgress` reports it, and the product runs without the listener, because calls matter more than their figures.
 */
export async function openMetricsListener(
  { metrics, log }: Pick<Context, 'metrics' | 'log'>,
  { port, onProgress }: { port: number; onProgress: (text: string) => void },
): Promise<MetricsListener> {
  const server = createServer({ connectionsCheckingInterval: CHECK_MS }, (request, response) => {
    answer(metrics, request, response).catch((error: unknown) => {
      log.error({ err: error }, 'the metrics could not be rendered');
      response.destroy();
    });
  });
  server.maxConnections = CONNECTIONS_MAX;
  server.requestTimeout = REQUEST_MS;
  server.headersTimeout = REQUEST_MS;
  server.listen(port, LOOPBACK);
  try {
    await once(server, 'listening');
  } catch (error) {
    const reason = reasonOf(error);
    onProgress(`No metrics on port ${port}: ${reason}. Set DIALPLANE_METRICS_PORT to a free port, or to off.`);
    return { url: null, close: async () => undefined };
  }
  const { port: opened } = server.address() as AddressInfo;
  return {
    url: `http://${LOOPBACK}:${opened}/metrics`,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(
  metrics: Context['metrics'],
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const isScrape = (method === 'GET' || method === 'HEAD') && url.split('?', 1)[0] === '/metrics';
  if (!isScrape) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('The metrics are at /metrics.\n');
    return;
  }
  const text = await metrics.scrape();
  response.writeHead(200, { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' }).end(text);
}
