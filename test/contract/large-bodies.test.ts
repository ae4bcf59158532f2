/** A body over 64 KiB is awaited only for a resource that exists. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { BODY_BYTES_MAX } from '../../src/http/edge/body-limits.ts';
import { useHarness } from '../support/harness.ts';
import { bodyBytesMax, keyedRoutes, takesBody } from './document.ts';

const harness = await useHarness({ startWorkers: false });
const { hostname, port } = new URL(harness.url);

const large = keyedRoutes.filter((route) => takesBody(route) && bodyBytesMax(route) > BODY_BYTES_MAX);
for (const { name, method, path } of large.filter((route) => route.path.includes('{'))) {
  test(`${name} refuses an unknown id before the body arrives`, async () => {
    const socket = connect(Number(port), hostname);
    const head = [
      `${method} ${path.replaceAll(/\{\w+\}/g, 'none')} HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: Bearer ${harness.account.test_key}`,
      'content-type: application/json',
      `content-length: ${BODY_BYTES_MAX + 1}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    const [reply] = await once(socket, 'data');
    socket.destroy();
    assert.match(String(reply), /^HTTP\/1\.1 404 /);
  });
}
