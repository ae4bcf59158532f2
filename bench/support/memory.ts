import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Returns bytes of this process: those that its heap and its buffers hold after a collection, and those that it has of
 * the machine. The first do not depend on what else the machine does.
 */
export function readMemory(): { live: number; resident: number } {
  // What is freed by one collection may free more.
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
}
