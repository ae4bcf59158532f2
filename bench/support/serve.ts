/**
 * A server for benchmarks: the product as it is, in a process of its own, its rate limit off. Any message is answered
 * with the processor time that it has used.
 */
import { parseArgs } from 'node:util';
import { startBenchProduct } from './product.ts';

const { values } = parseArgs({ options: { database: { type: 'string' }, workers: { type: 'boolean' } } });
const { url, accounts } = await startBenchProduct(values.database as string, {
  names: ['Bench', 'Neighbour'],
  work: values.workers === true,
});
process.send?.({ url, keys: accounts.map(({ test_key }) => test_key) });
process.on('message', () => process.send?.(process.cpuUsage()));
process.on('disconnect', () => process.exit());
