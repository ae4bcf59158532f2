/**
 * A server for benchmarks: the product without a rate limit, in its own process. It answers each message with the
 * processor time that it has used.
 */
import { parseArgs } from 'node:util';
import { startBenchProduct } from './product.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string' },
    workers: { type: 'boolean' },
    'request-log-days': { type: 'string', default: '7' },
  },
});
const { url, accounts } = await startBenchProduct(values.database as string, {
  names: ['Bench', 'Neighbour'],
  work: values.workers === true,
  settings: { requestLogDays: Number(values['request-log-days']) },
});
process.send?.({ url, keys: accounts.map(({ test_key }) => test_key) });
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
