import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { OutboundResponse } from './exchange.ts';
import { createOutboundPools } from './pools.ts';

const FINAL = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** Posts twice over one connection to a receiver that answers with these parts, each in a separate packet. */
async function answersOf(t: TestContext, parts: readonly string[]): Promise<OutboundResponse[]> {
  let connections = 0;
  const server = net.createServer({ noDelay: true }, (socket) => {
    connections += 1;
    socket.on('data', async () => {
      for (const part of parts) {
        await new Promise((written) => socket.write(part, written));
        await new Promise((passed) => setImmediate(passed));
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pools = createOutboundPools({ allowLoopback: true, connections: 1 });
  t.after(async () => {
    await pools.destroy();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const post = () => pools.request({ method: 'POST', url, body: '{}', timeoutMs: 5_000, maxResponseBytes: 1_024 });
  const responses = [await post(), await post()];
  assert.equal(connections, 1, 'the connection was kept');
  return responses;
}

const INTERIM: readonly [string, string][] = [
  ['100', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['100 with fields', 'HTTP/1.1 100 Continue\r\nDate: Sat, 21 Nov 2026 08:44:00 GMT\r\n\r\n'],
  ['102', 'HTTP/1.1 102 Processing\r\n\r\n'],
  ['103', 'HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n'],
  ['102 and 100', 'HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
  ['100 twice', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n'],
];

for (const [name, interim] of INTERIM) {
  test(`an interim ${name} before the final response is passed over, in one packet and in two`, async (t) => {
    for (const parts of [[interim + FINAL], [interim, FINAL]]) {
      for (const { status, body } of await answersOf(t, parts)) assert.deepEqual([status, String(body)], [200, 'ok']);
    }
  });
}

test('a final response stays unchanged, whatever its body contains', async (t) => {
  const body = 'HTTP/1.1 100 Continue\r\n\r\n';
  const refusal = `HTTP/1.1 410 Gone\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  for (const response of await answersOf(t, [refusal])) {
    assert.deepEqual([response.status, String(response.body)], [410, body]);
  }
});
