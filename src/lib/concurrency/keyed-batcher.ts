import { type Batcher, type BatcherOptions, createBatcher } from './batcher.ts';

type KeyedBatcherOptions<Key, Input, Output> = Omit<BatcherOptions<Input, Output>, 'run' | 'queue'> & {
  /** Carries out the inputs of one key together. Returns one output for each input, in the same order. */
  run(key: Key, inputs: Input[]): Promise<Output[]>;
};

export type KeyedBatcher<Key, Input, Output> = {
  /** Returns the output of this row, or rejects with the error of its run. */
  add(key: Key, input: Input): Promise<Output>;
};

/** Batches by key: rows of different keys share no run, and no key waits for another. Idle keys take no room. */
export function createKeyedBatcher<Key, Input, Output>({
  run,
  ...limits
}: KeyedBatcherOptions<Key, Input, Output>): KeyedBatcher<Key, Input, Output> {
  const batchers = new Map<Key, { readonly batcher: Batcher<Input, Output>; open: number }>();
  return {
    add: async (key, input) => {
      const entry = batchers.get(key) ?? {
        batcher: createBatcher<Input, Output>({ ...limits, run: (inputs) => run(key, inputs) }),
        open: 0,
      };
      batchers.set(key, entry);
      entry.open++;
      try {
        return await entry.batcher.add(input);
      } finally {
        entry.open--;
        if (entry.open === 0) batchers.delete(key);
      }
    },
  };
}
