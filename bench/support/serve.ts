/** A server for benchmarks: the product as it is, in a process of its own, its rate limit off. */
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { pino } from 'pino';
import { createAccount } from '../../src/domain/accounts/index.ts';
import { compose } from '../../src/server/compose.ts';

const { values } = parseArgs({ options: { database: { type: 'string' }, workers: { type: 'boolean' } } });
const product = await compose({
  databaseUrl: values.database as string,
  secret: 'a secret that is only good for benchmarks',
  log: pino({ level: 'error' }),
  settings: {
    publicUrl: 'http://localhost',
    mediaUrl: 'ws://localhost',
    rateLimit: false,
    allowLocalWebhooks: true,
    trustedProxies: 0,
  },
});
const first = await product.context.db.transaction((tx) => createAccount(tx, 'Bench'));
const second = await product.context.db.transaction((tx) => createAccount(tx, 'Neighbour'));
await product.app.listen({ host: '127.0.0.1', port: 0 });
await product.start({ server: product.app.server, work: values.workers === true });
const { port } = product.app.server.address() as AddressInfo;
process.send?.({ url: `http://127.0.0.1:${port}`, keys: [first.test_key, second.test_key] });
process.on('disconnect', () => process.exit());
