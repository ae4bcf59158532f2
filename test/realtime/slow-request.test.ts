/** Requests that arrive too slowly, over real sockets: Node's own timers end them. */
import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { after, test } from 'node:test';
import { pino } from 'pino';
import type { Context } from '../../src/context.ts';
import { buildApp } from '../../src/http/edge/app.ts';
import { createMetrics } from '../../src/lib/metrics.ts';
import { every } from '../../src/lib/time/time.ts';

const ARRIVAL_MS = 1_000;

const parts: Partial<Context> = {
  settings: {
    ...{ publicUrl: 'http://phone.example', rateLimit: false, trustedProxies: 0 },
    ...{ clientConnectionsMax: 100, addressConnectionsMax: 100 },
  } as Context['settings'],
  clock: { now: () => 0 },
  log: pino({ level: 'silent' }),
  metrics: createMetrics(),
};
const never = { form: /^$/, hash: () => Buffer.of(), find: async () => undefined };
const app = await buildApp({
  ...{ events: [], consoleRoutes: [], routes: [], requestSink: { add: () => undefined } },
  context: parts as Context,
  credentials: {
    keys: { ...never, findState: async () => undefined, onEnded: () => undefined },
    sessions: { ...never, findLedger: async () => undefined },
  },
  pages: [(api) => void api.post('/carrier/form', { schema: { hide: true } }, async () => 'done')],
  requestTimes: { arrivalMs: ARRIVAL_MS, checkMs: 100 },
});
await app.listen({ host: '127.0.0.1', port: 0 });
after(() => app.close());
const { port } = app.server.address() as AddressInfo;

const POST = 'POST /carrier/form HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n';

for (const [form, start, drip] of [
  ['sends nothing', '', ''],
  ['sends headers bit by bit', POST, 'X-A: b\r\n'],
  ['sends a body bit by bit', `${POST}Content-Length: 60000\r\n\r\n`, ' '],
  ['sends a chunked body bit by bit', `${POST}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
] as const) {
  test(`a client that ${form} is answered with 408 and closed at the end of its time`, async () => {
    const client = connect(port, '127.0.0.1');
    const startedMs = performance.now();
    let steps = 0;
    let reply = '';
    client.on('data', (chunk) => {
      reply += chunk;
    });
    client.on('error', () => undefined);
    if (start !== '') client.write(start);
    const timer = every(50, () => {
      steps++;
      if (drip !== '' && client.writable) client.write(drip);
    });
    try {
      // A write that crosses the end of the connection fails; the reply was read before.
      await new Promise((resolve) => client.once('close', resolve));
      assert.match(reply, /^HTTP\/1\.1 408 .*unreadable_body/s);
    } finally {
      timer.cancel();
    }
    assert.ok(performance.now() - startedMs >= ARRIVAL_MS - 50);
    // Counted in the client's own steps: with Node's defaults there would be hundreds.
    assert.ok(steps < 200, `${steps} steps`);
  });
}
