import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Returns the memory of this process in bytes. `live` is its heap and buffers after a collection; other programs do not
 * affect it. `resident` is what the system counts.
 */
export function readMemory(): { live: number; resident: number } {
  // The second collection frees objects that the first one has made unreachable.
  collect();
  collect();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { live: heapUsed + external, resident: rss };
}
