import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Returns the memory of this process in bytes: of its heap and buffers after a collection, and of the process as the
 * system counts it. Other programs do not change the first.
 */
export function readMemory(): { live: number; resident: number } {
  // One collection may free objects that a second collection needs to free others.
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
}
