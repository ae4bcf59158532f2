import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startHttpTarget } from '../../test/support/http-target.ts';
import { createGuardedConnector } from './connector.ts';

test('the connector itself refuses a literal internal address', async (t) => {
  const target = await startHttpTarget();
  t.after(() => target.close());
  const connect = createGuardedConnector({ allowLoopback: false, connectTimeoutMs: 1_000, maxConnectionAgeMs: 1_000 });
  const error = await new Promise((resolve) => {
    connect({ hostname: '127.0.0.1', protocol: 'http:', port: String(target.port) }, (failure, socket) => {
      socket?.destroy();
      resolve(failure);
    });
  });
  assert.equal((error as { kind?: string } | null)?.kind, 'blocked_address');
  assert.equal(target.connections.length, 0);
});
