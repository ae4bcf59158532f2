/** A server for benchmarks: the product as it is, in a process of its own, its rate limit off. */
import { parseArgs } from 'node:util';
import { startBenchProduct } from './product.ts';

const { values } = parseArgs({ options: { database: { type: 'string' }, workers: { type: 'boolean' } } });
const { url, accounts } = await startBenchProduct(values.database as string, {
  names: ['Bench', 'Neighbour'],
  work: values.workers === true,
});
process.send?.({ url, keys: accounts.map(({ test_key }) => test_key) });
process.on('disconnect', () => process.exit());
