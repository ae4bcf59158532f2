import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { describe, test } from 'node:test';
import { type Respond, startHttpTarget, until } from '../../test/support/http-target.ts';
import { POST, poolsFor, targetFor } from '../../test/support/outbound-pools.ts';
import { RECEIVER_CERTIFICATE } from '../../test/support/receiver-certificate.ts';
import { skippedBy } from '../../test/support/stepping-time.ts';
import { every, monotonicMs } from '../lib/time/time.ts';
import type { Lookup } from './connector.ts';
import { OutboundError, type OutboundFailure } from './outbound-error.ts';

/** A lookup that gives the next answer each time and repeats the last. */
function answers(...lists: string[][]): Lookup & { calls: string[] } {
  const calls: string[] = [];
  const lookup = async (hostname: string) => {
    const list = lists[Math.min(calls.length, lists.length - 1)] ?? [];
    calls.push(hostname);
    return list.map((address) => ({ address, family: net.isIPv6(address) ? (6 as const) : (4 as const) }));
  };
  return Object.assign(lookup, { calls });
}

function failsWith(kind: OutboundFailure): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof OutboundError, String(error));
    assert.equal(error.kind, kind, String(error.cause));
    assert.doesNotMatch(error.message, /\d+\.\d+\.\d+\.\d+|::/, 'a public message names no address');
    return true;
  };
}

describe('what is dialled', () => {
  const overTls = { ca: RECEIVER_CERTIFICATE };

  test('a name that resolves to loopback is never connected to by default', async (t) => {
    const target = await targetFor(t, undefined, { tls: true });
    const pools = poolsFor(t, { ...overTls, allowLoopback: false, lookup: answers(['127.0.0.1']) });
    await assert.rejects(
      pools.request({ ...POST, url: `https://receiver.test:${target.port}/` }),
      failsWith('blocked_address'),
    );
    assert.equal(target.connections.length, 0);
  });

  test('a name with one internal address among its answers is not connected to at all', async (t) => {
    const target = await targetFor(t, undefined, { tls: true });
    const pools = poolsFor(t, {
      ...overTls,
      lookup: answers(['127.0.0.1', '10.0.0.1'], ['127.0.0.1', 'fd00:ec2::254']),
    });
    for (let attempt = 0; attempt < 2; attempt++) {
      await assert.rejects(
        pools.request({ ...POST, url: `https://receiver.test:${target.port}/` }),
        failsWith('blocked_address'),
      );
    }
    assert.equal(target.connections.length, 0);
  });

  test('a name that is rebound after the first connection is refused at the second', async (t) => {
    const target = await targetFor(t, (_request, response) => response.setHeader('connection', 'close').end(), {
      tls: true,
    });
    const lookup = answers(['127.0.0.1'], ['169.254.169.254']);
    const pools = poolsFor(t, { ...overTls, lookup });
    const url = `https://receiver.test:${target.port}/`;
    assert.equal((await pools.request({ ...POST, url })).status, 200);
    await assert.rejects(pools.request({ ...POST, url }), failsWith('blocked_address'));
    assert.deepEqual(lookup.calls, ['receiver.test', 'receiver.test']);
  });

  test('a connection uses the address that was checked: one lookup for each connection', async (t) => {
    const target = await targetFor(t, undefined, { tls: true, host: '0.0.0.0' });
    const lookup = answers(['127.0.0.2'], ['127.0.0.3']);
    const pools = poolsFor(t, { ...overTls, lookup });
    await pools.request({ ...POST, url: `https://receiver.test:${target.port}/` });
    assert.equal(lookup.calls.length, 1);
    assert.equal(target.requests[0]?.dialled, '127.0.0.2');
  });

  test('TLS and the Host header keep the name, without its root dot', async (t) => {
    const target = await targetFor(t, undefined, { tls: true });
    const pools = poolsFor(t, { ...overTls, lookup: answers(['127.0.0.1']) });
    await pools.request({ ...POST, url: `https://receiver.test.:${target.port}/a?b=c` });
    const [seen] = target.requests;
    assert.equal(seen?.servername, 'receiver.test');
    assert.equal(seen?.headers.host, `receiver.test:${target.port}`);
    assert.equal(seen?.path, '/a?b=c');
  });

  test('literal addresses and localhost are guarded without a query to a name server', async (t) => {
    const lookup = answers(['8.8.8.8']);
    const pools = poolsFor(t, { allowLoopback: false, lookup });
    for (const host of [
      '127.0.0.1',
      '2130706433',
      '[::1]',
      '[::ffff:7f00:1]',
      'localhost',
      'x.localhost.',
      '10.0.0.1',
    ]) {
      await assert.rejects(pools.request({ ...POST, url: `https://${host}:9/` }), failsWith('blocked_address'), host);
    }
    assert.equal(lookup.calls.length, 0);
    assert.equal(pools.originCount, 0);
  });

  test('plain http is refused unless the host is loopback and loopback is allowed', async (t) => {
    const target = await targetFor(t);
    const lookup = answers(['127.0.0.1']);
    const isRefused = failsWith('blocked_address');
    const local = poolsFor(t, { lookup });
    await assert.rejects(local.request({ ...POST, url: `http://receiver.test:${target.port}/` }), isRefused);
    const strict = poolsFor(t, { allowLoopback: false, lookup });
    await assert.rejects(strict.request({ ...POST, url: target.origin }), isRefused);
    assert.equal((await local.request({ ...POST, url: `http://localhost:${target.port}/` })).status, 200);
    assert.equal(target.connections.length, 1);
  });

  test('localhost reaches a server on ::1 as well', async (t) => {
    const target = await targetFor(t, undefined, { host: '::1' });
    const pools = poolsFor(t);
    assert.equal((await pools.request({ ...POST, url: `http://localhost:${target.port}/` })).status, 200);
    assert.equal((await pools.request({ ...POST, url: target.origin })).status, 200);
  });

  test('after an address that does not answer the next one is tried', async (t) => {
    const target = await targetFor(t, undefined, { tls: true });
    const pools = poolsFor(t, { ...overTls, lookup: answers(['127.0.0.9', '127.0.0.1']) });
    assert.equal((await pools.request({ ...POST, url: `https://receiver.test:${target.port}/` })).status, 200);
  });
});

describe('responses', () => {
  test('the request arrives whole and the response comes back whole', async (t) => {
    const target = await targetFor(t, (_request, response) => {
      response.writeHead(201, { 'x-one': '1' }).end('done');
    });
    const startedAtMs = monotonicMs();
    const response = await poolsFor(t).request({
      ...POST,
      url: `${target.origin}/hook`,
      headers: { 'content-type': 'application/json', 'webhook-id': 'evt_1' },
      body: Buffer.from('{"a":"ü"}'),
    });
    assert.equal(response.status, 201);
    assert.equal(response.headers['x-one'], '1');
    assert.equal(response.body.toString(), 'done');
    assert.ok(response.durationMs > 0 && response.durationMs <= monotonicMs() - startedAtMs);
    const [seen] = target.requests;
    assert.equal(seen?.method, 'POST');
    assert.equal(seen?.body, '{"a":"ü"}');
    assert.equal(seen?.headers['content-length'], '10');
    assert.equal(seen?.headers['webhook-id'], 'evt_1');
  });

  test('a redirect is reported as its status and not followed', async (t) => {
    const elsewhere = await targetFor(t);
    const target = await targetFor(t, (_request, response) => {
      response.writeHead(307, { location: elsewhere.origin }).end();
    });
    assert.equal((await poolsFor(t).request({ ...POST, url: target.origin })).status, 307);
    assert.equal(elsewhere.connections.length, 0);
  });

  test('a body over the limit is cut and the connection stays usable', async (t) => {
    const target = await targetFor(t, (_request, response) => response.end('x'.repeat(5_000)));
    const pools = poolsFor(t, { connections: 1 });
    for (let turn = 0; turn < 3; turn++) {
      const response = await pools.request({ ...POST, url: target.origin });
      assert.equal(response.body.toString(), 'x'.repeat(1_024));
    }
    assert.equal(target.connections.length, 1);
  });

  test('an endless body is cut and its connection closed', async (t) => {
    const target = await targetFor(t, (_request, response) => {
      const more = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536)));
      };
      response.on('drain', more);
      more();
    });
    const pools = poolsFor(t);
    const response = await pools.request({ ...POST, url: target.origin });
    assert.equal(response.body.length, 1_024);
    await until(() => target.lifetimesMs.length === 1);
  });

  test('a limit of zero keeps nothing of the body', async (t) => {
    const target = await targetFor(t);
    const response = await poolsFor(t).request({ ...POST, url: target.origin, maxResponseBytes: 0 });
    assert.deepEqual([response.status, response.body.length], [200, 0]);
  });
});

describe('failures', () => {
  const silent: Respond = () => undefined;

  test('a request to a server that never answers fails at the deadline', async (t) => {
    const target = await targetFor(t, silent);
    const request = poolsFor(t).request({ ...POST, url: target.origin, timeoutMs: 150 });
    assert.ok((await skippedBy(assert.rejects(request, failsWith('timeout')))) < 5_000);
  });

  test('a response that drips cannot outlast the deadline', async (t) => {
    const target = await targetFor(t, (_request, response) => {
      const drip = every(20, () => response.write('.'));
      response.on('close', () => drip.cancel());
    });
    await assert.rejects(poolsFor(t).request({ ...POST, url: target.origin, timeoutMs: 200 }), failsWith('timeout'));
    await until(() => target.lifetimesMs.length === 1);
  });

  test('a request that times out while it waits for a connection is never sent', async (t) => {
    let releaseFirst = (): void => undefined;
    const target = await targetFor(t, (request, response) => {
      if (request.url === '/first') releaseFirst = () => response.end();
      else response.end();
    });
    const pools = poolsFor(t, { connections: 1 });
    const first = pools.request({ ...POST, url: `${target.origin}/first` });
    await assert.rejects(
      pools.request({ ...POST, url: `${target.origin}/second`, timeoutMs: 100 }),
      failsWith('timeout'),
    );
    releaseFirst();
    await first;
    await pools.request({ ...POST, url: `${target.origin}/third` });
    assert.deepEqual(
      target.requests.map(({ path }) => path),
      ['/first', '/third'],
    );
  });

  test('a request whose resolver never answers fails at the connect time-out', async (t) => {
    const pools = poolsFor(t, { connectTimeoutMs: 100, lookup: () => new Promise(() => undefined) });
    await assert.rejects(pools.request({ ...POST, url: 'https://receiver.test/' }), (error) => {
      assert.match(String(error), /could not be opened in time/);
      return failsWith('timeout')(error);
    });
  });

  test('a name without addresses and a failing resolver are dns failures', async (t) => {
    const empty = poolsFor(t, { lookup: answers([]) });
    await assert.rejects(empty.request({ ...POST, url: 'https://receiver.test/' }), failsWith('dns'));
    const failing = poolsFor(t, { lookup: () => Promise.reject(new Error('SERVFAIL')) });
    await assert.rejects(failing.request({ ...POST, url: 'https://receiver.test/' }), failsWith('dns'));
  });

  test('a closed port is a connect failure', async (t) => {
    const target = await startHttpTarget();
    await target.close();
    await assert.rejects(poolsFor(t).request({ ...POST, url: target.origin }), failsWith('connect'));
  });

  test('a certificate that is not trusted, or of another name, is a tls failure', async (t) => {
    const target = await targetFor(t, undefined, { tls: true });
    const lookup = answers(['127.0.0.1']);
    const distrusting = poolsFor(t, { lookup });
    await assert.rejects(
      distrusting.request({ ...POST, url: `https://receiver.test:${target.port}/` }),
      failsWith('tls'),
    );
    const trusting = poolsFor(t, { lookup, ca: RECEIVER_CERTIFICATE });
    await assert.rejects(trusting.request({ ...POST, url: `https://other.test:${target.port}/` }), failsWith('tls'));
    assert.equal(target.requests.length, 0);
  });

  test('a connection closed before the response is a reset', async (t) => {
    const target = await targetFor(t, (request) => request.socket.destroy());
    await assert.rejects(poolsFor(t).request({ ...POST, url: target.origin }), failsWith('reset'));
  });

  test('an answer that is not HTTP is a protocol failure', async (t) => {
    const server = net.createServer((socket) =>
      socket
        .resume()
        .end('SSH-2.0-OpenSSH_9.6\r\n')
        .on('error', () => socket.destroy()),
    );
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    t.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    await assert.rejects(poolsFor(t).request({ ...POST, url: `http://127.0.0.1:${port}/` }), failsWith('protocol'));
  });

  test('a signal cancels a request under way, and one that is cancelled before is not sent', async (t) => {
    const target = await targetFor(t, silent);
    const pools = poolsFor(t);
    const controller = new AbortController();
    const pending = pools.request({ ...POST, url: target.origin, signal: controller.signal });
    controller.abort();
    await assert.rejects(pending, failsWith('aborted'));
    await assert.rejects(
      pools.request({ ...POST, url: target.origin, signal: AbortSignal.abort() }),
      failsWith('aborted'),
    );
    assert.equal(target.requests.length, 0);
  });
});
