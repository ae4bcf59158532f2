import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHttpTarget } from '../../test/support/http-target.ts';
import { createGuardedConnector } from './connector.ts';

/** Connects to a host name, and returns why that is refused. */
async function refusal(hostname: string, port: number, addresses: readonly string[] = []): Promise<unknown> {
  const lookup = async () => addresses.map((address) => ({ address, family: 4 as const }));
  const limits = { connectTimeoutMs: 1_000, maxConnectionAgeMs: 1_000 };
  const connect = createGuardedConnector({ allowLoopback: false, ...limits, lookup });
  const error = await new Promise((resolve) => {
    connect({ hostname, protocol: 'http:', port: String(port) }, (failure, socket) => {
      socket?.destroy();
      resolve(failure);
    });
  });
  return (error as { kind?: string } | null)?.kind;
}

test('the connector itself refuses a literal internal address of either family', async (t) => {
  const target = await startHttpTarget();
  t.after(() => target.close());
  for (const address of ['127.0.0.1', '::1', '::ffff:127.0.0.1']) {
    assert.equal(await refusal(address, target.port), 'blocked_address', address);
  }
  assert.equal(target.connections.length, 0);
});

test('a name with one internal address is refused, wherever it stands among the others', async (t) => {
  const target = await startHttpTarget();
  t.after(() => target.close());
  for (const addresses of [['127.0.0.1'], ['127.0.0.1', '1.1.1.1'], ['1.1.1.1', '127.0.0.1']]) {
    assert.equal(await refusal('mixed.example', target.port, addresses), 'blocked_address', addresses.join());
  }
  assert.equal(target.connections.length, 0);
});
